import type { PlacedPassage } from "./passages.ts";

/**
 * The passage that a link means: the one that covers most of the place, of the named document where it still has one
 * there; filters cut passages, and a source may have been left out or deleted since. UTF-16 offsets.
 */
export function findPassage(
  passages: readonly PlacedPassage[],
  place: { readonly start: number; readonly end: number; readonly documentId: string },
): PlacedPassage | undefined {
  const near = passages.filter(({ start, end }) => start < place.end && end > place.start);
  const own = near.filter(({ source }) => source.source_document_id === place.documentId);
  const overlap = ({ start, end }: PlacedPassage) => Math.min(end, place.end) - Math.max(start, place.start);
  const surplus = ({ start, end }: PlacedPassage) => end - start;
  const closest = (a: PlacedPassage, b: PlacedPassage) => overlap(b) - overlap(a) || surplus(a) - surplus(b);
  return own.toSorted(closest)[0] ?? near.toSorted(closest)[0];
}

/** The passage after or before another one, of one source where one is chosen; from the end it goes on at the beginning. */
export function neighbour(
  passages: readonly PlacedPassage[],
  current: PlacedPassage | undefined,
  step: 1 | -1,
): PlacedPassage | undefined {
  if (current === undefined) return step === 1 ? passages[0] : passages.at(-1);
  const after = passages.filter(({ index }) => (step === 1 ? index > current.index : index < current.index));
  return step === 1 ? (after[0] ?? passages[0]) : (after.at(-1) ?? passages.at(-1));
}
