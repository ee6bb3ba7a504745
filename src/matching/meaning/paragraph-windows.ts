import { type Span, spanLength } from "../../text/span.ts";
import { NATS_MAX } from "./meaning-decision.ts";
import { type WindowedTerm, windowWords } from "./word-evidence.ts";

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
