import { useEffect, useRef, useState } from "preact/hooks";
import { type Draft, keepDraft, readDraft } from "./draft.ts";

/** Long texts take some milliseconds to store, so it is done when the writer pauses, and at the latest on leaving. */
const PAUSE_MS = 300;

/** The draft of this tab, kept over a reload. */
export function useDraft(): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState(() => readDraft(sessionStorage));
  const unkept = useRef<Draft | undefined>(undefined);
  useEffect(() => {
    const keep = () => {
      if (unkept.current !== undefined) keepDraft(sessionStorage, unkept.current);
      unkept.current = undefined;
    };
    const ended = new AbortController();
    addEventListener("pagehide", keep, { signal: ended.signal });
    const timer = setInterval(keep, PAUSE_MS);
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, []);
  const change = (next: Draft) => {
    unkept.current = next;
    setDraft(next);
  };
  return [draft, change];
}
