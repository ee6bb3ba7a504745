import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 180_000;

/** How far the same line may stand apart in both texts, whose lines differ in width: about two lines. */
const LEVEL_PX = 60;

/** Where the wheel brings a line. */
const SCROLLED_TO_PX = 300;

const COPIED = [prose(701, 220), prose(702, 160)] as const;
const TEXT = [prose(711, 120), COPIED[0], prose(712, 500), COPIED[1], prose(713, 400)].join("\n\n");
const SOURCE = [prose(714, 700), COPIED[0], prose(715, 150), COPIED[1], prose(716, 900)].join("\n\n");

describe("the whole source beside the text", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  let checkId = "";

  before(async () => {
    await engine.client.addDocument("source.txt", SOURCE, { title: "The source" });
    checkId = await engine.client.submit(TEXT);
    await engine.client.ended(checkId);
  });

  const openSource = async (viewport: { width: number; height: number }) => {
    const { page } = await browser.open(`${engine.client.base}/checks/${checkId}`, {
      viewport,
      reducedMotion: "reduce",
    });
    await page.locator(".text mark").first().click();
    await page.getByRole("button", { name: "Whole source" }).click();
    await page.locator(".source-text mark.chosen").first().waitFor();
    return page;
  };
  const wheel = async (page: Page, over: string, y: number) => {
    await page.locator(over).hover({ position: { x: 20, y: 20 } });
    await page.mouse.wheel(0, y);
  };

  it("begins level with the passage, and both follow each other within a passage", async () => {
    const page = await openSource({ width: 1_440, height: 900 });
    await expectSoon(() => page.locator(".source-text").textContent(), SOURCE);
    await untilLevel(page, wordsOf(COPIED[0], 0));
    const later = wordsOf(COPIED[0], 150);
    await page.mouse.move(500, 600);
    await page.mouse.wheel(0, (await topOf(page, ".text", later)) - SCROLLED_TO_PX);
    await untilLevel(page, later, SCROLLED_TO_PX + LEVEL_PX);
    const inSecond = wordsOf(COPIED[1], 60);
    await wheel(page, ".comparison-body", (await topOf(page, ".source-text", inSecond)) - SCROLLED_TO_PX);
    await untilLevel(page, inSecond, SCROLLED_TO_PX + LEVEL_PX);
    const before = await page.evaluate<number>("scrollY");
    await page.mouse.wheel(0, 1_500);
    await page.waitForFunction("document.querySelector('.comparison-body').scrollTop > 2000");
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))",
    );
    const moved = Math.abs((await page.evaluate<number>("scrollY")) - before);
    expect(moved, "the text stays within the passage").to.be.below(900);
  });

  it("follows the text on a phone, where it stands below", async () => {
    const page = await openSource({ width: 360, height: 740 });
    const later = wordsOf(COPIED[0], 120);
    await page.mouse.move(150, 200);
    await page.mouse.wheel(0, (await topOf(page, ".text", later)) - 160);
    const view = await page.locator(".comparison-body").boundingBox();
    for (;;) {
      const top = await topOf(page, ".source-text", later);
      if (top > (view?.y ?? 0) && top < (view?.y ?? 0) + (view?.height ?? 0)) break;
      await page.waitForTimeout(50);
    }
  });
});

/** A few words of a passage, from the given one on. */
function wordsOf(passage: string, from: number): string {
  return passage
    .split(" ")
    .slice(from, from + 4)
    .join(" ");
}

/** Where a piece of a text stands in the window. */
function topOf(page: Page, container: string, words: string): Promise<number> {
  return page.evaluate<number>(`(() => {
    const walker = document.createTreeWalker(document.querySelector("${container}"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.nodeValue.indexOf("${words}");
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().top;
    }
    throw new Error("“${words}” is not in the text");
  })()`);
}

/** @param bottom where the line stands at the latest: before the wheel has an effect, it may be level further down. */
async function untilLevel(page: Page, words: string, bottom = 900): Promise<void> {
  for (let before = Number.NaN; ; ) {
    const [one, other] = [await topOf(page, ".text", words), await topOf(page, ".source-text", words)];
    // Both stand still: the next step is measured from here.
    if (Math.abs(one - other) <= LEVEL_PX && one > 0 && one < bottom && one === before) return;
    before = one;
    await page.waitForTimeout(50);
  }
}
