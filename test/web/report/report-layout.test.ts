import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 120_000;
const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1_280, height: 900 };

describe("the report in a browser: layout, accessibility, paper", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  let checkId = "";

  before(async () => {
    const copies = Array.from({ length: 10 }, (_, index) => prose(index + 1, 40));
    for (const [index, copy] of copies.entries())
      await engine.client.addDocument(`${index}.txt`, [prose(90 + index, 60), copy, copies[0]].join("\n\n"), {
        title: index === 3 ? "Donaudampfschifffahrt".repeat(8) : `Source ${index} مقال`,
        source_url: `https://example.org/${"long/".repeat(20)}${index}`,
      });
    const own = copies.flatMap((copy, index) => [prose(50 + index, 40), `“${copy}”`]);
    const text = [...own, "The b\u0430nana \u200b\u200b", "W".repeat(400)].join("\n\n");
    checkId = await engine.client.submit(text, { title: "Donaudampfschifffahrt".repeat(9) });
    await engine.client.ended(checkId);
  });

  const openReport = async (options: BrowserContextOptions, query = "") => {
    const url = `${engine.client.base}/checks/${checkId}${query}`;
    const opened = await browser.open(url, { reducedMotion: "reduce", ...options }, [PROBES]);
    await opened.page.locator(".text").waitFor();
    return opened;
  };
  const probe = (page: Page, name: string) => page.evaluate<readonly string[]>(`probes.${name}()`);
  const compare = async (page: Page) => {
    await page.keyboard.press("n");
    await page.getByRole("button", { name: "Why?" }).click();
    await page.getByText("Why this is reported").waitFor();
    await page.locator(".matching-words").waitFor();
  };

  for (const viewport of [LAPTOP, PHONE]) {
    it(`has no accessibility findings, light or dark, ${viewport.width} wide`, async () => {
      const { page } = await openReport({ viewport });
      await page.evaluate("probes.openAll()");
      expect(await faultsInBothSchemes(page), "the report").to.deep.equal([]);
      await compare(page);
      expect(await faultsInBothSchemes(page), "with a comparison").to.deep.equal([]);
      await page.keyboard.press("Escape");
      await page.getByLabel("Exclude quotations").check();
      await page.locator(".score").getByText("Filtered").waitFor();
      expect(await faultsInBothSchemes(page), "filtered").to.deep.equal([]);
      await page.getByText("More", { exact: true }).click();
      expect(await faultsInBothSchemes(page), "with the menu").to.deep.equal([]);
      await page.getByRole("button", { name: "Shortcuts" }).click();
      expect(await faultsInBothSchemes(page), "with the keys").to.deep.equal([]);
    });
  }

  it("shows the first match at once on a wide screen, and after a swipe on a phone", async () => {
    const [first, second] = [prose(1, 80), prose(2, 80)];
    const text = [prose(31, 40), first, "The b\u0430nana.", prose(32, 150), second, prose(33, 140)];
    const checkId = await engine.client.submit(text.join("\n\n"), { title: "Seminar paper, second draft" });
    await engine.client.ended(checkId);
    for (const { viewport, swipe } of [
      { viewport: { width: 1_440, height: 900 }, swipe: 0 },
      { viewport: PHONE, swipe: 600 },
    ]) {
      const { page } = await browser.open(`${engine.client.base}/checks/${checkId}`, { viewport });
      const mark = page.locator(".text mark").first();
      await mark.waitFor();
      for (const notice of [
        "Signs of disguised text",
        "Translated and strongly reworded text was not looked for",
        "A match is not yet plagiarism",
      ])
        await page.getByText(notice, { exact: true }).waitFor();
      await page.evaluate(`scrollTo({ top: ${swipe}, behavior: "instant" })`);
      const isInView = async () => {
        const line = await mark.evaluate((one) => {
          const { top, bottom } = one.getClientRects()[0] ?? { top: Number.NaN, bottom: Number.NaN };
          return { top, bottom };
        });
        const bar = await page.locator(".passage-bar").boundingBox();
        return line.top > (bar?.y ?? 0) + (bar?.height ?? 0) && line.bottom < viewport.height;
      };
      await expectSoon(isInView, true, `${viewport.width} wide`);
    }
  });

  it("keeps its layout from a phone's width to a wide screen's", async () => {
    const { page } = await openReport({ viewport: PHONE });
    await page.evaluate("probes.openAll()");
    await compare(page);
    for (const width of [PHONE.width, 700, 1_000, 1_280, 1_900]) {
      await page.setViewportSize({ width, height: 800 });
      await expectSoon(() => probe(page, "sticksOutOfPage"), [], `at ${width}`);
    }
  });

  it("keeps a revealed passage clear of the bar above, and of the comparison beside or below", async () => {
    for (const viewport of [LAPTOP, PHONE]) {
      const { page } = await openReport({ viewport });
      for (let passage = 1; passage <= 8; passage++) {
        await page.keyboard.press("n");
        await page.locator(".passage-bar p").getByText(`Passage ${passage} of`).waitFor();
        // The page scrolls two frames after it has drawn.
        const isClear = async () => {
          const [mark, bar, comparison] = await Promise.all(
            [".text mark.chosen >> nth=0", ".passage-bar", ".comparison"].map((one) =>
              page.locator(one).boundingBox(),
            ),
          );
          if (mark == null || bar == null || comparison == null || mark.y < bar.y + bar.height - 1)
            return false;
          if (viewport === PHONE) return mark.y < comparison.y;
          return mark.y < viewport.height && mark.x + mark.width <= comparison.x;
        };
        await expectSoon(isClear, true, `passage ${passage}, ${viewport.width} wide`);
      }
    }
  });

  it("gives each text of a narrow comparison its whole width, one below the other", async () => {
    const { page } = await openReport({ viewport: LAPTOP });
    await compare(page);
    const whole = await page.locator(".sides").boundingBox();
    const texts = await page
      .locator(".side > *")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    expect(texts).to.have.lengthOf(8);
    for (const { left, width } of texts) {
      expect(left).to.be.closeTo(whole?.x ?? 0, 1);
      expect(width).to.be.closeTo(whole?.width ?? 0, 1);
    }
    const link = page.locator(".side-link");
    expect(await link.evaluate((one) => one.getClientRects().length)).to.equal(1);
  });

  it("gives the comparison the size that the reader chose, by mouse or keyboard, also the next time", async () => {
    for (const [viewport, side, grow, shrink] of [
      [LAPTOP, "width", "ArrowLeft", "ArrowRight"],
      [PHONE, "height", "ArrowUp", "ArrowDown"],
    ] as const) {
      const { page } = await openReport({ viewport });
      await compare(page);
      const handle = page.getByRole("separator", { name: "Size of the comparison" });
      const size = async () => (await page.locator(".comparison").boundingBox())?.[side] ?? 0;
      const before = await size();
      await handle.press(grow);
      await expectSoon(async () => (await size()) > before + 20, true, side);
      await handle.press(shrink);
      await expectSoon(async () => Math.abs((await size()) - before) <= 1, true, side);
      const box = await handle.boundingBox();
      const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(side === "width" ? x - 100 : x, side === "height" ? y - 100 : y, { steps: 3 });
      await page.mouse.up();
      await expectSoon(async () => Math.abs((await size()) - before - 100) <= 15, true, side);
      const dragged = await size();
      await page.reload();
      await page.locator(".comparison .compared").first().waitFor();
      await expectSoon(async () => Math.abs((await size()) - dragged) <= 1, true, side);
    }
  });

  it("prints completely: sources, every passage with its number, and no controls", async () => {
    const { page } = await openReport({ viewport: LAPTOP, colorScheme: "dark" });
    await compare(page);
    await page.emulateMedia({ media: "print" });
    for (const hidden of [
      ".comparison",
      ".filters",
      ".passage-bar",
      ".minimap",
      ".title-actions",
      ".site-header",
    ])
      expect(await page.locator(hidden).first().isVisible(), hidden).to.equal(false);
    expect(await page.locator(".source").last().isVisible()).to.equal(true);
    const blocks = await page
      .locator(".block > mark")
      .evaluateAll((all) => all.map((block) => block.checkVisibility({ contentVisibilityAuto: true })));
    expect(blocks).to.not.include(false);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.subarray(0, 5).toString()).to.equal("%PDF-");
  });
});
