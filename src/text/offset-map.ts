import { firstIndex } from "./span.ts";

/** Maps UTF-16 offsets of a rewritten text to the original. A later place never maps to an earlier one. */
export type OffsetMap = {
  /** The original offset of a span that starts at `rewritten`, without text that was removed before it. */
  readonly toOriginalStart: (rewritten: number) => number;
  /** The original offset of a span that ends at `rewritten`, without text that was removed after it. */
  readonly toOriginalEnd: (rewritten: number) => number;
};

/** A text made from another, with the map back to it. */
export type RewrittenText = { readonly text: string; readonly map: OffsetMap };

/** The map of a text in which no replacement changed a length. */
export const IDENTITY_MAP: OffsetMap = {
  toOriginalStart: (rewritten) => rewritten,
  toOriginalEnd: (rewritten) => rewritten,
};

/** The map of a text that was rewritten twice: `inner` belongs to the first step, `outer` to the second. */
export function composeMaps(outer: OffsetMap, inner: OffsetMap): OffsetMap {
  if (outer === IDENTITY_MAP) return inner;
  if (inner === IDENTITY_MAP) return outer;
  return {
    toOriginalStart: (rewritten) => inner.toOriginalStart(outer.toOriginalStart(rewritten)),
    toOriginalEnd: (rewritten) => inner.toOriginalEnd(outer.toOriginalEnd(rewritten)),
  };
}

/**
 * Collects the replacements that change a length; all text between them keeps its own.
 * Only these are kept, because ordinary text has few (English next to none), while a dense map of a document of
 * 20 million characters would take 160 MB. A place inside a replacement maps to the edge of the replaced text.
 */
export class OffsetMapBuilder {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #originalStarts: number[] = [];
  readonly #originalEnds: number[] = [];
  #shift = 0;

  /** Records that `[start, end)` of the original became `length` units. Replacements come in ascending order. */
  replace(start: number, end: number, length: number): void {
    if (end - start === length) return;
    this.#starts.push(start - this.#shift);
    this.#ends.push(start - this.#shift + length);
    this.#originalStarts.push(start);
    this.#originalEnds.push(end);
    this.#shift += end - start - length;
  }

  build(): OffsetMap {
    if (this.#starts.length === 0) return IDENTITY_MAP;
    const starts = Int32Array.from(this.#starts);
    const ends = Int32Array.from(this.#ends);
    const originalStarts = Int32Array.from(this.#originalStarts);
    const originalEnds = Int32Array.from(this.#originalEnds);
    return {
      toOriginalStart(rewritten) {
        const at = firstIndex(starts.length, (place) => (starts[place] ?? 0) > rewritten) - 1;
        if (at < 0) return rewritten;
        const beyond = rewritten - (ends[at] ?? 0);
        return beyond < 0 ? (originalStarts[at] ?? 0) : (originalEnds[at] ?? 0) + beyond;
      },
      toOriginalEnd(rewritten) {
        const at = firstIndex(starts.length, (place) => (starts[place] ?? 0) >= rewritten) - 1;
        if (at < 0) return rewritten;
        return (originalEnds[at] ?? 0) + Math.max(0, rewritten - (ends[at] ?? 0));
      },
    };
  }
}
