import type { Browser, Page } from "playwright-core";

/** A median over all rounds. */
export type PageFigure = { readonly name: string; readonly ms: number };

const VIEWPORT = { width: 1_280, height: 900 };

/** Measures a report page, opened again in each round. */
export async function reportPageFigures(
  browser: Browser,
  url: string,
  rounds: number,
): Promise<PageFigure[]> {
  const measured = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.addInitScript(NOTE_FIRST_TEXT);
    const answer = await page.goto(url);
    if (answer?.ok() !== true) throw new Error(`${url} answered ${answer?.status()}; are the pages built?`);
    for (const [name, ms] of Object.entries(await roundOf(page)))
      measured.set(name, [...(measured.get(name) ?? []), ms]);
    await context.close();
  }
  return [...measured].map(([name, values]) => ({ name, ms: median(values) }));
}

async function roundOf(page: Page): Promise<Readonly<Record<string, number>>> {
  await until(page, "globalThis.firstText > 0");
  await until(page, `document.querySelector(".block:last-child").textContent !== ""`);
  const opened = await page.evaluate<Readonly<Record<string, number>>>(OPENED);
  const frames = await page.evaluate<readonly number[]>(SCROLLED);
  return {
    ...opened,
    "slowest of 120 frames of scrolling, 700 px each": Math.max(...frames),
    "half of these frames take no more than": median(frames),
    "a leap to the middle, until it is drawn": await page.evaluate<number>(LEAP),
    "the key n, until the next passage is drawn": await page.evaluate<number>(NEXT),
  };
}

async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate<boolean>(condition))) await page.waitForTimeout(20);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** When the first block of the text has been painted, in milliseconds from the start of the navigation. */
const NOTE_FIRST_TEXT = `new MutationObserver((_, observer) => {
  if (document.querySelector(".block") === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.firstText = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

const OPENED = `(() => {
  const report = performance.getEntriesByType("resource").find(({ name }) => name.includes("/report?"));
  return {
    "first paint, from the start of the navigation": performance.getEntriesByName("first-contentful-paint")[0].startTime,
    "the service's answer with the report, of that": report.responseEnd - report.startTime,
    "the text is painted, from the start of the navigation": globalThis.firstText,
    "from the service's answer to the text": globalThis.firstText - report.responseEnd,
  };
})()`;

const PAINTED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";

const SCROLLED = `(async () => {
  const frames = [];
  for (let frame = 0, last = performance.now(); frame < 120; frame++) {
    scrollBy({ top: 700, behavior: "instant" });
    await new Promise((done) => requestAnimationFrame(done));
    frames.push(performance.now() - last);
    last = performance.now();
  }
  return frames;
})()`;

const LEAP = `(async () => {
  scrollTo({ top: 0, behavior: "instant" });
  await ${PAINTED};
  const start = performance.now();
  scrollTo({ top: document.documentElement.scrollHeight / 2, behavior: "instant" });
  await ${PAINTED};
  return performance.now() - start;
})()`;

const NEXT = `(async () => {
  const start = performance.now();
  dispatchEvent(new KeyboardEvent("keydown", { key: "n" }));
  await ${PAINTED};
  return performance.now() - start;
})()`;
