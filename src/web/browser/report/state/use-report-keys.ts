import { useLayoutEffect, useRef } from "preact/hooks";

/** What the keys of the report do. */
export type KeyActions = {
  readonly next: () => void;
  readonly previous: () => void;
  readonly close: () => void;
  readonly help: () => void;
};

/**
 * Listens for the keys of the report from its first frame on, but for those that a field or a dialog is given.
 * @param hasSingleKeys whether keys that are a single character do something
 */
export function useReportKeys(actions: KeyActions, hasSingleKeys: boolean): void {
  const latest = useRef({ actions, hasSingleKeys });
  latest.current = { actions, hasSingleKeys };
  useLayoutEffect(() => {
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

function actionOf(
  key: string,
  { actions, hasSingleKeys }: { readonly actions: KeyActions; readonly hasSingleKeys: boolean },
): (() => void) | undefined {
  if (key === "Escape") return actions.close;
  if (!hasSingleKeys) return undefined;
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
