import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { GLASSWORKS, GLASSWORKS_TRANSLATED, OWN_GERMAN } from "../../support/work/glassworks.ts";

const TIMEOUT_MS = 120_000;
const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1_440, height: 900 };

describe("a translated passage in the browser", function () {
  this.timeout(TIMEOUT_MS);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });
  const browser = useBrowser();
  let path = "";

  before(async () => {
    const { document_id } = await engine.client.addDocument("glass.txt", GLASSWORKS, {
      title: "Glass of the duchy",
      source_url: "https://example.org/glass",
    });
    await engine.client.encoded([document_id]);
    const checkId = await engine.client.submit(`${OWN_GERMAN}\n\n${GLASSWORKS_TRANSLATED}\n\n${OWN_GERMAN}`);
    await engine.client.ended(checkId);
    path = `/checks/${checkId}`;
  });

  const openComparison = async (options: BrowserContextOptions) => {
    const opened = await browser.open(
      `${engine.client.base}${path}`,
      { reducedMotion: "reduce", ...options },
      [PROBES],
    );
    await opened.page.locator(".text").waitFor();
    await opened.page.keyboard.press("n");
    await opened.page.locator(".sentence-pairs").waitFor();
    return opened;
  };
  const pairOf = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });
  const isHighlighted = async (page: Page, text: string) => {
    const rows = `[...document.querySelectorAll(".sentence-pairs > li")]`;
    const colour = await page.evaluate<string>(
      `getComputedStyle(${rows}.find((row) => row.textContent.includes("${text}"))).backgroundColor`,
    );
    return colour !== "rgba(0, 0, 0, 0)";
  };

  it("names the source's language wherever the source is named", async () => {
    const { page, complaints } = await openComparison({ viewport: LAPTOP });
    await page.getByText("German (detected)").waitFor();
    await page.locator(".sources").getByText("1 passage, translated · in English").waitFor();
    const comparison = page.getByRole("region", { name: /Glass of the duchy/ });
    await comparison.getByText("translated from English").waitFor();
    await comparison.getByRole("heading", { name: /^Source, in English/ }).waitFor();
    await comparison.getByRole("link", { name: /Open the source/ }).waitFor();
    expect(await comparison.locator(".matching-words").textContent()).to.match(
      /^3 sentences of this text correspond to the source, which is in English\./,
    );
    expect(complaints).to.deep.equal([]);
  });

  it("puts sentences that correspond side by side, each in its language, and the others between them", async () => {
    const { page } = await openComparison({ viewport: LAPTOP });
    const rows = await page
      .locator(".sentence-pairs > li")
      .evaluateAll((all) =>
        all.map((row) =>
          [...row.querySelectorAll(".sentence-text")].map((side) => side.getAttribute("lang")),
        ),
      );
    expect(rows).to.deep.equal([["de", "en"], ["de", "en"], ["en"], ["de", "en"]]);
    await pairOf(page, "binnen eines Jahres")
      .getByText(/within a year\.$/)
      .waitFor();
    await page
      .locator(".unpaired")
      .getByText(/^A traveller from Uppsala/)
      .waitFor();
  });

  it("lists the names and numbers of both sides, and marks them in the sentences", async () => {
    const { page } = await openComparison({ viewport: LAPTOP });
    const words = await page
      .getByRole("list", { name: "Names, numbers and rare words on both sides" })
      .getByRole("listitem")
      .allTextContents();
    expect(words).to.include.members(["Brunnfeld", "1702"]);
    const first = pairOf(page, "Glashütte").locator("b");
    expect((await first.allTextContents()).filter((word) => word === "Brunnfeld")).to.have.length(2);
  });

  it("highlights both sentences of a pair under the pointer and with the focus", async () => {
    const { page } = await openComparison({ viewport: LAPTOP });
    expect(await isHighlighted(page, "Nordhang")).to.equal(false);
    await page.getByText("burned them to ash").hover();
    await expectSoon(() => isHighlighted(page, "Nordhang"), true);
    expect(await isHighlighted(page, "Glashütte")).to.equal(false);
    await page.mouse.move(5, 5);
    await page.locator(".comparison-body").focus();
    const reached: string[] = [];
    for (const _ of ["note", "link", "first", "second", "third"]) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate<string>("document.activeElement.textContent.slice(0, 6)"));
    }
    expect(reached).to.deep.equal(["", "Open t", "Pair 1", "Pair 2", "Pair 3"]);
    await expectSoon(() => isHighlighted(page, "binnen eines Jahres"), true);
    await expectSoon(() => isHighlighted(page, "Nordhang"), false);
  });

  it("explains each pair in words", async () => {
    const { page } = await openComparison({ viewport: LAPTOP });
    await page.getByRole("button", { name: "Why?" }).click();
    const why = page.locator(".why");
    await why.getByText("This passage was found by its meaning.").waitFor();
    await expectSoon(() => why.getByText(/^Pair \d: /).count(), 3);
    const pairs = await why.getByText(/^Pair \d: /).allTextContents();
    for (const line of pairs)
      expect(line).to.match(/^Pair \d: (far|clearly|somewhat) more alike than usual \(\+0\.\d\d\)$/);
  });

  for (const viewport of [LAPTOP, PHONE]) {
    it(`has no accessibility findings and keeps its layout: light or dark, ${viewport.width} wide`, async () => {
      const { page } = await openComparison({ viewport });
      await page.getByText("burned them to ash").hover();
      expect(await faultsInBothSchemes(page), "with a highlight").to.deep.equal([]);
      await page.getByRole("button", { name: "Why?" }).click();
      await page.getByText("Why this is reported").waitFor();
      await page.locator(".why li").first().waitFor();
      expect(await faultsInBothSchemes(page, "sticksOutOfPage"), "with the reasons").to.deep.equal([]);
    });
  }
});
