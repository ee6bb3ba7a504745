import type { Page } from "playwright-core";

/** The submitted text as the document shows it: its lines, without the numbers of sources and the signs. */
export function shownText(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll(".sheet p")].map((line) => {
    const copy = line.cloneNode(true);
    for (const added of copy.querySelectorAll(".ref, .code")) added.remove();
    return copy.textContent;
  })`);
}

/** The texts of marks, by the number of the source that colours them; neighbouring marks of one source are one. */
export function markedStretches(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll(".sheet mark")].map((mark) => mark.textContent)`,
  );
}

/** What a link within the document leads to. */
export function targetOf(page: Page, selector: string): Promise<string | null> {
  return page.evaluate<string | null>(
    `document.querySelector(document.querySelector(${JSON.stringify(selector)}).getAttribute("href"))?.id ?? null`,
  );
}
