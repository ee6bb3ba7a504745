import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** In the browser: the findings of axe-core with their places. */
const FAULTS = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target.join(" "))))`;

/** In the browser: resolves when no transition or animation is under way that ends, so that colours are the final ones. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect, playState }) => playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime))
  .map(({ finished }) => finished)).then(() => {})`;

export const COLOUR_SCHEMES = ["light", "dark"] as const;

/** The findings of axe-core, which is loaded only into pages that it examines. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis")))
    await page.evaluate(await readFile(AXE, "utf8"));
  return page.evaluate<readonly string[]>(FAULTS);
}

/**
 * The findings in both colour schemes on one loaded page: the schemes differ by style sheets alone. The only script that asks for
 * the scheme, that of the matrix, follows its changes.
 * @param probes of page-probes.js whose findings are wanted as well
 */
export async function faultsInBothSchemes(
  page: Page,
  ...probes: readonly string[]
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const colorScheme of COLOUR_SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(SETTLED);
    const found = [...(await accessibilityFaults(page))];
    for (const probe of probes) found.push(...(await page.evaluate<readonly string[]>(`probes.${probe}()`)));
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}
