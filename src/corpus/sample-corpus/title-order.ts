import { createHash } from "node:crypto";
import type { WikiPage } from "./sample-article.ts";

/** A page that may enter the sample, with the key that decides its place: the SHA-1 of its title, in hexadecimal. */
export type Candidate = { readonly page: WikiPage; readonly order: string };

export type Candidates = {
  /** Takes a page in, or forgets it when `capacity` others come before it. */
  readonly add: (page: WikiPage) => void;
  /** The candidates kept, by ascending order key. */
  readonly ordered: () => readonly Candidate[];
};

/**
 * Keeps the `capacity` pages whose titles have the smallest SHA-1.
 * The hash draws an even sample of the encyclopedia that is the same on every machine, and only the kept pages'
 * wikitext stays in memory: at most twice `capacity`, because the surplus is cut off only when it has doubled.
 */
export function firstByTitleHash(capacity: number): Candidates {
  let kept: Candidate[] = [];
  const cut = () => {
    kept = kept.toSorted((a, b) => (a.order < b.order ? -1 : 1)).slice(0, capacity);
  };
  return {
    add(page) {
      kept.push({ page, order: createHash("sha1").update(page.title).digest("hex") });
      if (kept.length >= 2 * capacity) cut();
    },
    ordered() {
      cut();
      return kept;
    },
  };
}
