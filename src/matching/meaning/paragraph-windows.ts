import type { Span } from "../../text/span.ts";
import { windowScore } from "./meaning-decision.ts";
import { type WindowedTerm, windowWords } from "./word-evidence.ts";

/** A window of consecutive source sentences `[first, end)`, and how well some query sentences match it. */
export type BestWindow = {
  readonly first: number;
  readonly end: number;
  /** In nats. */
  readonly words: number;
  /** The mean, over the query sentences, of their best margin in the window. */
  readonly meaning: number;
};

/** Source text, in UTF-16 units, that is compared with a paragraph: a condensed one stands for more text than its own length. */
const WINDOW_LENGTH_MAX = 900;
const WINDOW_LENGTH_MIN = 300;
const WINDOW_PER_QUERY = 2.5;

/**
 * Finds the window of the source that matches some query sentences best, by their words and their meaning.
 * @param query the number of the first of these sentences, the number behind the last, and their length in UTF-16 units
 * @param source the sentences of the source, in its order
 * @param margins by query sentence and by source sentence
 */
export function bestWindow(
  query: { readonly first: number; readonly end: number; readonly length: number },
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
    for (let number = query.first; number < query.end; number++)
      sum += greatest(margins[number], window.first, window.end);
    const found = { ...window, words: words[at] ?? 0, meaning: sum / (query.end - query.first) };
    const ofWindow = windowScore(found.words, found.meaning);
    if (ofWindow > score) [best, score] = [found, ofWindow];
  }
  return best;
}

type Window = { readonly first: number; readonly end: number };

/** The longest windows of at most this length, or of one sentence; none is part of another. */
function windowsOf(source: readonly { readonly span: Span }[], length: number): Window[] {
  const windows: Window[] = [];
  let end = 0;
  for (const [first, { span }] of source.entries()) {
    const before = end;
    end = Math.max(end, first + 1);
    while (end < source.length && (source[end]?.span.end ?? 0) - span.start <= length) end++;
    if (end > before) windows.push({ first, end });
  }
  return windows;
}

function greatest(values: Float32Array | undefined, from: number, to: number): number {
  let best = -1;
  for (let at = from; at < to; at++) best = Math.max(best, values?.[at] ?? -1);
  return best;
}
