import { useEffect, useRef, useState } from "preact/hooks";
import { type Draft, forgetDraft, keepDraft, readDraft } from "./draft.ts";

/** Long texts take some milliseconds to store, so it is done when the writer pauses, and at the latest on leaving. */
const PAUSE_MS = 300;

const storage = () => sessionStorage;

export type KeptDraft = {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
  /** Keeps it no longer than this page is there, as when it has been submitted. */
  readonly forget: () => void;
};

/** The draft of this tab, kept over a reload. */
export function useDraft(): KeptDraft {
  const [draft, setDraft] = useState(() => readDraft(storage));
  const unkept = useRef<Draft | undefined>(undefined);
  useEffect(() => {
    const keep = () => {
      if (unkept.current !== undefined) keepDraft(storage, unkept.current);
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
  const forget = () => {
    // What was typed last and is not stored yet would come back with the next visit.
    unkept.current = undefined;
    forgetDraft(storage);
  };
  return { draft, change, forget };
}
