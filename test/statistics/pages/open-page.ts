import type { BrowserContextOptions, Page } from "playwright-core";
import type { OpenPage, TestBrowser } from "../../support/browser/use-browser.ts";

/** Matches when the page's script has shown what it read from the API, or that it could not. */
export const SHOWN = "#main[aria-busy=false]";

/** Opens a page and waits until its charts and lists are filled; without JavaScript, until it is loaded. */
export async function openPage(
  browser: TestBrowser,
  url: string,
  options: BrowserContextOptions = {},
  scripts: readonly string[] = [],
): Promise<OpenPage> {
  const opened = await browser.open(url, options, scripts);
  if (options.javaScriptEnabled !== false) await opened.page.locator(SHOWN).waitFor();
  return opened;
}

/** Waits until a part of the page shows what was chosen last. It is busy as soon as a control has changed. */
export function untilShown(page: Page, part: string): Promise<void> {
  return page.locator(`${part}[aria-busy=false]`).waitFor();
}
