import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { addLongCheck } from "../../support/work/long-check.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 240_000;
const PARAGRAPH_CHARS = 100_000;
const PLACES = [0, 0.13, 0.5, 0.87, 1, 0.3, 0];

describe("the longest report in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  let long: { readonly checkId: string; readonly text: string };

  before(async function () {
    this.timeout(TIMEOUT_MS);
    long = await addLongCheck(engine.client);
  });

  const openReport = async (checkId: string, hash = "") => {
    const { page } = await browser.open(`${engine.client.base}/checks/${checkId}${hash}`);
    await page.locator(".text").waitFor();
    return page;
  };
  const checked = async (text: string) => {
    const checkId = await engine.client.submit(text);
    await engine.client.ended(checkId);
    return openReport(checkId);
  };

  it("contains all of its text, and lays out only blocks near the viewport", async () => {
    const page = await openReport(long.checkId);
    await untilDrawn(page);
    expect(await page.locator(".text").textContent()).to.equal(long.text);
    expect(await page.locator(".text a.number").count()).to.be.above(3_000);
    const laidOut = await page
      .locator(".block > mark:first-of-type")
      .evaluateAll(
        (marks) => marks.filter((mark) => mark.checkVisibility({ contentVisibilityAuto: true })).length,
      );
    expect(laidOut).to.be.within(1, 20);
  });

  it("shows text wherever the reader jumps to", async () => {
    const page = await openReport(long.checkId);
    await untilDrawn(page);
    for (const place of PLACES) await untilTextAt(page, place);
  });

  it("has no gaps while scrolling a window's height per frame", async () => {
    const page = await openReport(long.checkId);
    await untilDrawn(page);
    await untilTextAt(page, 0.4);
    const gaps = await page.evaluate<number>(`(async () => {
      let gaps = 0;
      for (let step = 0; step < 60; step++) {
        scrollBy({ top: innerHeight, behavior: "instant" });
        if (${TEXT_IN_VIEW} === "") gaps++;
        await ${NEXT_FRAME};
      }
      return gaps;
    })()`);
    expect(gaps).to.equal(0);
  });

  it("is searchable by the browser down to its last words", async () => {
    const page = await openReport(long.checkId);
    await untilDrawn(page);
    const last = long.text.trim().split(/\s+/).slice(-4).join(" ");
    expect(await page.evaluate<boolean>(`find(${JSON.stringify(last)})`)).to.equal(true);
    expect(await page.evaluate<string>("getSelection().toString()")).to.equal(last);
  });

  it("opens at a linked passage near its end and continues from there", async () => {
    const { sources } = await engine.client.report(long.checkId);
    const last = sources
      .flatMap(({ source_document_id: id, passages }, order) =>
        passages.map((one) => ({ id, order, ...one })),
      )
      .toSorted((a, b) => b.query_start - a.query_start || b.order - a.order)[0];
    const page = await openReport(long.checkId, `#q${last?.query_start}-${last?.query_end}-${last?.id}`);
    await page.locator(".comparison .compared").first().waitFor();
    await untilDrawn(page);
    const chosen = page.locator(".text mark.chosen").first();
    while (!(await isInView(page, chosen))) await page.waitForTimeout(20);
    await page.keyboard.press("n");
    await page.locator(".passage-bar p").getByText("Passage 1 of").waitFor();
    while (!(await isInView(page, page.locator(".text mark.chosen").first()))) await page.waitForTimeout(20);
  });

  it("handles a single paragraph and a word of 100,000 letters", async () => {
    const paragraph = await checked(long.text.slice(0, PARAGRAPH_CHARS).replaceAll("\n", " "));
    await untilDrawn(paragraph);
    for (const place of PLACES) await untilTextAt(paragraph, place);
    const word = await checked(`${prose(1, 20)} ${"a".repeat(100_000)} ${prose(2, 20)}`);
    await untilDrawn(word);
    expect(await word.evaluate("document.documentElement.scrollWidth <= innerWidth")).to.equal(true);
    expect(await untilTextAt(word, 0.5)).to.match(/^a+$/);
  });
});

/** All blocks have their text; the last ones follow a moment after the first. */
async function untilDrawn(page: Page): Promise<void> {
  while (!(await page.evaluate(`document.querySelector(".block:last-child")?.textContent !== ""`)))
    await page.waitForTimeout(20);
}

/** In the browser: the text of the block in the middle of the window, empty while it is not laid out. */
const TEXT_IN_VIEW = `(() => {
  const block = [...document.querySelectorAll(".block")].find((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top <= innerHeight / 2 && bottom > innerHeight / 2;
  });
  const part = block?.firstElementChild;
  const isLaidOut = part == null || part.checkVisibility({ contentVisibilityAuto: true });
  return isLaidOut ? (block?.textContent ?? "") : "";
})()`;

const NEXT_FRAME = "new Promise((done) => requestAnimationFrame(done))";

/** Scrolls to a share of the page's height, and waits until text stands in view: a leap is laid out in the frame after its own. */
async function untilTextAt(page: Page, place: number): Promise<string> {
  await page.evaluate(`(() => {
    const text = document.querySelector(".text").getBoundingClientRect();
    scrollTo({ top: scrollY + text.top + (text.height - innerHeight) * ${place}, behavior: "instant" });
  })()`);
  for (;;) {
    const text = await page.evaluate<string>(TEXT_IN_VIEW);
    if (text.length > 20) return text;
    await page.evaluate(NEXT_FRAME);
  }
}

async function isInView(page: Page, mark: ReturnType<Page["locator"]>): Promise<boolean> {
  const box = await mark.boundingBox();
  return box !== null && box.y > 0 && box.y < (page.viewportSize()?.height ?? 0);
}
