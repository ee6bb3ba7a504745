import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions } from "playwright-core";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { GLASSWORKS } from "../../support/work/glassworks.ts";
import { LIGHTHOUSES, OTHER_LIGHTHOUSES } from "../../support/work/lighthouses.ts";
import { prose } from "../../support/work/prose.ts";

const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1_440, height: 900 };

describe("the documents that came close, in the browser", function () {
  this.timeout(120_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });
  const browser = useBrowser();

  before(async () => {
    const documents = await Promise.all([
      engine.client.addDocument("lamps.txt", LIGHTHOUSES, { title: "Lamps of the north" }),
      engine.client.addDocument("glass.txt", GLASSWORKS, { title: "Glass of the duchy" }),
    ]);
    await engine.client.encoded(documents.map(({ document_id }) => document_id));
  });

  const openReport = async (text: string, options: BrowserContextOptions) => {
    const checkId = await engine.client.submit(text);
    await engine.client.ended(checkId);
    const opened = await browser.open(
      `${engine.client.base}/checks/${checkId}`,
      { reducedMotion: "reduce", ...options },
      [PROBES],
    );
    await opened.page.locator(".text").waitFor();
    return opened;
  };

  it("are listed with the reason, their text and the names that they lack, and lead to the text", async () => {
    const own = Array.from({ length: 9 }, (_, at) => prose(4_400 + at, 25)).join("\n\n");
    const text = `${own}\n\n${OTHER_LIGHTHOUSES}\n\n${GLASSWORKS}`;
    const { page, complaints } = await openReport(text, { viewport: { width: 1_440, height: 400 } });
    await page.getByText("Documents that came close").click();
    const item = page.locator(".came-close li");
    await item
      .getByText("Lamps of the north: similar in meaning, but not enough to count as reuse")
      .waitFor();
    expect(await item.count()).to.equal(1);
    await item.getByText("“On the coast of Maine the lamps").waitFor();
    await item
      .getByText("Names and numbers that this document lacks there: Maine, John, Reed, Boon, 1877, Ann, Hale")
      .waitFor();
    await item.getByRole("button", { name: /^Show in the text \(Lamps of the north\)$/ }).click();
    await page.waitForFunction("scrollY > 200");
    await expectSoon(() => page.evaluate("getSelection().toString()"), OTHER_LIGHTHOUSES);
    expect(complaints).to.deep.equal([]);
  });

  it("are none where no other document has a match", async () => {
    const { page } = await openReport(GLASSWORKS, { viewport: LAPTOP });
    await page.getByText("Documents that came close").click();
    await page.getByText("There is none: no document of the corpus is even close to this text.").waitFor();
  });

  for (const viewport of [LAPTOP, PHONE]) {
    it(`are open where there is no passage, have no accessibility findings and keep the layout: light or dark, ${viewport.width} wide`, async () => {
      const { page } = await openReport(OTHER_LIGHTHOUSES, { viewport });
      const summary = page.getByText("Documents that came close");
      if (!(await summary.isVisible())) await page.getByText("0 sources").click();
      await page.locator(".came-close li").first().waitFor();
      expect(await faultsInBothSchemes(page, "sticksOutOfPage")).to.deep.equal([]);
    });
  }
});
