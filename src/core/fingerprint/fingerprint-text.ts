import { chunkText } from "../text/chunk.ts";
import { codePointLength, codePointOffsets } from "../text/code-points.ts";
import { tokenise } from "../text/tokenise.ts";
import { fingerprintForm } from "./fingerprint-form.ts";

/** A chunk with its narrow form. `start` and `end` say where it lies in its text, in UTF-16 units. */
export type FingerprintedChunk = {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly startCodePoint: number;
  /** In code points. */
  readonly charCount: number;
  readonly wordCount: number;
  readonly form: string;
};

/**
 * A text longer than this is cut into sections that are worked on one after another, for the words of 20 million
 * characters of Chinese do not fit into 1 GB at once; a section takes about 60 MB. It is more than the longest text
 * that can be checked, so that such a text and its copy in the corpus are cut into the same chunks.
 */
export const SECTION_LENGTH_MAX = 1_000_000;

/** How far before its greatest length a section may end, in search of a good place to end. */
const SECTION_END_REACH = 20_000;

/**
 * The chunks of a text with their narrow forms. They cover it without gaps; a text without a word has none. They depend
 * on the text and the language alone.
 */
export function fingerprintText(text: string, language: string): FingerprintedChunk[] {
  const chunks: PlacedChunk[] = [];
  let codePoints = 0;
  for (let start = 0; start < text.length; ) {
    const end = sectionEnd(text, start);
    const section = text.slice(start, end);
    for (const chunk of fingerprintSection(section, language)) {
      chunks.push({
        ...chunk,
        index: chunks.length,
        start: start + chunk.start,
        end: start + chunk.end,
        startCodePoint: codePoints + chunk.startCodePoint,
      });
    }
    codePoints += codePointLength(section);
    start = end;
  }
  return coveringGaps(chunks, { utf16: text.length, codePoints });
}

type SectionChunk = Omit<FingerprintedChunk, "index" | "charCount">;
type PlacedChunk = Omit<FingerprintedChunk, "charCount">;

function fingerprintSection(text: string, language: string): SectionChunk[] {
  const tokens = tokenise(text, language);
  const offsets = codePointOffsets(text);
  return chunkText(text, tokens, language).map((chunk) => ({
    start: chunk.start,
    end: chunk.end,
    startCodePoint: offsets.toCodePoint(chunk.start),
    wordCount: chunk.endWord - chunk.firstWord,
    form: fingerprintForm(tokens.words.slice(chunk.firstWord, chunk.endWord)),
  }));
}

/** After the last blank line within reach, else the last sentence end or white space, else anywhere but inside a pair. */
function sectionEnd(text: string, start: number): number {
  const limit = start + SECTION_LENGTH_MAX;
  if (limit >= text.length) return text.length;
  const tail = text.slice(limit - SECTION_END_REACH, limit);
  for (const border of [/\n\s*\n/g, /[.!?。！？]\s*/g, /\s/g]) {
    const last = [...tail.matchAll(border)].at(-1);
    if (last !== undefined) return limit - SECTION_END_REACH + last.index + last[0].length;
  }
  const isInsidePair =
    /[\udc00-\udfff]/.test(text.charAt(limit)) && /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return isInsidePair ? limit - 1 : limit;
}

/** A section without a word has no chunks: its text goes to the chunk before it, or to the first. */
function coveringGaps(
  chunks: readonly PlacedChunk[],
  length: { readonly utf16: number; readonly codePoints: number },
): FingerprintedChunk[] {
  return chunks.map((chunk, position) => {
    const start = position === 0 ? 0 : chunk.start;
    const startCodePoint = position === 0 ? 0 : chunk.startCodePoint;
    const next = chunks[position + 1];
    const charCount = (next?.startCodePoint ?? length.codePoints) - startCodePoint;
    return { ...chunk, start, startCodePoint, charCount, end: next?.start ?? length.utf16 };
  });
}
