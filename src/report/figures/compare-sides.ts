import { segmenterLocale } from "../../text/languages.ts";
import { WORD_DIVISION } from "../../text/normalise.ts";
import type { Span } from "../../text/span.ts";
import { wordTerm } from "../../text/word-terms.ts";

/** Both sides of a passage, in pieces without gaps. `isCut`: they are beginnings of longer texts. */
export type ComparedSides = {
  readonly query: readonly ComparedPiece[];
  readonly source: readonly ComparedPiece[];
  readonly isCut: boolean;
};

/** Compares word by word. Cut texts are compared up to their last equal words, since later differences may come from the cut. */
export function compareSides(
  query: string,
  source: string,
  language: string,
  isCut: boolean,
  reworded: RewordedParts = NOT_REWORDED,
): ComparedSides {
  const sides = [whole(query), whole(source)] as const;
  const compared = compareWords(...sides, language, reworded);
  if (!isCut || compared.lastEqual === undefined)
    return { query: compared.query, source: compared.source, isCut };
  const { queryEnd, sourceEnd } = compared.lastEqual;
  const heads = compareWords(sides[0].slice(0, queryEnd), sides[1].slice(0, sourceEnd), language, reworded);
  return { query: heads.query, source: heads.source, isCut };
}

/** A text without the half of a character that a cut left at its end. */
function whole(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

/**
 * A part of one side. `differs`: in copied text, words that the other side lacks at this place. `shared`: in reworded text, words that
 * the other side has too, anywhere and in any form.
 */
export type ComparedPiece = { readonly text: string; readonly mark?: "differs" | "shared" };

/** The parts of both sides that were reworded, as offsets into each. There, the shared words are marked instead of the others. */
export type RewordedParts = { readonly query: readonly Span[]; readonly source: readonly Span[] };

const NOT_REWORDED: RewordedParts = { query: [], source: [] };

export type ComparedWords = {
  /** The text of each side, in pieces without gaps. */
  readonly query: readonly ComparedPiece[];
  readonly source: readonly ComparedPiece[];
  readonly equalWords: number;
  readonly queryWords: number;
  /** The ends of the last equal words on each side: longer texts can be compared further from there. */
  readonly lastEqual: { readonly queryEnd: number; readonly sourceEnd: number } | undefined;
};

/**
 * Compares two texts by their longest common subsequence of words. `Intl.Segmenter` finds the words. Case and all
 * characters but letters and digits are ignored, as in identical matches. A divided word, for example by a hyphen at a line end, is one word.
 * Time and memory grow with the product of both lengths, without their equal ends.
 */
export function compareWords(
  query: string,
  source: string,
  language: string,
  reworded: RewordedParts = NOT_REWORDED,
): ComparedWords {
  const parts = { query: wordsOf(query, language), source: wordsOf(source, language) };
  const words = {
    query: joinDivided(parts.query, parts.source),
    source: joinDivided(parts.source, parts.query),
  };
  const pairs = commonWords(
    words.query.map(({ key }) => key),
    words.source.map(({ key }) => key),
  );
  const last = pairs.at(-1);
  const queryEnd = last && words.query[last[0]]?.end;
  const sourceEnd = last && words.source[last[1]]?.end;
  const equal = { query: new Set(pairs.map(([at]) => at)), source: new Set(pairs.map(([, at]) => at)) };
  const shared = {
    query: sharedWords(words.query, words.source),
    source: sharedWords(words.source, words.query),
  };
  const piecesOf = (side: "query" | "source", text: string) =>
    pieces(text, words[side], (word, at) => {
      if (reworded[side].some(({ start, end }) => word.start >= start && word.end <= end))
        return shared[side].has(at) ? "shared" : undefined;
      return equal[side].has(at) ? undefined : "differs";
    });
  return {
    query: piecesOf("query", query),
    source: piecesOf("source", source),
    equalWords: pairs.length,
    queryWords: words.query.length,
    lastEqual: queryEnd === undefined || sourceEnd === undefined ? undefined : { queryEnd, sourceEnd },
  };
}

type Word = { readonly start: number; readonly end: number; readonly key: string };

/** `isRest`: a hyphen at a line end divides it from the word before. */
type WordPart = Word & { readonly isRest: boolean };

function wordsOf(text: string, language: string): WordPart[] {
  const words: WordPart[] = [];
  const rests = new Set(text.matchAll(WORD_DIVISION).map(({ 0: { length }, index }) => index + length));
  const segmenter = new Intl.Segmenter(segmenterLocale(language), { granularity: "word" });
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    const key = segment
      .normalize("NFC")
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, "");
    if (isWordLike === true && key !== "")
      words.push({ start: index, end: index + segment.length, key, isRest: rests.has(index) });
  }
  return words;
}

/**
 * Joins divided words: at a hyphen that ends a line, or where the other side has both parts as one word, since some files lose the
 * hyphen. If the other side has the parts as separate words, they form a compound: "well-\nknown".
 */
function joinDivided(words: readonly WordPart[], others: readonly WordPart[]): Word[] {
  const whole = new Set(others.map(({ key }) => key));
  const apart = new Set(
    others.flatMap(({ key, isRest }, at) => (isRest ? [] : `${others[at - 1]?.key} ${key}`)),
  );
  const joined: Word[] = [];
  for (const [at, { start, end, key, isRest }] of words.entries()) {
    const before = joined.at(-1);
    if (
      before !== undefined &&
      (isRest || whole.has(before.key + key)) &&
      !apart.has(`${words[at - 1]?.key} ${key}`)
    )
      joined[joined.length - 1] = { start: before.start, end, key: before.key + key };
    else joined.push({ start, end, key });
  }
  return joined;
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

/** Shorter words are mostly function words, which any two texts share. Of Chinese, Japanese and Korean, one character is enough. */
const TELLING_LETTERS_MIN = 4;

const CJK = /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Hangul}/u;

/** Words that the other side has in another form, in rows with at least one content word. */
function sharedWords(words: readonly Word[], others: readonly Word[]): ReadonlySet<number> {
  const there = new Set(others.map(({ key }) => wordTerm(key)));
  const shared = new Set<number>();
  for (let first = 0; first < words.length; first++) {
    let end = first;
    while (end < words.length && there.has(wordTerm(words[end]?.key ?? ""))) end++;
    const row = words.slice(first, end);
    if (row.some(({ key }) => key.length >= TELLING_LETTERS_MIN || CJK.test(key)))
      for (let at = first; at < end; at++) shared.add(at);
    first = end;
  }
  return shared;
}

/** Text between two words with the same mark has that mark too; other text between words is not marked. */
function pieces(
  text: string,
  words: readonly Word[],
  markOf: (word: Word, at: number) => ComparedPiece["mark"],
): ComparedPiece[] {
  const cut: ComparedPiece[] = [];
  let at = 0;
  const add = (end: number, mark: ComparedPiece["mark"]) => {
    if (end > at) cut.push({ text: text.slice(at, end), ...(mark && { mark }) });
    at = Math.max(at, end);
  };
  const marks = words.map(markOf);
  for (let first = 0; first < words.length; first++) {
    const mark = marks[first];
    if (mark === undefined) continue;
    let last = first;
    while (marks[last + 1] === mark) last++;
    add(words[first]?.start ?? at, undefined);
    add(words[last]?.end ?? at, mark);
    first = last;
  }
  add(text.length, undefined);
  return cut;
}
