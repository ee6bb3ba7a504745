import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openPage as openAndWait, SHOWN, untilShown } from "./open-page.ts";

const TIMEOUT_MS = 120_000;

const Rows = z.object({
  data: z.object({ papers: z.number(), publications: z.number(), rate: z.number() }).array(),
});

describe("the story in a browser: with data", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = async (tag = "en", options: BrowserContextOptions = {}) =>
    (await openAndWait(browser, `${statistics.address}/story/${tag}`, options)).page;
  const rowsOf = async (path: string) => Rows.parse(await (await statistics.request(path)).json()).data;

  it("draws the highest rates of countries, institutions and disciplines, each with its papers", async () => {
    const page = await openPage();
    for (const table of ["countries", "institutions", "disciplines"]) {
      const rows = await rowsOf(`/v1/${table}?from=2018&to=2020&sort=rate_shrunken`);
      const shown = Math.min(rows.length, 20);
      expect(await page.locator(`#${table} svg .row`).count(), table).to.equal(shown);
      const notes = await page.locator(`#${table} svg .note`).allTextContents();
      expect(
        notes.map((note) => /^\d+/.exec(note)?.[0]),
        table,
      ).to.deep.equal(rows.slice(0, shown).map(({ papers }) => String(papers)));
    }
    expect(await page.locator("#countries .extent").innerText()).to.equal("Country 1–20 / 22");
    expect(await page.locator("#institutions .extent").isVisible()).to.equal(false);
    expect(await page.locator("#institutions svg .note").first().textContent()).to.match(
      /^\d+ papers · Italy$/,
    );
    expect(await page.locator("#countries svg").getAttribute("aria-label")).to.match(
      /^Highest rate shown: France: [\d.]+ \([\d.]+ to [\d.]+\)\. Lowest: /,
    );
  });

  it("has all rows in the tables, with links to the pages of countries", async () => {
    const page = await openPage();
    const rows = await rowsOf("/v1/countries?from=2018&to=2020&sort=rate_shrunken");
    await page.locator("#countries .figures summary").click();
    const first = page.locator("#countries tbody tr").first();
    const cells = await first.locator("th, td").allInnerTexts();
    expect(cells.slice(0, 2)).to.deep.equal(["1", "France"]);
    expect(cells[3]).to.equal(rows[0]?.publications.toLocaleString("en"));
    expect(await page.locator("#countries tbody tr").count()).to.equal(rows.length);
    await first.getByRole("link").click();
    await page.waitForURL("**/countries/FR/en");
  });

  it("names disciplines, regions and countries in the language of the page", async () => {
    const page = await openPage("pl");
    expect(await page.locator("#countries svg .name").first().textContent()).to.equal("Francja");
    const disciplines = await page.locator("#disciplines svg .name").allTextContents();
    expect(disciplines).to.include("Informatyka").and.to.include("Medycyna");
  });

  it("draws what is chosen", async () => {
    const page = await openPage("de");
    await page.locator("#countries select[name=region]").selectOption("eastern-asia");
    await untilShown(page, "#countries");
    expect(await page.locator("#countries svg .name").allTextContents()).to.deep.equal(["Japan", "China"]);
    expect(await page.locator("#countries .extent").isVisible()).to.equal(false);
    await page.locator("#countries select[name=region]").selectOption("melanesia");
    await untilShown(page, "#countries");
    expect(await page.locator("#countries .state").innerText()).to.include("genug Publikationen");
    expect(await page.locator("#countries .drawing").isVisible()).to.equal(false);
  });

  it("draws equal ratios at equal distances on a logarithmic scale", async () => {
    const page = await openPage();
    const marks = async () =>
      page
        .locator("#countries .mark-text")
        .evaluateAll((texts) =>
          texts.map((text) => ({ value: Number(text.textContent), x: Number(text.getAttribute("x")) })),
        );
    const equalSteps = (values: readonly number[]) => Math.max(...values) - Math.min(...values) < 1;
    const linear = await marks();
    expect(linear[0]?.value).to.equal(0);
    expect(equalSteps(linear.slice(1).map(({ x }, index) => x - (linear[index]?.x ?? 0)))).to.equal(true);
    await page.locator("#countries input[name=log]").check();
    await untilShown(page, "#countries");
    const logarithmic = await marks();
    expect(logarithmic).to.have.length.above(3);
    const perFactor = logarithmic.slice(1).map(({ value, x }, index) => {
      const before = logarithmic[index] ?? { value: 1, x: 0 };
      return (x - before.x) / Math.log(value / before.value);
    });
    expect(equalSteps(perFactor), perFactor.join()).to.equal(true);
  });

  it("saves a chart as SVG and PNG with its licence, its source and the warning of a made-up set", async () => {
    const page = await openPage("de", { colorScheme: "dark" });
    const svg = (await downloaded(page, "#countries", "svg")).toString();
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? "").join("\n");
    expect(texts)
      .to.include("Raten nach Ländern")
      .and.to.include("Wegen Plagiats zurückgezogene Arbeiten je 100.000 Publikationen")
      .and.to.include("2018-2020")
      .and.to.match(/\d+ Arbeiten/)
      .and.to.match(/Land.*1–20.* \/ 22/)
      .and.to.include("Similarity Check statistics, from: Synthetic data")
      .and.to.include("CC-BY-4.0 (https://creativecommons.org/licenses/by/4.0/)")
      .and.to.include(`${statistics.address}/v1/countries?`)
      .and.to.match(/Erfundene Zahlen/)
      .and.to.match(/demo-[0-9a-f]+/);
    expect(svg, "needs no style sheet").not.to.match(/ class=| style=|<style/);
    // Light, whatever the page is: dark text on a white ground; unstable rows are drawn hollow.
    expect(svg).to.match(/<rect[^>]* fill="rgb\(255, 255, 255\)"/);
    expect(svg.match(/<circle[^>]* fill="rgb\(255, 255, 255\)"/g)).to.have.length.above(5);
    const png = await downloaded(page, "#news", "png");
    expect(png.subarray(1, 4).toString()).to.equal("PNG");
    expect(png.readUInt32BE(16), "width").to.equal(1_600);
    expect(png.byteLength).to.be.above(20_000);
  });

  it("saves figures as CSV with the licence and the source in every row", async () => {
    const page = await openPage("fr");
    const [header = "", ...rows] = (await downloaded(page, "#disciplines", "csv"))
      .toString()
      .trimEnd()
      .split("\r\n");
    expect(header).to.match(
      /^\uFEFFrank,field_id,name,.*,license,attribution,dataset_version,address,caveats$/,
    );
    expect(rows).to.have.length(26);
    for (const row of rows) {
      expect(row)
        .to.include("CC-BY-4.0,")
        .and.to.include("Similarity Check statistics")
        .and.to.include(`${statistics.address}/v1/disciplines?`);
    }
  });

  it("draws each month of news, and a dash where there is no data", async () => {
    const page = await openPage();
    // December 2022 has not ended in the data: its newest day is no last day of a month.
    expect(await page.locator("#news svg .bar").count()).to.equal(22);
    expect(await page.locator("#news svg .gap").count()).to.equal(1);
    await page.locator("#news .figures summary").click();
    const gap = page.locator("#news tbody tr", { hasText: "August 2021" });
    expect(await gap.innerText()).to.match(/no data\s+no data\s+no data/);
  });

  it("says that the set is synthetic, what is loaded, and how to cite it", async () => {
    const page = await openPage();
    expect(await page.locator("#synthetic").isVisible()).to.equal(true);
    const version = await page.locator(".dataset-version").innerText();
    expect(version).to.match(/^demo-/);
    expect(await page.locator("#loaded tbody tr").count()).to.equal(6);
    const citation = await page.locator("#citing pre").first().innerText();
    expect(citation)
      .to.include(version)
      .and.to.include(`${statistics.address}/v1/countries?window=2013-2017&dataset_version=${version}`);
    expect(citation).to.match(/read \d{4}-\d\d-\d\d\.$/);
  });

  it("leads to the page of a country that is chosen by keyboard", async () => {
    const page = await openPage("es");
    // Before a choice, the button leads nowhere.
    expect(await page.locator("#choose-country select").inputValue()).to.equal("");
    await page.locator("#choose-country button").click();
    expect(new URL(page.url()).pathname).to.equal("/story/es");
    await page.locator("#choose-country select").focus();
    await page.keyboard.type("Japón");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/countries/JP/es");
  });

  it("reads from the right in Arabic, the charts and saved pictures too", async () => {
    const page = await openPage("ar");
    const [name, dot] = [page.locator("#countries .name").first(), page.locator("#countries circle").first()];
    expect(await leftOf(name)).to.be.above(await leftOf(dot));
    expect(await leftOf(page.locator(".contents"))).to.be.above(await leftOf(page.locator("h1")));
    const [first, last] = [page.locator("#news .column").first(), page.locator("#news .column").last()];
    expect(await leftOf(first)).to.be.above(await leftOf(last));
    expect((await downloaded(page, "#news", "svg")).toString()).to.match(/<svg[^>]* direction="rtl"/);
  });

  it("keeps Latin names together in Arabic", async () => {
    const page = await openPage("ar");
    const name = await page.locator("#institutions .name").first().textContent();
    expect(name).to.match(/^\u2068Synthetic University \d+\u2069$/);
    const label = await page.locator("#institutions svg").getAttribute("aria-label");
    expect(label).to.match(/\u2068Synthetic University \d+\u2069/);
    expect(await page.locator("#institutions tbody bdi").first().innerHTML()).to.match(
      /^<a href="\/institutions\//,
    );
  });

  it("gives long names a line of their own on a phone", async () => {
    const page = await openPage("en", { viewport: { width: 360, height: 740 } });
    const names = await page.locator("#institutions svg .name").allTextContents();
    expect(names.filter((name) => name.includes("…"))).to.deep.equal([]);
  });

  it("can be read without JavaScript", async () => {
    const page = await openPage("en", { javaScriptEnabled: false });
    expect(await page.locator("noscript").innerText()).to.include("Without JavaScript");
    expect(await page.locator("#counting dd").count()).to.equal(8);
    expect(await page.locator("#choose-country button").isDisabled()).to.equal(true);
  });

  it("says so when the data cannot be read", async () => {
    const page = await openPage();
    const fail = (path: string) =>
      page.route(path, (route) =>
        route.fulfill({
          status: 503,
          contentType: "application/problem+json",
          json: { detail: "PostgreSQL does not answer." },
        }),
      );
    const failure = "The data could not be read: PostgreSQL does not answer.";
    await fail("**/v1/countries?*");
    await page.reload();
    await page.locator(SHOWN).waitFor();
    expect(await page.locator("#countries .state").innerText()).to.equal(failure);
    expect(await page.locator("#news svg").isVisible()).to.equal(true);
    await fail("**/v1/");
    await page.reload();
    await page.locator(SHOWN).waitFor();
    expect(await page.locator("#unreadable").innerText()).to.equal(failure);
    expect(await page.locator("#news").isVisible()).to.equal(false);
  });
});

