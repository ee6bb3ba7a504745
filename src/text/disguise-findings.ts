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
  /** Every text with such a disguise passes this test. Few other texts do, and it takes little time. */
  readonly mayApply: (text: string) => boolean;
  readonly find: (text: string) => Iterable<Finding>;
};

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

/** @param signs global; quickest if it begins with a rare character */
export function hasSeveral(signs: RegExp, min: number): (text: string) => boolean {
  return (text) => {
    signs.lastIndex = 0;
    for (let found = 0; found < min; found++) if (!signs.test(text)) return false;
    return true;
  };
}

const CODE_SIGNS = /[_={}<>\\[\]();%*]/g;
const CODE_SIGNS_MAX = 0.02;

export function looksLikeCode(text: string): boolean {
  return (text.match(CODE_SIGNS)?.length ?? 0) > CODE_SIGNS_MAX * text.length;
}
