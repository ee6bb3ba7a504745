/** What was typed and not yet checked. */
export type Draft = {
  readonly text: string;
  readonly title: string;
  /** ISO 639-1 code; empty for the engine's default. */
  readonly language: string;
  /** Goes with each attempt to submit this very draft, so that several make one check. Changes with every edit. */
  readonly key: string;
};

/** What a browser's storage does here. It is asked for anew each time: a browser may refuse to give one at all. */
export type DraftStorage = {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
};

/** The draft that the tab had before; an empty one when there is none, or nothing that can be read. */
export function readDraft(storage: () => DraftStorage): Draft {
  try {
    const { text, title, language, key } = JSON.parse(storage().getItem(NAME) ?? "{}");
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

/** Keeps the draft over a reload; a browser that lets nothing be stored keeps it only while the page is there. */
export function keepDraft(storage: () => DraftStorage, draft: Draft): void {
  try {
    storage().setItem(NAME, JSON.stringify(draft));
  } catch {
    // Full, or forbidden: the text still stands in its field.
  }
}

export function forgetDraft(storage: () => DraftStorage): void {
  try {
    storage().removeItem(NAME);
  } catch {
    // Where nothing can be stored, nothing was.
  }
}

/** The draft with something changed, and so with a key of its own. */
export function edited(draft: Draft, change: Partial<Omit<Draft, "key">>): Draft {
  return { ...draft, ...change, key: newKey() };
}

export function emptyDraft(): Draft {
  return { text: "", title: "", language: "", key: newKey() };
}

const NAME = "similarity-check-draft";

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** By `getRandomValues`: `randomUUID` is there only over HTTPS or on the own machine, and services run on plain hosts too. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
