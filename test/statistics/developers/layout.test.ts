import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions } from "playwright-core";
import { LANGUAGES } from "../../../src/statistics/developers/languages.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { openDeveloperPage } from "./open-developer-page.ts";

const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The page is laid out anew many times, on machines that have other things to do. */
const LAYOUT_TIMEOUT_MS = 120_000;

/** A small phone, a tablet between the two layouts, a laptop. */
const PHONE = { width: 360, height: 740 };
const WIDER = [
  { width: 800, height: 1_000 },
  { width: 1_280, height: 900 },
];

describe("the developer page in a browser: layout and accessibility", function () {
  this.timeout(LAYOUT_TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = (tag: string, options: BrowserContextOptions) =>
    openDeveloperPage(browser, `${statistics.address}/developers/${tag}`, options, [PROBES, AXE]);

  for (const { tag, name } of LANGUAGES) {
    it(`keeps its layout in ${name}, from a phone's width to a laptop's`, async () => {
      const { page, complaints } = await openPage(tag, { viewport: PHONE });
      const probe = (name: string) => page.evaluate<readonly string[]>(`probes.${name}()`);
      const look = async () => [
        ...(await probe("sticksOutOfPage")),
        ...(await probe("runsOutOfBox")),
        ...(await probe("overlapsInDrawings")),
      ];
      expect(await look(), "on a phone").to.deep.equal([]);
      await page.evaluate("probes.openAll()");
      expect(await look(), "on a phone, all opened").to.deep.equal([]);
      for (const size of WIDER) {
        await page.setViewportSize(size);
        await page.evaluate("probes.untilDrawn()");
        await page.locator("details.languages summary").click();
        expect(await look(), `at ${size.width}`).to.deep.equal([]);
        await page.keyboard.press("Escape");
      }
      expect(await page.evaluate("document.fonts.status")).to.equal("loaded");
      expect(complaints).to.deep.equal([]);
    });
  }

  it("would find a layout that breaks", async () => {
    const { page } = await openPage("en", { viewport: PHONE });
    const lines = await page.evaluate<readonly string[]>(`(() => {
      document.querySelector("h1").textContent = "W".repeat(40);
      document.querySelector("h1").style.overflowWrap = "normal";
      const [one, other] = document.querySelectorAll("#rates .name");
      other.setAttribute("y", one.getAttribute("y"));
      return [...probes.sticksOutOfPage(), ...probes.runsOutOfBox(), ...probes.overlapsInDrawings()];
    })()`);
    expect(lines.join("\n"))
      .to.match(/^the page is \d+ wide, not 360$/m)
      .and.to.match(/^runs out of its box: <h1/m)
      .and.to.match(/ lies upon /);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    for (const tag of ["en", "ar", "ja", "hi"]) {
      it(`has nothing that axe finds, ${colorScheme}, in ${tag}`, async () => {
        const { page } = await openPage(tag, { viewport: PHONE, colorScheme });
        await page.evaluate("probes.openAll()");
        await page.locator("details.languages summary").click();
        await page.locator("#listCountries form button").click();
        await page.locator("#listCountries form .body").waitFor();
        expect(await page.evaluate("probes.accessibilityFaults()")).to.deep.equal([]);
      });
    }
  }
});
