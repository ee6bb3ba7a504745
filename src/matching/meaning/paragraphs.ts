import { type Span, spanLength } from "../../text/span.ts";
import { NATS_MAX } from "./meaning-decision.ts";
import type { SentencePair } from "./sentence-alignment.ts";
import { type WindowedTerm, windowWords } from "./word-evidence.ts";

type ParagraphSentence = {
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
  query: readonly ParagraphSentence[],
  rows: readonly (readonly SentencePair[])[],
): (readonly Span[])[] {
  const lengthOf = (sentences: Span) => spanLength(textSpan(query, sentences));
  const isShort = (paragraph: Span | undefined) =>
    paragraph !== undefined && lengthOf(paragraph) < PARAGRAPH_LENGTH_MIN;
  const paragraphs = consecutive(
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
    const uncovered = consecutive(paragraph, {
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
function consecutive(
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
function divided(query: readonly ParagraphSentence[], run: Span): Span[] {
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
function textSpan(query: readonly ParagraphSentence[], { start, end }: Span): Span {
  return { start: query[start]?.span.start ?? 0, end: query[end - 1]?.span.end ?? 0 };
}

function middleOf(sentence: { readonly span: Span } | undefined): number {
  return sentence === undefined ? 0 : (sentence.span.start + sentence.span.end) / 2;
}

/** A window of the source, as sentence numbers, with the evidence of some query sentences' words, in nats. */
type BestWindow = Span & { readonly words: number };

/** Source text, in UTF-16 units, that is compared with a paragraph: a condensed one stands for more text than its own length. */
const WINDOW_LENGTH_MAX = 900;
const WINDOW_LENGTH_MIN = 300;
const WINDOW_PER_QUERY = 2.5;

/** A window is chosen by both figures: a margin of .03 weighs as much as a nat of words. */
const MARGIN_PER_NAT = 0.03;

/**
 * Finds the window of the source that matches some query sentences best, by their words and their meaning.
 * @param query these sentences, by their numbers, and their length in UTF-16 units
 * @param source the sentences of the source, in its order
 * @param margins by query sentence and by source sentence
 */
export function bestWindow(
  query: Span & { readonly length: number },
  terms: readonly WindowedTerm[],
  source: readonly { readonly span: Span }[],
  margins: readonly Float32Array[],
): BestWindow | undefined {
  const windows = windowsOf(
    source,
    Math.min(WINDOW_LENGTH_MAX, Math.max(WINDOW_LENGTH_MIN, WINDOW_PER_QUERY * query.length)),
  );
  const words = windowWords(terms, windows, source.length);
  let best: BestWindow | undefined;
  let score = Number.NEGATIVE_INFINITY;
  for (const [at, window] of windows.entries()) {
    let sum = 0;
    for (let number = query.start; number < query.end; number++) {
      const ofSentence = margins[number];
      sum += ofSentence?.[bestIn(ofSentence, window)] ?? 0;
    }
    const ofWords = words[at] ?? 0;
    const ofWindow = sum / spanLength(query) + MARGIN_PER_NAT * Math.min(NATS_MAX, ofWords);
    if (ofWindow > score) [best, score] = [{ ...window, words: ofWords }, ofWindow];
  }
  return best;
}

/** The longest windows of at most this length, or of one sentence, as sentence numbers; none is part of another. */
function windowsOf(source: readonly { readonly span: Span }[], length: number): Span[] {
  const windows: Span[] = [];
  let end = 0;
  for (const [start, { span }] of source.entries()) {
    const before = end;
    end = Math.max(end, start + 1);
    while (end < source.length && (source[end]?.span.end ?? 0) - span.start <= length) end++;
    if (end > before) windows.push({ start, end });
  }
  return windows;
}

/** Where a range of values has its greatest one, the first of several. */
export function bestIn(values: Float32Array | undefined, { start, end }: Span): number {
  let best = start;
  for (let at = start; at < end; at++) if ((values?.[at] ?? 0) > (values?.[best] ?? 0)) best = at;
  return best;
}
