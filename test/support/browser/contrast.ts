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
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, number) => nodesOf(session, root.nodeId, number)),
  );
  const measure = async (state: ControlState) => {
    const all = nodes.map((ofControl, number) => contrastIn(session, number, ofControl, STATES[state]));
    return (await Promise.all(all)).flat();
  };
  const measured = {
    normal: await measure("normal"),
    hover: await measure("hover"),
    "focus-visible": await measure("focus-visible"),
    active: await measure("active"),
  };
  await page.evaluate("contrasts.disable(true)");
  const disabled = await measure("disabled");
  await page.evaluate("contrasts.disable(false)");
  await session.detach();
  return { ...measured, disabled };
}

/** A control, and the box around it that shows its focus. */
async function nodesOf(session: CDPSession, root: number, number: number): Promise<number[]> {
  const control = `[data-control="${number}"]`;
  const found = [control, `.composer:has(${control})`].map((selector) =>
    session.send("DOM.querySelector", { nodeId: root, selector }),
  );
  return (await Promise.all(found)).flatMap(({ nodeId }) => (nodeId === 0 ? [] : [nodeId]));
}

/**
 * Measures a control with pseudo-classes that are applied to its nodes meanwhile. All commands are sent at once, also those of the next
 * controls: the browser answers them in their order, and waiting for thousands of answers took most of the time.
 */
async function contrastIn(
  session: CDPSession,
  number: number,
  nodes: readonly number[],
  classes: readonly string[],
): Promise<ControlContrast[]> {
  const force = (forcedPseudoClasses: string[]) =>
    classes.length === 0
      ? []
      : nodes.map((nodeId) => session.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses }));
  const applied = force([...classes]);
  const measured = session.send("Runtime.evaluate", {
    expression: `contrasts.control(${number})`,
    returnByValue: true,
  });
  await Promise.all([...applied, ...force([]), measured]);
  const { result, exceptionDetails } = await measured;
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description);
  return result.value;
}
