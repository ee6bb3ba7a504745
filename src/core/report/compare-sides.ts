import { segmenterLocale } from "../text/languages.ts";

/** Both sides of a passage, in pieces without gaps. `isCut`: they are beginnings of longer texts. */
export type ComparedSides = {
  readonly query: readonly DiffPiece[];
  readonly source: readonly DiffPiece[];
  readonly isCut: boolean;
};

/** Compares word by word. Cut texts are compared up to their last equal words, since later differences may come from the cut. */
export function compareSides(query: string, source: string, language: string, isCut: boolean): ComparedSides {
  const sides = [whole(query), whole(source)] as const;
  const compared = wordDiff(...sides, language);
  if (!isCut || compared.lastEqual === undefined)
    return { query: compared.query, source: compared.source, isCut };
  const { queryEnd, sourceEnd } = compared.lastEqual;
  const heads = wordDiff(sides[0].slice(0, queryEnd), sides[1].slice(0, sourceEnd), language);
  return { query: heads.query, source: heads.source, isCut };
}

/** A text without the half of a character that a cut left at its end. */
function whole(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

/** A part of one side: words that the other side has in the same order, or other words. */
export type DiffPiece = { readonly text: string; readonly differs: boolean };

export type WordDiff = {
  /** The text of each side, in pieces without gaps. */
  readonly query: readonly DiffPiece[];
  readonly source: readonly DiffPiece[];
  readonly equalWords: number;
  readonly queryWords: number;
  /** The ends of the last equal words on each side: longer texts can be compared further from there. */
  readonly lastEqual: { readonly queryEnd: number; readonly sourceEnd: number } | undefined;
};

/**
 * Compares two texts by their longest common subsequence of words. Words are those of `Intl.Segmenter`; case and all but
 * letters and digits are ignored, as in identical matches. Time and memory: product of both lengths less their equal ends.
 */
export function wordDiff(query: string, source: string, language: string): WordDiff {
  const words = { query: wordsOf(query, language), source: wordsOf(source, language) };
  const pairs = commonWords(
    words.query.map(({ key }) => key),
    words.source.map(({ key }) => key),
  );
  const last = pairs.at(-1);
  const queryEnd = last && words.query[last[0]]?.end;
  const sourceEnd = last && words.source[last[1]]?.end;
  return {
    query: pieces(query, words.query, new Set(pairs.map(([at]) => at))),
    source: pieces(source, words.source, new Set(pairs.map(([, at]) => at))),
    equalWords: pairs.length,
    queryWords: words.query.length,
    lastEqual: queryEnd === undefined || sourceEnd === undefined ? undefined : { queryEnd, sourceEnd },
  };
}

type Word = { readonly start: number; readonly end: number; readonly key: string };

function wordsOf(text: string, language: string): Word[] {
  const words: Word[] = [];
  const segmenter = new Intl.Segmenter(segmenterLocale(language), { granularity: "word" });
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    const key = segment
      .normalize("NFC")
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, "");
    if (isWordLike === true && key !== "") words.push({ start: index, end: index + segment.length, key });
  }
  return words;
}

type Pair = readonly [query: number, source: number];

function commonWords(query: readonly string[], source: readonly string[]): Pair[] {
  let head = 0;
  while (head < query.length && head < source.length && query[head] === source[head]) head++;
  let tail = 0;
  const most = Math.min(query.length, source.length) - head;
  while (tail < most && query.at(-1 - tail) === source.at(-1 - tail)) tail++;
  const middle = longestCommon(
    query.slice(head, query.length - tail),
    source.slice(head, source.length - tail),
  ).map(([a, b]): Pair => [a + head, b + head]);
  const beginning = Array.from({ length: head }, (_, at): Pair => [at, at]);
  const end = Array.from(
    { length: tail },
    (_, at): Pair => [query.length - tail + at, source.length - tail + at],
  );
  return [...beginning, ...middle, ...end];
}

/** The textbook's table: the lengths of the common subsequences of both sides' rests. */
function longestCommon(query: readonly string[], source: readonly string[]): Pair[] {
  const width = source.length + 1;
  const lengths = new Uint16Array((query.length + 1) * width);
  const length = (a: number, b: number) => lengths[a * width + b] ?? 0;
  for (let a = query.length - 1; a >= 0; a--)
    for (let b = source.length - 1; b >= 0; b--)
      lengths[a * width + b] =
        query[a] === source[b] ? length(a + 1, b + 1) + 1 : Math.max(length(a + 1, b), length(a, b + 1));
  const pairs: Pair[] = [];
  for (let a = 0, b = 0; a < query.length && b < source.length; ) {
    if (query[a] === source[b]) pairs.push([a++, b++]);
    else if (length(a + 1, b) >= length(a, b + 1)) a++;
    else b++;
  }
  return pairs;
}

/** Text between two words that differ, differs too; other text between words does not. */
function pieces(text: string, words: readonly Word[], equal: ReadonlySet<number>): DiffPiece[] {
  const cut: DiffPiece[] = [];
  let at = 0;
  const add = (end: number, differs: boolean) => {
    if (end > at) cut.push({ text: text.slice(at, end), differs });
    at = Math.max(at, end);
  };
  for (let first = 0; first < words.length; first++) {
    if (equal.has(first)) continue;
    let last = first;
    while (last + 1 < words.length && !equal.has(last + 1)) last++;
    add(words[first]?.start ?? at, false);
    add(words[last]?.end ?? at, true);
    first = last;
  }
  add(text.length, false);
  return cut;
}
