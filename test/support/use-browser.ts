import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Context } from "mocha";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** A browser starts in a second or two, on a busy machine in many. */
const START_TIMEOUT_MS = 60_000;

/** What Chromium is called where packages install it; `CHROMIUM` names another program. */
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ELSEWHERE = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

export type OpenPage = {
  readonly page: Page;
  /** Errors on the console, errors that nothing caught, and requests to other hosts; a test expects none. */
  readonly complaints: readonly string[];
};

export type TestBrowser = {
  /**
   * Opens an address in a window of its own and waits until the page and its files are loaded.
   * @param scripts files that run before those of the page
   */
  open(url: string, options?: BrowserContextOptions, scripts?: readonly string[]): Promise<OpenPage>;
};

/**
 * A real Chromium for the tests of the enclosing `describe`; windows close after each test. Without one the tests are
 * skipped; with REQUIRE_BROWSER=1 they fail.
 */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    const executablePath = neededChromium(this);
    // As root, which containers use, Chromium starts only without its sandbox; it shows pages of this program alone.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath, args });
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  after(() => browser?.close());
  return {
    async open(url, options = {}, scripts = []) {
      if (browser === undefined) throw new Error("useBrowser: only within tests");
      const context = await browser.newContext(options);
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
  page.on("pageerror", (error) => complaints.push(`not caught: ${error.message}`));
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.host !== host) complaints.push(`asked another host: ${url.href}`);
  });
  return complaints;
}

function neededChromium(context: Context): string {
  const found = findChromium();
  if (found !== undefined) return found;
  const missing = "no Chromium was found: install it (Debian: apt-get install chromium) or set CHROMIUM";
  if (process.env.REQUIRE_BROWSER === "1") throw new Error(missing);
  process.stderr.write(`    skipped: ${missing}\n`);
  return context.skip();
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const known = folders.flatMap((folder) => PROGRAMS.map((program) => join(folder, program)));
  const given = process.env.CHROMIUM;
  return (given === undefined ? [...known, ...ELSEWHERE] : [given]).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
