import { type Span, spanLength } from "../../text/span.ts";
import type { SentencePair } from "./sentence-alignment.ts";

type PlacedSentence = {
  readonly span: Span;
  readonly isCovered: boolean;
  readonly startsParagraph: boolean;
};

/** In UTF-16 units: shorter paragraphs are judged with their neighbours too, longer ones are divided. */
const PARAGRAPH_LENGTH_MIN = 200;
const PARAGRAPH_LENGTH_MAX = 900;

/**
 * The parts of paragraphs that are judged, as sentence numbers: the sentences in a row that words have not found, in parts of a usual
 * length, which may be joined again; and the part of each row in each paragraph, by itself.
 */
export function paragraphParts(
  query: readonly PlacedSentence[],
  rows: readonly (readonly SentencePair[])[],
): (readonly Span[])[] {
  const lengthOf = (sentences: Span) => spanLength(textSpan(query, sentences));
  const isShort = (paragraph: Span | undefined) =>
    paragraph !== undefined && lengthOf(paragraph) < PARAGRAPH_LENGTH_MIN;
  const paragraphs = runsOf(
    { start: 0, end: query.length },
    { isIn: () => true, begins: (at) => query[at]?.startsParagraph === true },
  );
  const joined: Span[] = [];
  for (const [at, paragraph] of paragraphs.entries()) {
    const whole = { start: joined.at(-1)?.start ?? 0, end: paragraph.end };
    const isJoined = isShort(paragraphs[at - 1]) && isShort(paragraph);
    if (isJoined && lengthOf(whole) <= PARAGRAPH_LENGTH_MAX) joined.splice(-1, 1, whole);
    else joined.push(paragraph);
  }
  const alone = paragraphs.filter((paragraph) => isShort(paragraph) && !joined.includes(paragraph));
  return [...joined, ...alone].flatMap((paragraph) => {
    const uncovered = runsOf(paragraph, {
      isIn: (at) => query[at]?.isCovered !== true,
      begins: () => false,
    }).map((run) => divided(query, run));
    const isPart = ({ start, end }: Span) =>
      uncovered.flat().some((part) => part.start === start && part.end === end);
    const inRows = rows
      .map((row) => ({
        start: Math.max(paragraph.start, row[0]?.query ?? 0),
        end: Math.min(paragraph.end, (row.at(-1)?.query ?? -1) + 1),
      }))
      .filter((part) => part.start < part.end && !isPart(part));
    return [...uncovered, ...inRows.map((part) => [part])];
  });
}

/** The runs of numbers of a range that are in; a number that begins a run divides it from the one before. */
function runsOf(
  { start, end }: Span,
  { isIn, begins }: { readonly isIn: (at: number) => boolean; readonly begins: (at: number) => boolean },
): Span[] {
  const runs: { start: number; end: number }[] = [];
  for (let at = start; at < end; at++) {
    if (!isIn(at)) continue;
    const last = runs.at(-1);
    if (last?.end === at && !begins(at)) last.end = at + 1;
    else runs.push({ start: at, end: at + 1 });
  }
  return runs;
}

/** Parts of nearly the same length. */
function divided(query: readonly PlacedSentence[], run: Span): Span[] {
  const text = textSpan(query, run);
  const count = Math.max(1, Math.round(spanLength(text) / PARAGRAPH_LENGTH_MAX));
  const parts: Span[] = [];
  let start = run.start;
  for (let part = 1; part <= count; part++) {
    const limit = part === count ? Number.POSITIVE_INFINITY : text.start + (spanLength(text) * part) / count;
    let end = start;
    while (end < run.end && middleOf(query[end]) < limit) end++;
    if (end > start) parts.push({ start, end });
    start = end;
  }
  return parts;
}

/** The text of some sentences, in UTF-16 units. */
function textSpan(query: readonly PlacedSentence[], { start, end }: Span): Span {
  return { start: query[start]?.span.start ?? 0, end: query[end - 1]?.span.end ?? 0 };
}

function middleOf(sentence: { readonly span: Span } | undefined): number {
  return sentence === undefined ? 0 : (sentence.span.start + sentence.span.end) / 2;
}
