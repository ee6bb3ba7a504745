import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** In the browser: the findings of axe-core with their places. */
const faultsOf = (
  options: object,
) => `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...options })})
  .then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target.join(" "))))`;
const FAULTS = faultsOf({});
/** The rules about colours that axe-core runs by default. */
const COLOUR_FAULTS = faultsOf({
  runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
});

/** In the browser: resolves when no transition or animation is under way that ends, so that colours are the final ones. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect, playState }) => playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime))
  .map(({ finished }) => finished)).then(() => {})`;

export const COLOUR_SCHEMES = ["light", "dark"] as const;

/** The findings of axe-core, which is loaded only into pages that it examines. */
export function accessibilityFaults(page: Page): Promise<readonly string[]> {
  return runAxe(page, FAULTS);
}

/** The findings of the rules about colours: the others find the same in every colour scheme. */
export function colourFaults(page: Page): Promise<readonly string[]> {
  return runAxe(page, COLOUR_FAULTS);
}

async function runAxe(page: Page, faults: string): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis")))
    await page.evaluate(await readFile(AXE, "utf8"));
  return page.evaluate<readonly string[]>(faults);
}

/**
 * The findings in both colour schemes on one loaded page: the schemes differ by style sheets alone. The only script that asks for
 * the scheme, that of the matrix, follows its changes. All rules look at the light scheme, and those of colours at the dark one.
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
    const found = [...(await (colorScheme === "light" ? accessibilityFaults(page) : colourFaults(page)))];
    for (const probe of probes) found.push(...(await page.evaluate<readonly string[]>(`probes.${probe}()`)));
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}
