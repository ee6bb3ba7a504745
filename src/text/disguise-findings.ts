import { type Span, shiftedSpan } from "./span.ts";

/** A replacement. */
export type Edit = Span & { readonly text: string };

/** A disguise of several words near each other, and how they are to be read; no edits where that can't be told. */
export type Finding = {
  readonly place: Span;
  readonly detail: string | undefined;
  readonly edits: readonly Edit[];
};

export type Reader = {
  /** The parts of a text outside which it has no such disguise, ascending and disjoint. Most texts have none, and it takes little time. */
  readonly partsOf: (text: string) => Iterable<Span>;
  /** @param part as `partsOf` gave it; the findings have their places in it */
  readonly find: (part: string) => Iterable<Finding>;
};

/** For what is read in the whole text or not at all. */
export function wholeIf(mayApply: (text: string) => boolean): Reader["partsOf"] {
  return (text) => (mayApply(text) ? [{ start: 0, end: text.length }] : []);
}

/** A word or a row of words that may be disguised. */
export type Mark = Span & { readonly text: string };

export function* marksIn(text: string, pattern: RegExp): Generator<Mark> {
  for (const { 0: own, index: start } of text.matchAll(pattern))
    yield { start, end: start + own.length, text: own };
}

/** Groups marks with at most `gapMax` UTF-16 units between neighbours. */
export function* clusters<M extends Span>(
  marks: Iterable<M>,
  gapMax: number,
): Generator<readonly [M, ...M[]]> {
  let cluster: [M, ...M[]] | undefined;
  let end = 0;
  for (const mark of marks) {
    if (cluster !== undefined && mark.start - end <= gapMax) cluster.push(mark);
    else {
      if (cluster !== undefined) yield cluster;
      cluster = [mark];
    }
    end = mark.end;
  }
  if (cluster !== undefined) yield cluster;
}

export function enclosing(marks: readonly [Span, ...Span[]]): Span {
  return { start: marks[0].start, end: marks.at(-1)?.end ?? marks[0].end };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The edits that a pattern makes in a part of a text. */
export function editsIn(text: string, { start, end }: Span, pattern: RegExp, replacement: string): Edit[] {
  return Array.from(marksIn(text.slice(start, end), pattern), (mark) => ({
    ...shiftedSpan(mark, start),
    text: replacement,
  }));
}

/** In UTF-16 units. The fewest signs that a disguise can have stand nearer to each other, and it begins and ends nearer to them. */
const REACH = 1_000;

/** Longer words are cut. */
const WORD_UNITS_MAX = 64;

/**
 * The parts of a text around signs that stand near each other.
 * @param ends where the signs end, ascending @param min so many signs within `REACH` make a part
 */
export function* partsAround(text: string, ends: Iterable<number>, min: number): Generator<Span> {
  const latest: number[] = [];
  let part: Span | undefined;
  for (const end of ends) {
    latest.push(end);
    if (latest.length < min) continue;
    const first = latest.shift() ?? end;
    if (end - first > REACH) continue;
    const around = { start: Math.max(0, first - REACH), end: end + REACH };
    if (part !== undefined && around.start - part.end <= 2 * WORD_UNITS_MAX)
      part = { ...part, end: around.end };
    else {
      if (part !== undefined) yield wholeWords(text, part);
      part = around;
    }
  }
  if (part !== undefined) yield wholeWords(text, part);
}

/** @param signs global; quickest if it begins with a rare character */
export function nearSeveral(signs: RegExp, min: number): Reader["partsOf"] {
  return (text) => partsAround(text, endsOf(signs, text), min);
}

function* endsOf(signs: RegExp, text: string): Generator<number> {
  // Its own position is kept, because the expression is used again while this waits.
  for (let at = 0; ; ) {
    signs.lastIndex = at;
    if (!signs.test(text)) return;
    at = signs.lastIndex;
    yield at;
  }
}

/** A span with the words that it begins and ends in. */
export function wholeWords(text: string, { start, end }: Span): Span {
  let first = start;
  while (first > 0 && start - first < WORD_UNITS_MAX && !/\s/.test(text.charAt(first - 1))) first--;
  let last = Math.min(text.length, end);
  while (last < text.length && last - end < WORD_UNITS_MAX && !/\s/.test(text.charAt(last))) last++;
  return { start: first, end: last };
}

const CODE_SIGNS = /[_={}<>\\[\]();%*]/g;
const CODE_SIGNS_MAX = 0.02;

export function looksLikeCode(text: string): boolean {
  return (text.match(CODE_SIGNS)?.length ?? 0) > CODE_SIGNS_MAX * text.length;
}
