import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** The program names that packages install; the environment variable `CHROMIUM` overrides them. The one without windows draws pages a third faster. */
const PROGRAMS = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const ELSEWHERE = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"];

export const CHROMIUM_MISSING =
  "no Chromium was found: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM";

/** Starts Chromium; undefined if it is not installed. The caller closes it. */
export async function launchChromium(): Promise<Browser | undefined> {
  const executablePath = findChromium();
  if (executablePath === undefined) return undefined;
  // As root, as in containers, Chromium only starts without its sandbox. It loads only pages of this program.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
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
