import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";

const PROBES = join(import.meta.dirname, "contrast-probes.js");

export type TextContrast = { readonly name: string; readonly contrast: number; readonly isDark: boolean };

export type ControlContrast = {
  readonly name: string;
  readonly texts: readonly TextContrast[];
  /** Of the line around a field; null for controls that need none. */
  readonly boundary: number | null;
  readonly ring: number;
};

/** The contrasts of all visible texts in the elements of a page that match a selector. */
export async function contrastsOf(page: Page, selector: string): Promise<TextContrast[]> {
  await page.evaluate(await readFile(PROBES, "utf8"));
  return page.evaluate<TextContrast[]>(`contrasts.texts(${JSON.stringify(selector)})`);
}

/** States of a control, with the pseudo-classes that the browser is told to apply. */
const STATES = {
  normal: [],
  hover: ["hover"],
  "focus-visible": ["focus", "focus-visible", "focus-within"],
  active: ["hover", "active"],
  disabled: [],
} as const satisfies Record<string, readonly string[]>;

export type ControlState = keyof typeof STATES;

/** The contrasts of every control of a page, or of its open dialog, in every state. Nothing is clicked. */
export async function controlContrasts(page: Page): Promise<Record<ControlState, ControlContrast[]>> {
  await page.evaluate(await readFile(PROBES, "utf8"));
  const count = await page.evaluate<number>("contrasts.number()");
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument", { depth: 0 });
  const measured: Record<ControlState, ControlContrast[]> = {
    normal: [],
    hover: [],
    "focus-visible": [],
    active: [],
    disabled: [],
  };
  const measure = async (state: ControlState) => {
    for (let number = 0; number < count; number++) {
      const nodes = await forced(session, root.nodeId, number, STATES[state]);
      measured[state].push(...(await page.evaluate<ControlContrast[]>(`contrasts.control(${number})`)));
      for (const nodeId of nodes)
        await session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: [] });
    }
  };
  for (const state of ["normal", "hover", "focus-visible", "active"] as const) await measure(state);
  await page.evaluate("contrasts.disable(true)");
  await measure("disabled");
  await page.evaluate("contrasts.disable(false)");
  await session.detach();
  return measured;
}

/** Applies pseudo-classes to a control, and to the box around it that shows its focus. @returns the nodes that have them */
async function forced(session: CDPSession, root: number, number: number, classes: readonly string[]) {
  if (classes.length === 0) return [];
  const control = `[data-control="${number}"]`;
  const nodes: number[] = [];
  for (const selector of [control, `.composer:has(${control})`]) {
    const { nodeId } = await session.send("DOM.querySelector", { nodeId: root, selector });
    if (nodeId === 0) continue;
    await session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: [...classes] });
    nodes.push(nodeId);
  }
  return nodes;
}
