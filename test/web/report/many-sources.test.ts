import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 120_000;
const SOURCES = 18;

/** What a mark looks like, without its number. */
const LOOKS = `[...new Set([...document.querySelectorAll("mark")].map((mark) => {
  const { backgroundColor, backgroundImage } = getComputedStyle(mark);
  return backgroundColor + " " + backgroundImage;
}))]`;

describe("a report with more sources than colours", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  let checkId = "";
  const ids: string[] = [];

  before(async () => {
    const copies = Array.from({ length: SOURCES }, (_, at) => prose(at + 1, 30));
    for (const [at, copy] of copies.entries()) {
      const fields = {
        title: `Source ${at + 1}`,
        ...(at === 0 && { source_url: "https://example.org/one" }),
      };
      const added = await engine.client.addDocument(`${at}.txt`, `${copy} ${prose(100 + at, 40)}`, fields);
      ids.push(added.document_id);
    }
    const { check_id, sources } = await engine.client.checked(copies.join("\n\n"));
    expect(sources).to.have.lengthOf(SOURCES);
    checkId = check_id;
  });

  const looksOn = (page: Page) => page.evaluate<string[]>(LOOKS);

  for (const colorScheme of ["light", "dark"] as const) {
    it(`marks each source in its own way, by colour and pattern: ${colorScheme}`, async () => {
      const { page, complaints } = await browser.open(`${engine.client.base}/checks/${checkId}`, {
        colorScheme,
      });
      await page.locator(".text mark").first().waitFor();
      expect(await looksOn(page)).to.have.lengthOf(SOURCES);
      const numbers = await page.evaluate<string[]>(
        "[...document.querySelectorAll('.text .number')].map((one) => one.dataset.number)",
      );
      expect(new Set(numbers).size).to.equal(SOURCES);
      await page.goto(`${engine.client.base}/v1/checks/${checkId}/report.html`);
      expect(await looksOn(page)).to.have.lengthOf(SOURCES);
      await page.getByText("From source 9 on, the colours begin again with a pattern.").waitFor();
      expect(complaints).to.deep.equal([]);
    });
  }

  it("shows in the bar, on the map and in boxes which source it is, by colour and pattern, with its name", async () => {
    const { page } = await browser.open(`${engine.client.base}/checks/${checkId}`);
    await page.locator(".minimap rect title").first().waitFor({ state: "attached" });
    const looks = (selector: string) =>
      page.locator(selector).evaluateAll((all) =>
        all.map((one) => {
          const style = one.ownerDocument.defaultView?.getComputedStyle(one);
          return [style?.backgroundColor, style?.backgroundImage, style?.fill, style?.strokeDasharray].join(
            " ",
          );
        }),
      );
    for (const selector of [".source-bar span", ".source .number-box", ".minimap rect[class^=c]"])
      expect(new Set(await looks(selector)).size, selector).to.equal(SOURCES);
    const bar = await page
      .locator(".source-bar span")
      .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
    const map = await page.locator(".minimap rect title").allTextContents();
    expect(new Set(bar)).to.deep.equal(new Set(map));
    expect(bar).to.have.lengthOf(SOURCES);
    for (const title of bar) expect(title).to.match(/^Source \d+: Source \d+$/);
  });

  it("leads from a source to its page in the corpus, beside the address where it is published", async () => {
    const { page } = await browser.open(`${engine.client.base}/checks/${checkId}`);
    const first = page.getByRole("link", { name: "Open in the corpus (Source 1)", exact: true });
    await first.waitFor();
    expect(await page.getByRole("link", { name: /^Open in the corpus \(Source \d+\)$/ }).count()).to.equal(
      SOURCES,
    );
    await page.getByRole("link", { name: /^example\.org/ }).waitFor();
    await first.click();
    await page.getByRole("heading", { name: "Source 1" }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/corpus/${ids[0]}`);
  });
});
