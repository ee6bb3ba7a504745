import { useEffect, useRef, useState } from "preact/hooks";
import { codePointLength } from "../../../text/code-points.ts";
import { wordCount } from "../../../text/word-count.ts";
import { type BrowserStorage, readStored, store, tabStorage } from "../shared/browser-storage.ts";
import { newKey } from "../shared/engine.ts";
import { say } from "../shared/texts.ts";
import { useWindowEvent } from "../shared/use-window-event.ts";

export type Draft = {
  readonly text: string;
  readonly title: string;
  /** ISO 639-1 code; empty for the engine's default. */
  readonly language: string;
  /** The idempotency key of all attempts to submit this draft. Every edit changes it. */
  readonly key: string;
};

/** Writing a long text takes some milliseconds, so it waits for this interval or for the page to close. */
const SAVE_INTERVAL_MS = 300;

/** The draft of this browser tab. It survives a reload, until it is submitted and `forget` is called. */
export function useDraft() {
  const [draft, setDraft] = useState(() => readDraft(tabStorage));
  const unsaved = useRef<Draft | undefined>(undefined);
  const save = () => {
    if (unsaved.current !== undefined) keepDraft(tabStorage, unsaved.current);
    unsaved.current = undefined;
  };
  useWindowEvent("pagehide", save);
  useEffect(() => {
    const timer = setInterval(save, SAVE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  const change = (next: Draft) => {
    unsaved.current = next;
    setDraft(next);
  };
  const forget = () => {
    // An unsaved edit would bring the draft back.
    unsaved.current = undefined;
    forgetDraft(tabStorage);
  };
  return { draft, change, forget };
}

const STORAGE_KEY = "similarity-check-draft";

/** The stored draft of this tab; an empty one if there is none or it can't be read. */
export function readDraft(storage: BrowserStorage): Draft {
  try {
    const { text, title, language, key } = JSON.parse(readStored(storage, STORAGE_KEY) ?? "{}");
    return {
      text: textOf(text),
      title: textOf(title),
      language: textOf(language),
      key: textOf(key) || newKey(),
    };
  } catch {
    return emptyDraft();
  }
}

export function keepDraft(storage: BrowserStorage, draft: Draft): void {
  store(storage, STORAGE_KEY, JSON.stringify(draft));
}

export function forgetDraft(storage: BrowserStorage): void {
  store(storage, STORAGE_KEY, undefined);
}

/** A changed draft with a new key. */
export function edited(draft: Draft, changes: Partial<Omit<Draft, "key">>): Draft {
  return { ...draft, ...changes, key: newKey() };
}

export function emptyDraft(): Draft {
  return { text: "", title: "", language: "", key: newKey() };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The engine's limit on a text, in characters (Unicode code points). */
export const TEXT_CHARS_MAX = 500_000;

/** Why a text can't be sent, known before. */
export function textFault(text: string, chars: number): string | undefined {
  if (text.trim() === "") return say("submit.nothing");
  return chars > TEXT_CHARS_MAX ? say("submit.tooLong") : undefined;
}

export type TextSize = { readonly chars: number; readonly words: number };

/** Up to this length counting takes under a millisecond and follows every letter. */
const COUNTED_AT_ONCE_CHARS = 20_000;

/** Longer texts are counted after this pause: 500,000 characters of English take 25 ms. */
const COUNT_PAUSE_MS = 250;

/** The size of a text while it is typed, by the engine's own rules. */
export function useTextSize(text: string, language: string): TextSize {
  const [size, setSize] = useState(() => textSize(text, language));
  useEffect(() => {
    const measure = () => setSize(textSize(text, language));
    if (text.length <= COUNTED_AT_ONCE_CHARS) return measure();
    const timer = setTimeout(measure, COUNT_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, language]);
  return size;
}

function textSize(text: string, language: string): TextSize {
  return { chars: codePointLength(text), words: wordCount(text, language) };
}
