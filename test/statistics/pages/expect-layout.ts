import { expect } from "chai";
import type { BrowserContextOptions, ViewportSize } from "playwright-core";
import type { OpenPage } from "../../support/browser/use-browser.ts";

export const PHONE: ViewportSize = { width: 360, height: 740 };

/** A language of long words, one from right to left, and one without spaces. */
export const WIDER_LANGUAGES = ["de", "ar", "ja"];

/** The news have the layout of the cases. */
export const PAGES: readonly ((tag: string) => string)[] = [
  (tag) => `/story/${tag}`,
  (tag) => `/countries/DE/${tag}`,
  (tag) => `/disciplines/27/${tag}`,
  (tag) => `/story/${tag}?countries.view=map&institutions.view=funnel&disciplines.view=funnel`,
  (tag) => `/cases/${tag}`,
  (tag) => `/developers/${tag}`,
];

type Open = (path: string, options: BrowserContextOptions) => Promise<OpenPage>;

/** Looks at all pages in one language: closed and opened at the first size, closed with the list of languages at the others. */
export async function expectLayout(
  open: Open,
  tag: string,
  sizes: readonly [ViewportSize, ...ViewportSize[]],
) {
  const [first, ...others] = sizes;
  for (const path of PAGES.map((pathIn) => pathIn(tag))) {
    const { page, complaints } = await open(path, { viewport: first });
    const probe = (name: string) => page.evaluate<readonly string[]>(`probes.${name}()`);
    const look = async () => [
      ...(await probe("sticksOutOfPage")),
      ...(await probe("runsOutOfBox")),
      ...(await probe("overlapsInDrawings")),
    ];
    expect(await look(), `${path} at ${first.width}`).to.deep.equal([]);
    await page.evaluate("probes.openAll()");
    expect(await look(), `${path} at ${first.width}, all opened`).to.deep.equal([]);
    for (const size of others) {
      await page.setViewportSize(size);
      await page.evaluate("probes.untilDrawn()");
      await page.locator("details.languages summary").click();
      expect(await look(), `${path} at ${size.width}`).to.deep.equal([]);
      await page.keyboard.press("Escape");
    }
    expect(await page.evaluate("document.fonts.status")).to.equal("loaded");
    expect(complaints).to.deep.equal([]);
    await page.close();
  }
}
