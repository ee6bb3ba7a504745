import {
  enclosingSpan,
  firstIndex,
  overlapLength,
  type Span,
  shiftedSpan,
  spanLength,
} from "../../text/span.ts";
import { wordSimilarity } from "../../text/word-similarity.ts";
import { endsSentence, type TokenisedText } from "./boundaries.ts";
import type { SegmentPair } from "./seeds.ts";
import type { TextPair } from "./text-pair.ts";

/**
 * How a passage was reused. `identical`: the same letters and digits but for case; `minor_changes`: at least
 * `MINOR_CHANGES_MIN` of the words of both sides are equal in order; `paraphrased`: other reuse;
 * `translated`: reuse of a source in another language.
 */
export type MatchType = "identical" | "minor_changes" | "paraphrased" | "translated";

/**
 * The word similarity from which a passage has minor changes: four words of five. Of planted passages with 5 to 15% of their
 * words changed 99.3% reach it; of those with 30 to 50% changed and sentences moved 2.9%; of condensed ones 0.3%. With .75 it
 * would be 99.8%, 6.7% and 0.3%.
 */
const MINOR_CHANGES_MIN = 0.8;

/** Compares normalised words (spans are UTF-16): disguises do not matter, moved sentences count as changed. About linear time. */
export function classify(
  query: TokenisedText,
  querySpan: Span,
  source: TokenisedText,
  sourceSpan: Span,
): { readonly matchType: MatchType; readonly similarity: number } {
  const queryText = query.text.slice(querySpan.start, querySpan.end);
  const sourceText = source.text.slice(sourceSpan.start, sourceSpan.end);
  if (queryText === sourceText || bareLetters(queryText) === bareLetters(sourceText))
    return { matchType: "identical", similarity: 1 };
  const similarity = wordSimilarity(wordsIn(query, querySpan), wordsIn(source, sourceSpan));
  return { matchType: similarity >= MINOR_CHANGES_MIN ? "minor_changes" : "paraphrased", similarity };
}

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu;

/** Upper case, because it folds what lower case keeps apart: ß and ss, the two small sigmas. */
function bareLetters(text: string): string {
  return text.normalize("NFC").toUpperCase().replace(NO_LETTER_OR_DIGIT, "");
}

/** The words that begin inside the span. */
function wordsIn({ tokens: { words, starts } }: TokenisedText, span: Span): readonly string[] {
  const firstFrom = (offset: number) => firstIndex(starts.length, (word) => (starts[word] ?? 0) >= offset);
  return words.slice(firstFrom(span.start), firstFrom(span.end));
}

/** A part of a passage, of one or more sentences, that was reused in one way. Spans are UTF-16 offsets into their text. */
export type TypedRun = SegmentPair & { readonly matchType: MatchType };

/** Fewer identical sentences beside slightly changed ones are a part of these: a light edit leaves sentences as they are. */
const IDENTICAL_SENTENCES_MIN = 3;

/**
 * Divides a passage where the kind of reuse changes for a sentence or more: a copied sentence among reworded ones is a run of its own,
 * wherever its source stands; among slightly changed ones, three are. Runs ascend and cover `spans.query` without gaps; the source of a
 * reworded one is where its copied words stand, or else what lies between the sources of its neighbours.
 * @param words the passage in words of both sides; @param spans the same in UTF-16; @param matches exact matches, ascending by query
 */
export function divideIntoRuns(
  pair: TextPair,
  words: SegmentPair,
  spans: SegmentPair,
  matches: readonly SegmentPair[],
): TypedRun[] {
  const inside = matches.filter(
    ({ query, source }) => overlapLength(query, words.query) > 0 && overlapLength(source, words.source) > 0,
  );
  const sentences: SentenceRun[] = [];
  // Sentences and matches both ascend, so each match is looked at with its own sentences only.
  let open: SegmentPair[] = [];
  let next = 0;
  for (const sentence of sentencesOf(pair, words.query)) {
    open = open.filter(({ query }) => query.end > sentence.start);
    for (
      let match = inside[next];
      match !== undefined && match.query.start < sentence.end;
      match = inside[++next]
    )
      open.push(match);
    sentences.push({
      first: sentence.start,
      sentences: 1,
      ...sentenceSource(pair, sentence, words.source, open),
    });
  }
  const runs = joinedRuns(withoutFewIdentical(joinedRuns(sentences)));
  return runs.map(({ first, matchType, source }, at) => {
    const next = runs[at + 1];
    return {
      matchType,
      query: {
        start: at === 0 ? spans.query.start : startOfWord(pair, first),
        end: next === undefined ? spans.query.end : startOfWord(pair, next.first),
      },
      source:
        source === undefined
          ? between(spans.source, sourceText(pair, runs[at - 1]?.source), sourceText(pair, next?.source))
          : (sourceText(pair, source) ?? spans.source),
    };
  });
}

/** Sentences of the query from the word `first` on, and the words of the source that they come from. */
type SentenceRun = {
  readonly first: number;
  readonly sentences: number;
  readonly matchType: MatchType;
  readonly source: Span | undefined;
};

