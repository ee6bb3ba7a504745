import type { BrowserContextOptions } from "playwright-core";
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
