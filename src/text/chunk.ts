import { segmenterLocale } from "./languages.ts";
import type { Span } from "./span.ts";
import type { Tokens } from "./tokenise.ts";

/** A stretch of a text: `[start, end)` in UTF-16 units, `[firstWord, endWord)` in the text's tokens. */
export type Chunk = {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly firstWord: number;
  readonly endWord: number;
};

/**
 * Cuts `text` into chunks of whole sentences that cover it without gaps; a text without a word has no chunks. A chunk takes
 * sentences up to `CHUNK_WORDS_MAX` words. If that leaves fewer than `CHUNK_WORDS_LEAST`, the next sentence is very long and is
 * cut between words. A short rest joins the chunk before it.
 */
export function chunkText(text: string, tokens: Tokens, language: string): Chunk[] {
  if (tokens.words.length === 0) return [];
  const ends = sentenceEnds(text, tokens, language);
  const cuts = cutsBetweenWords([...ends.keys()], tokens.words.length);
  const offsets = cuts.map((word) => ends.get(word) ?? tokens.starts[word] ?? text.length);
  return [...cuts, tokens.words.length].map((endWord, index) => ({
    index,
    start: offsets[index - 1] ?? 0,
    end: offsets[index] ?? text.length,
    firstWord: cuts[index - 1] ?? 0,
    endWord,
  }));
}

/** 40 sampled shingles: half-copied chunks are found (with 50, 200 times of 200 among 200,000 chunks), short passages weigh. */
export const CHUNK_WORDS_MAX = 200;

/** 0.4% of the sentences of 60 web pages are longer, so few are cut; 96% of the chunks had 150 to 200 words, median 188. */
export const CHUNK_WORDS_LEAST = 100;

/** Fewer words are about two sentences. If some of their words are changed, too few shingles are left to find them. */
export const CHUNK_WORDS_TAIL = 40;

/** For each word count at which a sentence ends, in ascending order, the offset of that end. */
function sentenceEnds(text: string, tokens: Tokens, language: string): Map<number, number> {
  const { starts, ends } = tokens;
  const offsets = new Map<number, number>();
  let word = 0;
  for (const { end } of sentences(text, language)) {
    while (word < starts.length && (starts[word] ?? 0) < end) word++;
    // Text without a word ("* * *") begins the next chunk, so the first end after a word is the one that counts.
    // No word is cut, even if ICU sees a sentence end inside it.
    if (word > 0 && !offsets.has(word)) offsets.set(word, Math.max(end, ends[word - 1] ?? 0));
  }
  return offsets;
}

/** The words at which a new chunk begins, without 0; `sentenceStarts` ascending, up to `wordCount`. */
function cutsBetweenWords(sentenceStarts: readonly number[], wordCount: number): number[] {
  const cuts: number[] = [];
  let first = 0;
  let lastWhole = 0;
  for (const next of sentenceStarts) {
    while (next - first > CHUNK_WORDS_MAX) {
      first = lastWhole - first >= CHUNK_WORDS_LEAST ? lastWhole : first + CHUNK_WORDS_MAX;
      cuts.push(first);
    }
    lastWhole = next;
  }
  if (wordCount - first < CHUNK_WORDS_TAIL) cuts.pop();
  return cuts;
}

/**
 * The sentences of `text`: spans without gaps, each with the space after it. A blank line ends a sentence. A single line break
 * does not, because extracted text breaks lines anywhere. ICU ends a sentence after "Dr.", which does chunks no harm.
 */
export function sentences(text: string, language: string): Span[] {
  const segmenter = new Intl.Segmenter(segmenterLocale(language), { granularity: "sentence" });
  const spans: Span[] = [];
  for (const paragraph of paragraphs(text)) {
    const line = text.slice(paragraph.start, paragraph.end).replace(LINE_BREAK, " ");
    for (const { index, segment } of segmenter.segment(line)) {
      const start = paragraph.start + index;
      spans.push({ start, end: start + segment.length });
    }
  }
  return spans;
}

const LINE_BREAK = /[\n\v\f\r\x85\u2028\u2029]/g;

/** Bounded because of the regular expression engine. A longer blank part becomes a paragraph. */
const BLANK_LINE = /(?:(?:\r\n|\n|\r(?!\n))[^\S\n\r]{0,200}[\n\r]|\u2029)\s{0,1000}/g;

function paragraphs(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { 0: blank, index } of text.matchAll(BLANK_LINE)) {
    const end = index + blank.length;
    spans.push({ start, end });
    start = end;
  }
  if (start < text.length) spans.push({ start, end: text.length });
  return spans;
}
