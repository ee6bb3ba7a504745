import { useLayoutEffect, useRef } from "preact/hooks";

/** Ctrl or Command with Enter submits from anywhere on the page and from its first frame on, as in a letter. */
export function useSubmitKeys(submit: () => Promise<void>): void {
  const latest = useRef(submit);
  latest.current = submit;
  useLayoutEffect(() => {
    const ended = new AbortController();
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void latest.current();
    };
    addEventListener("keydown", press, { signal: ended.signal });
    return () => ended.abort();
  }, []);
}

/** What the keys are called on this machine. */
export function submitKeysName(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ + Enter" : "Ctrl + Enter";
}
