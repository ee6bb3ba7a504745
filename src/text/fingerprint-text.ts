import { chunkText } from "./chunk.ts";
import { codePointLength, codePointOffsets, outsidePair } from "./code-points.ts";
import { fingerprintForm } from "./fingerprint-form.ts";
import { readingOrder } from "./reading-order.ts";
import { tokenise } from "./tokenise.ts";

/** A chunk with its normalised form. `start` and `end` say where it lies in its text, in UTF-16 units. */
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
 * A longer text is processed in parts of 60 MB of memory: the words of 20 million Chinese characters need over 1 GB. The
 * longest text to check is one part, so it has the same chunks as its copy in the corpus.
 */
export const PART_LENGTH_MAX = 1_000_000;

/** The part of the text, before its greatest length, in which a good end is sought. */
const PART_END_REACH = 20_000;

/** The chunks of a text with their forms, without gaps; a text without a word has no chunks. They depend on text and language alone. */
export function fingerprintText(text: string, language: string): FingerprintedChunk[] {
  const chunks: UnmeasuredChunk[] = [];
  let codePoints = 0;
  for (let start = 0; start < text.length; ) {
    const end = partEnd(text, start);
    const part = text.slice(start, end);
    for (const chunk of fingerprintPart(part, language)) {
      chunks.push({
        ...chunk,
        index: chunks.length,
        start: start + chunk.start,
        end: start + chunk.end,
        startCodePoint: codePoints + chunk.startCodePoint,
      });
    }
    codePoints += codePointLength(part);
    start = end;
  }
  return coveringGaps(chunks, { utf16: text.length, codePoints });
}

type UnmeasuredChunk = Omit<FingerprintedChunk, "charCount">;

function fingerprintPart(submitted: string, language: string): Omit<UnmeasuredChunk, "index">[] {
  const { text } = readingOrder(submitted);
  const tokens = tokenise(text, language);
  const offsets = codePointOffsets(submitted);
  return chunkText(text, tokens, language).map((chunk) => ({
    start: chunk.start,
    end: chunk.end,
    startCodePoint: offsets.toCodePoint(chunk.start),
    wordCount: chunk.endWord - chunk.firstWord,
    form: fingerprintForm(tokens.words.slice(chunk.firstWord, chunk.endWord)),
  }));
}

/** After the last blank line within reach, else the last sentence end or white space, else anywhere but inside a pair. */
function partEnd(text: string, start: number): number {
  const limit = start + PART_LENGTH_MAX;
  if (limit >= text.length) return text.length;
  const tail = text.slice(limit - PART_END_REACH, limit);
  for (const boundary of [/\n\s*\n/g, /[.!?。！？]\s*/g, /\s/g]) {
    const last = [...tail.matchAll(boundary)].at(-1);
    if (last !== undefined) return limit - PART_END_REACH + last.index + last[0].length;
  }
  return outsidePair(text, limit);
}

/** A part without a word has no chunks: its text goes to the chunk before it, or to the first. */
function coveringGaps(
  chunks: readonly UnmeasuredChunk[],
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

/** Where each chunk of a text begins, and where the last one ends, in both units; a text without chunks has one offset. */
export function chunkOffsetsOf(chunks: readonly FingerprintedChunk[]): {
  readonly utf16: readonly number[];
  readonly codePoints: readonly number[];
} {
  const last = chunks.at(-1);
  return {
    utf16: [...chunks.map(({ start }) => start), last?.end ?? 0],
    codePoints: [
      ...chunks.map(({ startCodePoint }) => startCodePoint),
      last === undefined ? 0 : last.startCodePoint + last.charCount,
    ],
  };
}