/** Neighbours of one kind as one. Copies whose sources do not follow each other stay apart, so that both sides stay equal. */
function joinedRuns(runs: readonly SentenceRun[]): SentenceRun[] {
  const joined: SentenceRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const [before, after] = [last?.source, run.source];
    const isApart = run.matchType === "identical" && before?.end !== after?.start;
    if (last === undefined || last.matchType !== run.matchType || isApart) joined.push(run);
    else
      joined[joined.length - 1] = {
        ...last,
        sentences: last.sentences + run.sentences,
        source: before && after ? enclosingSpan(before, after) : (before ?? after),
      };
  }
  return joined;
}

function withoutFewIdentical(runs: readonly SentenceRun[]): SentenceRun[] {
  const isChanged = (run: SentenceRun | undefined) => run?.matchType === "minor_changes";
  return runs.map((run, at) =>
    run.matchType === "identical" &&
    run.sentences < IDENTICAL_SENTENCES_MIN &&
    (isChanged(runs[at - 1]) || isChanged(runs[at + 1]))
      ? { ...run, matchType: "minor_changes" }
      : run,
  );
}

/** The sentences of a passage, in words. A short one, such as a heading or "Yes.", goes with the one before. */
function sentencesOf({ query, model }: TextPair, { start, end }: Span): Span[] {
  const sentences: Span[] = [];
  let from = start;
  for (let at = start + 1; at <= end; at++) {
    if (at < end && !endsSentence(query.boundaries[at] ?? 0)) continue;
    const last = sentences.at(-1);
    if (last !== undefined && at - from < model.matchWordsMin)
      sentences[sentences.length - 1] = { start: last.start, end: at };
    else sentences.push({ start: from, end: at });
    from = at;
  }
  const [first, second] = sentences;
  return first !== undefined && second !== undefined && spanLength(first) < model.matchWordsMin
    ? [{ start: first.start, end: second.end }, ...sentences.slice(2)]
    : sentences;
}

/** How a sentence was reused, and the words of the source that it comes from; undefined if none was copied in a row. */
function sentenceSource(
  pair: TextPair,
  sentence: Span,
  within: Span,
  matches: readonly SegmentPair[],
): { readonly matchType: MatchType; readonly source: Span | undefined } {
  const parts = matches
    .map((match) => partIn(match, sentence))
    .filter((part) => part !== undefined)
    .sort((a, b) => spanLength(b.query) - spanLength(a.query));
  const [longest] = parts;
  if (longest === undefined) return { matchType: "paraphrased", source: undefined };
  // The words before and after the longest copied part are sought beside it.
  const expected = shiftedSpan(sentence, longest.source.start - longest.query.start);
  const near = { start: expected.start - spanLength(sentence), end: expected.end + spanLength(sentence) };
  const found = parts
    .filter(({ source }) => overlapLength(source, near) === spanLength(source))
    .reduce<SegmentPair>(enclosing, longest);
  const source = {
    start: Math.max(within.start, found.source.start - (found.query.start - sentence.start)),
    end: Math.min(within.end, found.source.end + (sentence.end - found.query.end)),
  };
  const text = sourceText(pair, source);
  const query = wordsText(pair.query.text.tokens, sentence);
  if (text === undefined || query === undefined) return { matchType: "paraphrased", source: undefined };
  return { matchType: classify(pair.query.text, query, pair.source, text).matchType, source };
}

/** The part of an exact match that lies in a sentence of the query. */
function partIn({ query, source }: SegmentPair, sentence: Span): SegmentPair | undefined {
  const start = Math.max(query.start, sentence.start);
  const end = Math.min(query.end, sentence.end);
  if (start >= end) return undefined;
  const shift = source.start - query.start;
  return { query: { start, end }, source: { start: start + shift, end: end + shift } };
}

function enclosing(a: SegmentPair, b: SegmentPair): SegmentPair {
  return { query: enclosingSpan(a.query, b.query), source: enclosingSpan(a.source, b.source) };
}

function sourceText({ source }: TextPair, words: Span | undefined): Span | undefined {
  return words && wordsText(source.tokens, words);
}

/** The text from the first of some words to the last. */
function wordsText({ starts, ends }: TextPair["source"]["tokens"], words: Span): Span | undefined {
  const [start, end] = [starts[words.start], ends[words.end - 1]];
  return start === undefined || end === undefined || end <= start ? undefined : { start, end };
}

/** The start of a word with the signs before it, such as an opening quotation mark. */
function startOfWord({ query: { text } }: TextPair, word: number): number {
  const start = text.tokens.starts[word] ?? 0;
  const gap = text.text.slice(text.tokens.ends[word - 1] ?? 0, start);
  // A pattern for the signs at the end would take quadratic time in a long row of them.
  const signs = gap.split(WHITE_SPACE);
  return start - (signs.length > 1 ? (signs.at(-1)?.length ?? 0) : 0);
}

const WHITE_SPACE = /\s/u;

/** What lies between two parts of a source, or all of it. */
function between(whole: Span, before: Span | undefined, after: Span | undefined): Span {
  const start = before?.end ?? whole.start;
  const end = after?.start ?? whole.end;
  return start < end ? { start, end } : whole;
}
