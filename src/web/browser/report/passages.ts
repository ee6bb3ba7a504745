import type { Passage, Report, Source } from "../../../client/index.ts";

/** A passage with UTF-16 offsets of the submitted text. */
export type PlacedPassage = {
  /** Index in the result of `placedPassages`. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly source: Source;
  readonly passage: Passage;
};

/** How the text at an offset of a passage was reused. */
export function matchTypeAt({ passage }: PlacedPassage, offset: number): Passage["match_type"] {
  const run = passage.runs.findLast(({ query_start: start }) => start <= offset);
  return run?.match_type ?? passage.match_type;
}

/** The passages of a report by start, then by source number. */
export function placedPassages({ sources }: Pick<Report, "sources">): PlacedPassage[] {
  return sources
    .flatMap((source) => source.passages.map((passage) => ({ source, passage })))
    .sort((a, b) => a.passage.query_start - b.passage.query_start || a.source.number - b.source.number)
    .map((placed, index) => {
      const { query_start: start, query_end: end } = placed.passage;
      return { ...placed, index, start, end };
    });
}

/** The passage that covers most of the linked place, preferably of the linked document: filters may have cut the exact one. */
export function findPassage(
  passages: readonly PlacedPassage[],
  place: { readonly start: number; readonly end: number; readonly documentId: string },
): PlacedPassage | undefined {
  const near = passages.filter(({ start, end }) => start < place.end && end > place.start);
  const own = near.filter(({ source }) => source.source_document_id === place.documentId);
  const overlap = ({ start, end }: PlacedPassage) => Math.min(end, place.end) - Math.max(start, place.start);
  const length = ({ start, end }: PlacedPassage) => end - start;
  const closest = (a: PlacedPassage, b: PlacedPassage) => overlap(b) - overlap(a) || length(a) - length(b);
  return own.toSorted(closest)[0] ?? near.toSorted(closest)[0];
}

/** The passage after or before another one, wrapping around at both ends. */
export function neighbour(
  passages: readonly PlacedPassage[],
  current: PlacedPassage | undefined,
  step: 1 | -1,
): PlacedPassage | undefined {
  if (current === undefined) return step === 1 ? passages[0] : passages.at(-1);
  const after = passages.filter(({ index }) => (step === 1 ? index > current.index : index < current.index));
  return step === 1 ? (after[0] ?? passages[0]) : (after.at(-1) ?? passages.at(-1));
}
