import { expect } from "chai";
import { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openPage as openAndWait, untilShown } from "./open-page.ts";

const TIMEOUT_MS = 120_000;

const Country = z.object({
  data: z.object({
    rank: z.object({ position: z.number(), of: z.number() }),
    country: z.object({ papers: z.number(), publications: z.number(), rate: z.number() }),
    comparison: z.object({ rate_ratio: z.number(), peers: z.object({ code: z.string() }).array() }),
    series: z.object({ papers: z.number() }).array(),
  }),
});

describe("the page of a country in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = async (path: string) => {
    const { page, complaints } = await openAndWait(browser, `${statistics.address}/countries/${path}`);
    expect(complaints).to.deep.equal([]);
    const figure = (name: string) => page.locator(`[data-figure=${name}]`).innerText();
    return { page, figure };
  };
  const read = async (path: string) =>
    Country.parse(await (await statistics.request(`/v1/country/${path}`)).json()).data;
  const number = (value: number) => value.toLocaleString("en");

  it("has the figures of the API: rank, rate with its interval, papers, and the sub-region", async () => {
    const { page, figure } = await openPage("FR/en");
    const { rank, country, comparison } = await read("FR?from=2018&to=2020&sort=rate_shrunken");
    expect(await page.locator("h1").innerText()).to.equal("France");
    expect(await figure("rank")).to.equal(`${rank.position} / ${rank.of}`);
    expect(await figure("papers")).to.equal(number(country.papers));
    expect(await figure("publications")).to.equal(number(country.publications));
    expect(await figure("rate")).to.equal(country.rate.toPrecision(3));
    expect(await figure("interval")).to.match(/^[\d.]+\s–\s[\d.]+$/);
    expect(await figure("ratio")).to.include(`${comparison.rate_ratio.toPrecision(3)}×`);
    expect(await page.locator(".key-figures").innerText()).to.include("Western Europe");
    expect(await page.locator(".verdict").innerText()).to.include("no clear difference");
    const german = await openPage("FR/de");
    expect(await german.figure("ratio")).to.include(
      `${comparison.rate_ratio.toPrecision(3).replace(".", ",")}×`,
    );
    expect(await german.page.locator("#peers svg .unit").textContent()).to.equal("je 100.000");
  });

  it("changes them with the years, and keeps all years in the chart, with the incomplete ones marked", async () => {
    const { page, figure } = await openPage("DE/en");
    const { series } = await read("DE?window=2013-2022");
    expect(await page.locator("#years svg .bar").count()).to.equal(10);
    expect(await page.locator("#years svg .count").allTextContents()).to.deep.equal(
      series.map(({ papers }) => String(papers)),
    );
    const { country } = await read("DE?window=2018-2022");
    expect(await page.locator("#years svg .incomplete").count()).to.equal(2);
    await page.locator("select[name=to]").selectOption("2022");
    await untilShown(page, "#key-figures");
    expect(await figure("papers")).to.equal(number(country.papers));
    expect(await figure("rate")).to.equal(country.rate.toPrecision(3));
    expect(await page.locator("#key-figures .state").innerText()).to.include("still growing");
    expect(await page.locator("#years svg .bar").count()).to.equal(10);
  });

  it("shows the country among the others of its sub-region", async () => {
    const { page } = await openPage("AT/en");
    const { comparison } = await read("AT?from=2018&to=2020");
    expect(await page.locator("#peers svg .row").count()).to.equal(comparison.peers.length + 1);
    expect(await page.locator("#peers svg .highlighted .name").allTextContents()).to.deep.equal(["Austria"]);
    expect(await page.locator("#peers tbody a").count()).to.equal(comparison.peers.length + 1);
  });

  it("says so when a country has no rank, no publications or nobody to be compared with", async () => {
    const fiji = await openPage("FJ/en");
    expect(await fiji.figure("rank")).to.equal("not ranked: too few publications");
    expect(await fiji.page.locator("#key-figures .state").innerText()).to.include("Fewer than 20 papers");
    for (const code of ["AD", "AQ"]) {
      const { page } = await openPage(`${code}/en`);
      const nothing = "No publication counts of this country have been loaded for these years.";
      expect(await page.locator("#key-figures .state").innerText()).to.equal(nothing);
      expect(await page.locator("#years .state").innerText()).to.equal(nothing);
      expect(await page.locator("#peers .state").innerText()).to.equal(nothing);
      expect(await page.locator(".drawing:visible").count()).to.equal(0);
    }
    const poland = await openPage("PL/en");
    expect(await poland.page.locator("#peers .state").innerText()).to.include("No other country");
  });

  it("leads to another country, and to the same in another language", async () => {
    const { page } = await openPage("FR/en");
    await page.locator("#choose-country select").selectOption("IT");
    await page.locator("#choose-country button").click();
    await page.waitForURL("**/countries/IT/en");
    await page.locator("details.languages summary").click();
    await page.locator("details.languages").getByRole("link", { name: "Deutsch" }).click();
    await page.waitForURL("**/countries/IT/de");
    expect(await page.locator("h1").innerText()).to.equal("Italien");
  });
});
