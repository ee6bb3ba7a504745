import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openDeveloperPage, SHOWN } from "./open-developer-page.ts";

const TIMEOUT_MS = 60_000;

const Countries = z.object({
  data: z.object({ code: z.string(), papers: z.number(), publications: z.number() }).array(),
});

describe("the developer page in a browser: with data", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = async (path = "en", options: BrowserContextOptions = {}) =>
    (await openDeveloperPage(browser, `${statistics.address}/developers/${path}`, options)).page;
  const rowsOf = async (query: string) =>
    Countries.parse(await (await statistics.request(`/v1/countries?${query}`)).json()).data;

  it("draws the highest rates, says how many there are, and has all in the table", async () => {
    const page = await openPage();
    const rows = await rowsOf("");
    expect(await page.locator("#rates svg .row").count()).to.equal(20);
    expect(await page.locator("#rates .extent").innerText()).to.equal(`Country 1–20 / ${rows.length}`);
    expect(await page.locator("#rates svg").getAttribute("aria-label")).to.match(
      /^Highest rate shown: Germany: [\d.]+ \([\d.]+ to [\d.]+\)\. Lowest: /,
    );
    await page.locator("#rates summary").click();
    const cells = await page.locator("#rates tbody tr").first().locator("th, td").allInnerTexts();
    expect(cells.slice(0, 2)).to.deep.equal(["1", "Germany"]);
    expect(cells[3]).to.equal(rows[0]?.publications.toLocaleString("en"));
    expect(await page.locator("#rates tbody tr").count()).to.equal(rows.length);
  });

  it("draws what is chosen", async () => {
    const page = await openPage("de");
    await page.locator("#rates select[name=region]").selectOption("eastern-asia");
    await page.locator("#rates .csv[href*=eastern-asia]").waitFor();
    expect(await page.locator("#rates svg .name").allTextContents()).to.deep.equal(["China", "Japan"]);
    expect(await page.locator("#rates .extent").isVisible()).to.equal(false);
    await page.locator("#rates select[name=region]").selectOption("melanesia");
    await page.locator("#rates .state", { hasText: "Kein Land" }).waitFor();
    expect(await page.locator("#rates .drawing").isVisible()).to.equal(false);
  });

  it("draws each month of news, and a dash where there is no data", async () => {
    const page = await openPage();
    expect(await page.locator("#news svg .bar").count()).to.equal(23);
    expect(await page.locator("#news svg .gap").count()).to.equal(1);
    await page.locator("#news summary").click();
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
      .and.to.include(`${statistics.address}/v1/countries?window=2013-2017`);
    expect(citation).to.match(/read \d{4}-\d\d-\d\d\.$/);
  });

  it("sends a request and keeps the examples in step with it", async () => {
    const page = await openPage();
    const endpoint = page.locator("#getCountry");
    await endpoint.locator("input[name=code]").fill("FR");
    await endpoint.locator("input[name=window]").fill("2018-2022");
    const address = "/v1/country/FR?window=2018-2022";
    expect(await endpoint.locator(".address").innerText()).to.equal(address);
    expect(await endpoint.locator("[data-language=curl] pre").textContent()).to.equal(
      `curl '${statistics.address}${address}'`,
    );
    await endpoint.locator("form button").click();
    await endpoint.locator("form .body").waitFor();
    expect(JSON.parse((await endpoint.locator("form .body").textContent()) ?? "").data.country.code).to.equal(
      "FR",
    );
    expect(await endpoint.locator("form .state").innerText()).to.match(
      /^200 · \d+ ms · \d[\d,]* requests left/,
    );
  });

  it("shows tables in CSV with the examples for it, and counts the rows of JSON", async () => {
    const page = await openPage();
    const endpoint = page.locator("#listDisciplines");
    await endpoint.locator("form button").click();
    await endpoint.locator("form .state", { hasText: "26 rows" }).waitFor();
    await endpoint.locator("select[name=format]").selectOption("csv");
    await endpoint.locator("form button").click();
    await endpoint.locator("form .body", { hasText: /^rank,field_id/ }).waitFor();
    await endpoint.getByRole("tab", { name: "Python" }).click();
    expect(await endpoint.getByRole("tabpanel").innerText()).to.include("csv.DictReader");
  });

  it("shows an error as the API answers it", async () => {
    const page = await openPage();
    const endpoint = page.locator("#getCountry");
    await endpoint.locator("input[name=code]").fill("ZZ/'<b>");
    await endpoint.locator("form button").click();
    await endpoint.locator("form .state", { hasText: /^4\d\d · / }).waitFor();
    expect(await endpoint.locator("form .body b").count()).to.equal(0);
    expect(await endpoint.locator("[data-language=curl] pre").textContent()).to.include("ZZ%2F%27%3Cb%3E");
  });

  it("moves between examples by arrow keys, for all endpoints at once", async () => {
    const page = await openPage();
    await page.locator("#listCases").getByRole("tab", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    const focused = "document.activeElement.textContent";
    expect(await page.evaluate(focused)).to.equal("JavaScript");
    expect(await page.locator("#getNews").getByRole("tabpanel").innerText()).to.include("await fetch(");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await page.evaluate(focused)).to.equal("Python");
  });

  it("copies an example as it stands", async () => {
    const page = await openPage("fr", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator(".hero .copy").click();
    await page.locator(".hero .copy", { hasNotText: "Copier" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).to.equal(
      `curl '${statistics.address}/v1/countries?region=europe'`,
    );
  });

  it("is used by keyboard: skips to the content, opens the languages and keeps the place", async () => {
    const page = await openPage("en#citing");
    await page.evaluate("document.body.focus()");
    await page.locator("a.skip").focus();
    expect(await page.locator("a.skip").boundingBox())
      .to.have.property("y")
      .that.is.at.least(0);
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).to.equal("main");
    const languages = page.locator("details.languages");
    await languages.locator("summary").focus();
    await page.keyboard.press("Enter");
    expect(await languages.locator("a[aria-current=page]").innerText()).to.equal("English");
    await page.keyboard.press("Escape");
    expect(await languages.getAttribute("open")).to.equal(null);
    await page.keyboard.press("Enter");
    await page.evaluate(`location.hash = "citing"`);
    await languages.getByRole("link", { name: "Deutsch" }).press("Enter");
    await page.waitForURL("**/developers/de#citing");
  });

  it("reads from the right in Arabic, the charts too", async () => {
    const page = await openPage("ar");
    const [name, dot] = [page.locator("#rates .name").first(), page.locator("#rates circle").first()];
    expect(await leftOf(name)).to.be.above(await leftOf(dot));
    expect(await leftOf(page.locator(".contents"))).to.be.above(await leftOf(page.locator("h1")));
    const [january, december] = [page.locator("#news .month").first(), page.locator("#news .month").last()];
    expect(await leftOf(january)).to.be.above(await leftOf(december));
    const direction = `getComputedStyle(document.querySelector(".hero pre")).direction`;
    expect(await page.evaluate(direction)).to.equal("ltr");
  });

  it("opens on a phone the table that a link leads to", async () => {
    const page = await openPage("en", { viewport: { width: 360, height: 740 } });
    expect(await page.locator("#schema-CountryRow").isVisible()).to.equal(false);
    await page.locator(`a[href="#schema-CountryRow"]`).first().click();
    await page.locator("#schema-CountryRow").waitFor();
  });

  it("moves nothing for those who ask for that", async () => {
    const behaviour = (page: Page) =>
      page.evaluate("getComputedStyle(document.documentElement).scrollBehavior");
    expect(await behaviour(await openPage("en", { reducedMotion: "reduce" }))).to.equal("auto");
    expect(await behaviour(await openPage("en", { reducedMotion: "no-preference" }))).to.equal("smooth");
  });

  it("can be read without JavaScript", async () => {
    const page = await openPage("en", { javaScriptEnabled: false });
    expect(await page.locator("noscript").innerText()).to.include("Without JavaScript");
    expect(await page.locator("#listCountries form button").isDisabled()).to.equal(true);
    expect(await page.locator("#schema-CountryRow").isVisible()).to.equal(true);
    expect(await page.locator("#listCountries .sample").count()).to.equal(3);
  });

  it("says so when the data cannot be read", async () => {
    const page = await openPage();
    await page.route("**/v1/**", (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        json: { detail: "PostgreSQL does not answer." },
      }),
    );
    await page.reload();
    await page.locator(SHOWN).waitFor();
    for (const chart of ["#rates", "#news"]) {
      expect(await page.locator(`${chart} .state`).innerText()).to.equal(
        "The data could not be read: PostgreSQL does not answer.",
      );
    }
  });
});

describe("the developer page in a browser: before any load", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();

  it("shows the commands that load data instead of empty charts", async () => {
    const { page, complaints } = await openDeveloperPage(browser, `${statistics.address}/developers/it`);
    expect(await page.locator("#never-loaded pre").innerText())
      .to.include("npm run statistics:load --")
      .and.to.include("npm run statistics:demo");
    for (const part of ["#rates", "#news", "#loaded", "#synthetic"]) {
      expect(await page.locator(part).isVisible(), part).to.equal(false);
    }
    expect(complaints).to.deep.equal([]);
  });
});

async function leftOf(place: { boundingBox(): Promise<{ readonly x: number } | null> }): Promise<number> {
  return (await place.boundingBox())?.x ?? Number.NaN;
}
