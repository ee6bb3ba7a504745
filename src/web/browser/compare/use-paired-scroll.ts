import type { RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { counterpartOf } from "../shared/counterpart.ts";
import type { TextBlock } from "../shared/text-blocks.ts";
import { type SyncedScroll, useSyncedScroll } from "../shared/use-synced-scroll.ts";
import type { PairedPassage, Side } from "./paired-passages.ts";

export type ColumnRefs = {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly text: RefObject<HTMLDivElement | null>;
};

export type PairedScroll = Pick<SyncedScroll, "textOf"> & {
  readonly refs: Readonly<Record<Side, ColumnRefs>>;
  /** Scrolls both texts to a passage. */
  readonly reveal: (passage: PairedPassage) => void;
  /** Scrolls the other text so that its place of a passage is level with that in this one. */
  readonly level: (passage: PairedPassage, side: Side) => void;
};

/** Two texts in boxes of their own: their corresponding places stay level, within passages and between them. */
export function usePairedScroll(
  passages: readonly PairedPassage[],
  blocks: Readonly<Record<Side, readonly TextBlock[]>>,
  lengths: Readonly<Record<Side, number>>,
): PairedScroll {
  const query = { scroller: useRef<HTMLDivElement>(null), text: useRef<HTMLDivElement>(null) };
  const source = { scroller: useRef<HTMLDivElement>(null), text: useRef<HTMLDivElement>(null) };
  const refs = useMemo(() => ({ query, source }), []);
  const { textOf, reveal, level } = useSyncedScroll(refs, blocks, (place) =>
    counterpartOf(passages, place, lengths),
  );
  return {
    refs,
    textOf,
    reveal: (passage) => reveal(startsOf(passage)),
    level: (passage, side) => level(side, startsOf(passage)),
  };
}

function startsOf({ query, source }: PairedPassage): Readonly<Record<Side, number>> {
  return { query: query.start, source: source.start };
}
