import { expect } from "chai";
import type { BrowserContextOptions, Page, Route } from "playwright-core";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openPage as openAndWait, untilShown } from "./open-page.ts";

const TIMEOUT_MS = 120_000;

describe("exploring the rates in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = async (path: string, options: BrowserContextOptions = {}) => {
    const { page, complaints } = await openAndWait(browser, `${statistics.address}${path}`, options);
    return { page, complaints };
  };

  it("shows the rates on a map, which the keyboard goes through from rate to rate", async () => {
    const { page, complaints } = await openPage("/story/en?countries.view=map");
    const countries = page.locator("#countries svg.map a");
    expect(await countries.count()).to.equal(22);
    expect(await countries.first().getAttribute("aria-label")).to.match(
      /^France: [\d.]+ \([\d.]+ to [\d.]+\)$/,
    );
    for (const shade of [0, 1, 2, 3, 4])
      expect(await page.locator(`#countries a.shade-${shade}`).count(), `shade ${shade}`).to.be.within(4, 5);
    // Only one country is in the order of the tab key; the arrows lead to the others.
    expect(await page.locator("#countries svg.map a[tabindex='0']").count()).to.equal(1);
    await countries.first().focus();
    await page.keyboard.press("ArrowRight");
    const second = await countries.nth(1).getAttribute("aria-label");
    await expectSoon(() => page.evaluate("document.activeElement.getAttribute('aria-label')"), second);
    await expectSoon(() => page.locator("#countries .pointed").innerText(), second ?? "");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/countries\/[A-Z]{2}\/en/);
    expect(complaints).to.deep.equal([]);
  });

  it("shows a funnel plot with the limits of chance", async () => {
    const { page } = await openPage("/story/de?disciplines.view=funnel");
    expect(await page.locator("#disciplines svg circle").count()).to.equal(26);
    expect(await page.locator("#disciplines svg path.limit").count()).to.equal(4);
    expect(await page.locator("#disciplines .legend .limits").isVisible()).to.equal(true);
    expect(await page.locator("#disciplines .legend .reach").isVisible()).to.equal(false);
  });

  it("draws every interval whole: no whisker is cut", async () => {
    const { page } = await openPage("/story/en?countries.sort=rate");
    for (const table of ["countries", "institutions", "disciplines"]) {
      const rows = await page.locator(`#${table} svg .row`).count();
      // The line of an interval and the marks of its two ends.
      expect(await page.locator(`#${table} svg .interval`).count(), table).to.equal(3 * rows);
      const ends = await page
        .locator(`#${table} svg .interval`)
        .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute("x2"))));
      const width = Number(await page.locator(`#${table} svg`).getAttribute("width"));
      expect(Math.max(...ends), table).to.be.below(width);
    }
  });

  it("keeps the choices of a chart in the address, and shows them again", async () => {
    const { page } = await openPage("/story/en");
    await page.locator("#countries select[name=from]").selectOption("2014");
    await page.locator("#countries input[name=stable]").check();
    await page.locator("#countries select[name=region]").selectOption("asia");
    await untilShown(page, "#countries");
    const { search, hash } = await addressOf(page);
    expect(hash).to.equal("#countries");
    expect(new URLSearchParams(search).toString()).to.equal(
      "countries.from=2014&countries.region=asia&countries.stable=true",
    );
    const names = await page.locator("#countries svg .name").allTextContents();
    expect(names).to.have.length.within(1, 10);
    const again = await openPage(`/story/en${search}`);
    expect(await again.page.locator("#countries svg .name").allTextContents()).to.deep.equal(names);
    expect(await again.page.locator("#countries input[name=stable]").isChecked()).to.equal(true);
    const strange = await openPage("/story/en?countries.from=1066&countries.view=sphere&x=y");
    expect(await strange.page.locator("#countries svg .row").count()).to.equal(20);
  });

  it("shows the last choice when the answer of an earlier one comes later", async () => {
    const { page } = await openPage("/story/en");
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The outlines of the map, and the answers for the first three lines.
    let lines = 0;
    const holdIf = (isHeld: () => boolean) => async (route: Route) => {
      if (isHeld()) await released;
      await route.continue();
    };
    await page.route(
      /world-map/,
      holdIf(() => true),
    );
    await page.route(
      /v1\/country\//,
      holdIf(() => ++lines <= 3),
    );
    const view = page.locator("#countries select[name=view]");
    await view.selectOption("map");
    await view.selectOption("list");
    await page.locator("#trends select[name=country2]").selectOption("JP");
    await page.locator("#trends select[name=country3]").selectOption("");
    await untilShown(page, "#countries");
    await untilShown(page, "#trends");
    const drawn = () =>
      page.locator("#countries svg, #trends svg").evaluateAll((all) => all.map(({ innerHTML }) => innerHTML));
    const last = await drawn();
    expect(await page.locator("#trends svg .line").count()).to.equal(2);
    const answered = page.waitForResponse(/world-map/);
    release();
    await answered;
    await page.waitForLoadState("networkidle");
    expect(await drawn()).to.deep.equal(last);
    expect(await page.locator("#countries svg.map").count()).to.equal(0);
  });

  it("may be shown by another page in a frame, one chart alone", async () => {
    const plain = await statistics.request("/story/en");
    expect(plain.headers.get("x-frame-options")).to.equal("DENY");
    const framed = await statistics.request("/story/en?embed=news");
    expect(framed.headers.get("x-frame-options")).to.equal(null);
    expect(framed.headers.get("content-security-policy")).not.to.include("frame-ancestors");
    const { page } = await openPage("/story/en?countries.region=asia");
    await page.locator("#countries .embed summary").click();
    const code = await page.locator("#countries .embed code").innerText();
    const address = /src="([^"]+)"/.exec(code)?.[1] ?? "";
    expect(address).to.include("countries.region=asia").and.to.include("embed=countries");
    const embedded = await browser.open(address);
    await embedded.page.locator("#countries svg .row").first().waitFor();
    expect(await embedded.page.locator("h1").isVisible()).to.equal(false);
    expect(await embedded.page.locator("#news").isVisible()).to.equal(false);
    expect(await embedded.page.locator("#countries").isVisible()).to.equal(true);
  });

  it("compares some countries over time", async () => {
    const { page } = await openPage("/story/en");
    expect(await page.locator("#trends svg .line").count()).to.equal(3);
    await page.locator("#trends select[name=country1]").selectOption("DE");
    await page.locator("#trends select[name=country3]").selectOption("");
    await page.locator("#trends select[name=country2]").selectOption("JP");
    await untilShown(page, "#trends");
    expect(await page.locator("#trends svg [class^=line-] > .label").allTextContents()).to.deep.equal([
      "Germany",
      "Japan",
    ]);
    expect((await addressOf(page)).href).to.include(
      "trends.country1=DE&trends.country2=JP&trends.country3=#trends",
    );
    await page.locator("#trends summary").first().click();
    expect(await page.locator("#trends tbody tr").count()).to.equal(20);
  });

  it("has pages of institutions and disciplines, with the count before the rank", async () => {
    const { page } = await openPage("/story/en");
    await page.locator("#institutions details.figures summary").click();
    await page.locator("#institutions tbody a").first().click();
    await page.waitForURL(/\/institutions\/0syn[0-9a-z]{5}\/en/);
    await page.locator("h1", { hasText: "Synthetic University" }).waitFor();
    const terms = await page.locator(".key-figures dt").allInnerTexts();
    expect(terms[0]).to.equal("Papers");
    expect(terms.indexOf("Rank")).to.be.above(terms.indexOf("Rate"));
    expect(await page.locator("[data-figure=range]").innerText()).to.match(/^\d+–\d+$/);
    expect(await page.locator("#years svg .bar").count()).to.equal(10);
    const medicine = await openPage("/disciplines/27/ja");
    expect(await medicine.page.locator("h1").innerText()).to.equal("医学");
    expect(await medicine.page.locator("#years svg .bar").count()).to.equal(10);
    expect(medicine.complaints).to.deep.equal([]);
  });
});

/** The address that the page has now: that of Playwright follows a moment later. */
async function addressOf(page: Page): Promise<URL> {
  return new URL(await page.evaluate<string>("location.href"));
}
