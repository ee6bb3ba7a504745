import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openPage as openAndWait } from "./open-page.ts";

const TIMEOUT_MS = 120_000;

describe("the developer page in a browser: with data", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = async (path = "en", options: BrowserContextOptions = {}) =>
    (await openAndWait(browser, `${statistics.address}/developers/${path}`, options)).page;

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

  it("says that the set is synthetic", async () => {
    const page = await openPage("de");
    await page.locator("#synthetic").waitFor();
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
    const page = await openPage("en#answers");
    await page.evaluate("document.body.focus()");
    await page.locator("a.skip").focus();
    expect(await page.locator("a.skip").boundingBox())
      .to.have.property("y")
      .that.is.at.least(0);
    await page.keyboard.press("Enter");
    await expectSoon(() => page.evaluate("document.activeElement.id"), "main");
    const languages = page.locator("details.languages");
    await languages.locator("summary").focus();
    await page.keyboard.press("Enter");
    expect(await languages.locator("a[aria-current=page]").innerText()).to.equal("English");
    await page.keyboard.press("Escape");
    expect(await languages.getAttribute("open")).to.equal(null);
    await page.keyboard.press("Enter");
    await page.evaluate(`location.hash = "answers"`);
    await languages.getByRole("link", { name: "Deutsch" }).press("Enter");
    await page.waitForURL("**/developers/de#answers");
  });

  it("opens on a phone the table that a link leads to", async () => {
    const page = await openPage("en", { viewport: { width: 360, height: 740 } });
    expect(await page.locator("#schema-CountryRow").isVisible()).to.equal(false);
    await page.locator(`a[href="#schema-CountryRow"]`).first().click();
    await page.locator("#schema-CountryRow").waitFor();
  });

  it("has its examples from left to right in Arabic", async () => {
    const page = await openPage("ar");
    const direction = `getComputedStyle(document.querySelector(".hero pre")).direction`;
    expect(await page.evaluate(direction)).to.equal("ltr");
  });

  it("links to the counting rules, the limits and the licence, which the story has", async () => {
    const page = await openPage("de");
    for (const part of ["counting", "caution", "citing"]) {
      await page.goto(`${statistics.address}/developers/de`);
      await page.locator(`#more a[href="/story/de#${part}"]`).click();
      await page.locator(`#${part} h2`).waitFor();
    }
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
});
