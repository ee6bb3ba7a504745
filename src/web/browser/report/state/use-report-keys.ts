import { useEffect, useRef } from "preact/hooks";

/** What the keys of the report do. */
export type KeyActions = {
  readonly next: () => void;
  readonly previous: () => void;
  readonly close: () => void;
  readonly help: () => void;
};

/** Single keys can be turned off, because speech input may press them by mistake (WCAG 2.1.4). */
const OFF_KEY = "report-single-keys";

export function singleKeysAreOn(): boolean {
  return localStorage.getItem(OFF_KEY) !== "off";
}

export function turnSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF_KEY);
  else localStorage.setItem(OFF_KEY, "off");
}

/** Listens for the keys of the report, but for those that a field or a dialog is given. */
export function useReportKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : undefined;
      if (target?.closest("dialog, input:not([type=checkbox]), select, textarea") != null) return;
      const act = actionOf(event.key, latest.current);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function actionOf(key: string, actions: KeyActions): (() => void) | undefined {
  if (key === "Escape") return actions.close;
  if (!singleKeysAreOn()) return undefined;
  switch (key) {
    case "n":
      return actions.next;
    case "p":
      return actions.previous;
    case "?":
      return actions.help;
    default:
      return undefined;
  }
}
