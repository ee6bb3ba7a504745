import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions } from "playwright-core";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { expectLayout, PAGES, PHONE, WIDER_LANGUAGES } from "./expect-layout.ts";
import { openPage as openAndWait, SHOWN } from "./open-page.ts";

const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");

/** The pages are laid out anew many times, on machines that have other things to do. */
const LAYOUT_TIMEOUT_MS = 240_000;

/** A tablet between the two layouts, and a laptop. */
const WIDER = [
  { width: 800, height: 1_000 },
  { width: 1_280, height: 900 },
];

describe("the statistics pages in a browser: layout and accessibility", function () {
  this.timeout(LAYOUT_TIMEOUT_MS);
  const browser = useBrowser();
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  const openPage = (path: string, options: BrowserContextOptions) =>
    openAndWait(browser, `${statistics.address}${path}`, options, [PROBES]);

  for (const tag of WIDER_LANGUAGES)
    it(`keep their layout in ${tag}`, () => expectLayout(openPage, tag, [PHONE, ...WIDER]));

  it("would show a layout that breaks", async () => {
    const { page } = await openPage("/story/en", { viewport: PHONE });
    const lines = await page.evaluate<readonly string[]>(`(() => {
      document.querySelector("h1").textContent = "W".repeat(40);
      document.querySelector("h1").style.overflowWrap = "normal";
      const [one, other] = document.querySelectorAll("#countries .name");
      other.setAttribute("y", one.getAttribute("y"));
      return [...probes.sticksOutOfPage(), ...probes.runsOutOfBox(), ...probes.overlapsInDrawings()];
    })()`);
    expect(lines.join("\n"))
      .to.match(/^the page is \d+ wide, not 360$/m)
      .and.to.match(/^runs out of its box: <h1/m)
      .and.to.match(/ lies upon /);
  });

  // A language changes no colours and no roles: two languages are checked on every page, the others on the longest pages.
  const pathsIn = (tag: string) =>
    ["en", "ar"].includes(tag)
      ? [...PAGES.map((pathIn) => pathIn(tag)), `/news/${tag}`]
      : [`/story/${tag}`, `/developers/${tag}`];
  for (const tag of ["en", "ar", "ja", "hi"]) {
    it(`have nothing that axe finds, light or dark, in ${tag}`, async () => {
      for (const path of pathsIn(tag)) {
        const { page } = await openPage(path, { viewport: PHONE });
        await page.evaluate("probes.openAll()");
        await page.locator("details.languages summary").click();
        if (path.startsWith("/developers")) {
          await page.locator("#listCountries form button").click();
          await page.locator("#listCountries form .body").waitFor();
        }
        expect(await faultsInBothSchemes(page), path).to.deep.equal([]);
        await page.close();
      }
    });
  }

  it("have nothing that axe finds, light or dark, where there is no such page", async () => {
    const { page } = await openPage("/story/en", { viewport: PHONE });
    expect((await page.goto(`${statistics.address}/countries/XK`))?.status()).to.equal(404);
    await page.locator(SHOWN).waitFor();
    expect(await faultsInBothSchemes(page)).to.deep.equal([]);
  });
});