describe("the pages in a browser: before any load", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();

  it("show the commands that load data instead of empty charts and lists", async () => {
    for (const path of ["/story/it", "/countries/IT/it", "/cases/it", "/news/it"]) {
      const { page, complaints } = await openAndWait(browser, `${statistics.address}${path}`);
      expect(await page.locator("#never-loaded pre").innerText(), path)
        .to.include("npm run statistics:load --")
        .and.to.include("npm run statistics:demo");
      for (const part of await page.locator("figure, #loaded, #synthetic, #list, #key-figures").all()) {
        expect(await part.isVisible(), path).to.equal(false);
      }
      expect(complaints).to.deep.equal([]);
    }
  });
});

describe("the story in a browser: with retractions and the publications of countries alone", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(async () => {
    const [retractions, publications] = [join(statistics.folder, "R.csv"), join(statistics.folder, "P.csv")];
    await writeFile(
      retractions,
      "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason\n" +
        "1,Chile,3/4/2020 0:00,5/6/2014 0:00,10.5555/one,Retraction,+Plagiarism of Article;\n",
    );
    await writeFile(
      publications,
      "dimension,key,year,publications,publications_fractional\n" +
        ["country,CL,2013,9000,", "country,CL,2014,9000,", "country,PE,2014,20000,"].join("\n"),
    );
    await createLoadStatistics({ database: statistics.database })({ retractions, publications });
  });

  it("draws the countries, those without papers too, and says that there is nothing else", async () => {
    const { page, complaints } = await openAndWait(browser, `${statistics.address}/story/en`);
    expect(await page.locator("#countries svg .name").allTextContents()).to.deep.equal(["Chile", "Peru"]);
    await page.locator("#countries input[name=log]").check();
    await untilShown(page, "#countries");
    expect(await page.locator("#countries svg .row").count()).to.equal(2);
    for (const table of ["institutions", "disciplines"]) {
      expect(await page.locator(`#${table} .state`).innerText()).to.include(
        "Nothing has enough publications",
      );
      expect(await page.locator(`#${table} .drawing`).isVisible()).to.equal(false);
    }
    expect(await page.locator("#news .state").innerText()).to.include("No news has been loaded");
    expect(await page.locator("#synthetic").isVisible()).to.equal(false);
    expect(complaints).to.deep.equal([]);
  });
});

async function downloaded(page: Page, part: string, format: "svg" | "png" | "csv"): Promise<Buffer> {
  const saving = page.waitForEvent("download");
  await page.locator(`${part} [data-download=${format}]`).click();
  const download = await saving;
  expect(download.suggestedFilename()).to.match(new RegExp(`^demo-[\\w-]+\\.${format}$`));
  return readFile(await download.path());
}

async function leftOf(place: { boundingBox(): Promise<{ readonly x: number } | null> }): Promise<number> {
  return (await place.boundingBox())?.x ?? Number.NaN;
}
