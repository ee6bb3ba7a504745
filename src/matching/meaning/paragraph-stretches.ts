import type { Span } from "../../text/span.ts";
import type { SentencePair } from "./sentence-alignment.ts";

type PlacedSentence = {
  readonly span: Span;
  readonly isCovered: boolean;
  readonly startsParagraph: boolean;
};

/** Consecutive sentences `[first, end)`. */
export type Stretch = { readonly first: number; readonly end: number };

/** In UTF-16 units: shorter paragraphs are joined with their neighbours, longer ones are divided. */
const PARAGRAPH_LENGTH_MIN = 200;
const PARAGRAPH_LENGTH_MAX = 900;

/** The runs of sentences in paragraphs that words have not found, each in parts of a usual length; and the parts of rows in each paragraph. */
export function stretchesOf(
  query: readonly PlacedSentence[],
  rows: readonly (readonly SentencePair[])[],
): (readonly Stretch[])[] {
  const lengthOf = ({ first, end }: Stretch) =>
    (query[end - 1]?.span.end ?? 0) - (query[first]?.span.start ?? 0);
  const paragraphs: Stretch[] = [];
  for (const [first, { startsParagraph }] of query.entries()) {
    const last = paragraphs.at(-1);
    if (last === undefined || startsParagraph) paragraphs.push({ first, end: first + 1 });
    else paragraphs.splice(-1, 1, { ...last, end: first + 1 });
  }
  const joined: Stretch[] = [];
  for (const paragraph of paragraphs) {
    const last = joined.at(-1);
    const whole = { first: last?.first ?? 0, end: paragraph.end };
    const isShort = last && Math.min(lengthOf(last), lengthOf(paragraph)) < PARAGRAPH_LENGTH_MIN;
    if (isShort && lengthOf(whole) <= PARAGRAPH_LENGTH_MAX) joined.splice(-1, 1, whole);
    else joined.push(paragraph);
  }
  return joined.flatMap((paragraph) => {
    const runs = uncovered(query, paragraph).map((run) => divided(query, run, lengthOf(run)));
    const isPart = ({ first, end }: Stretch) =>
      runs.flat().some((part) => part.first === first && part.end === end);
    const inRows = rows
      .map((row) => ({
        first: Math.max(paragraph.first, row[0]?.query ?? 0),
        end: Math.min(paragraph.end, (row.at(-1)?.query ?? -1) + 1),
      }))
      .filter((stretch) => stretch.first < stretch.end && !isPart(stretch));
    return [...runs, ...inRows.map((stretch) => [stretch])];
  });
}

/** The runs of sentences that words have not found. */
function uncovered(query: readonly PlacedSentence[], { first, end }: Stretch): Stretch[] {
  const runs: Stretch[] = [];
  for (let at = first; at < end; at++) {
    if (query[at]?.isCovered === true) continue;
    const last = runs.at(-1);
    if (last?.end === at) runs.splice(-1, 1, { ...last, end: at + 1 });
    else runs.push({ first: at, end: at + 1 });
  }
  return runs;
}

/** Parts of nearly the same length. */
function divided(query: readonly PlacedSentence[], { first, end }: Stretch, length: number): Stretch[] {
  const count = Math.max(1, Math.round(length / PARAGRAPH_LENGTH_MAX));
  const start = query[first]?.span.start ?? 0;
  const parts: Stretch[] = [];
  let from = first;
  for (let part = 1; part <= count; part++) {
    const limit = part === count ? Number.POSITIVE_INFINITY : start + (length * part) / count;
    let to = from;
    while (to < end && middleOf(query[to]) < limit) to++;
    if (to > from) parts.push({ first: from, end: to });
    from = to;
  }
  return parts;
}

function middleOf(sentence: { readonly span: Span } | undefined): number {
  return sentence === undefined ? 0 : (sentence.span.start + sentence.span.end) / 2;
}
