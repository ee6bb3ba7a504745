import type { Context } from "mocha";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { CHROMIUM_MISSING, launchChromium } from "./chromium.ts";

/** A browser starts in one or two seconds, on a busy machine in many. */
const START_TIMEOUT_MS = 120_000;

/** How long a page may take to load or to show what a test waits for: only a page that never will is to fail. */
const WAIT_MS = 60_000;

export type OpenPage = {
  readonly page: Page;
  /** Console errors and warnings, uncaught errors, and requests to other hosts. Tests expect none. */
  readonly complaints: readonly string[];
};

export type TestBrowser = {
  /**
   * Opens an address in a new window and waits until the page and its files are loaded.
   * @param scripts files that run before those of the page
   */
  open(url: string, options?: BrowserContextOptions, scripts?: readonly string[]): Promise<OpenPage>;
};

/** In a parallel run the files of a process share a browser, which ends with the process: each window has cookies, storage and a cache of its own. */
const isShared = process.env.MOCHA_WORKER_ID !== undefined;
let shared: Browser | undefined;

/**
 * A real Chromium for the tests of the enclosing `describe`. Windows close after each test. Without Chromium the tests are
 * skipped, or fail if REQUIRE_BROWSER=1.
 */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    browser = shared?.isConnected() === true ? shared : await launchChromium();
    if (browser === undefined) skipOrFail(this);
    if (isShared) shared = browser;
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  after(() => (isShared ? undefined : browser?.close()));
  return {
    async open(url, options = {}, scripts = []) {
      if (browser === undefined) throw new Error("useBrowser: only within tests");
      const context = await browser.newContext(options);
      context.setDefaultTimeout(WAIT_MS);
      for (const path of scripts) await context.addInitScript({ path });
      const page = await context.newPage();
      const complaints = complaintsOf(page, new URL(url).host);
      const response = await page.goto(url);
      if (response?.ok() !== true) throw new Error(`${url} answered with status ${response?.status()}`);
      return { page, complaints };
    },
  };
}

function complaintsOf(page: Page, host: string): readonly string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    // blob: and data: URLs have no host.
    const isRequest = url.protocol !== "blob:" && url.protocol !== "data:";
    if (isRequest && url.host !== host) complaints.push(`requested another host: ${url.href}`);
  });
  return complaints;
}

function skipOrFail(context: Context): never {
  if (process.env.REQUIRE_BROWSER === "1") throw new Error(CHROMIUM_MISSING);
  process.stderr.write(`    skipped: ${CHROMIUM_MISSING}\n`);
  return context.skip();
}
