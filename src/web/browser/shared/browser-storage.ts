/** The used part of a browser's storage. It is looked up each time, because a browser may deny access to it. */
export type BrowserStorage = () => Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Until the tab is closed. */
export const tabStorage: BrowserStorage = () => sessionStorage;

/** For good. */
export const lastingStorage: BrowserStorage = () => localStorage;

/** A stored text; undefined if there is none or it can't be read. */
export function readStored(storage: BrowserStorage, key: string): string | undefined {
  try {
    return storage().getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text; undefined removes it. Where storage is full or denied, only the open page keeps it. */
export function store(storage: BrowserStorage, key: string, text: string | undefined): void {
  try {
    if (text === undefined) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Nothing else can be done.
  }
}
