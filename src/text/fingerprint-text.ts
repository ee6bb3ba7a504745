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
 * A longer text is processed in parts of 60 MB of memory: the words of 20 million Chinese characters need over 1 GB. A part of prose
 * takes 0.2 s. The longest text to check is one part, so it has the same chunks as its copy in the corpus. In UTF-16 units.
 */
export const PART_LENGTH_MAX = 1_000_000;

/** The part of the text, before its greatest length, in which a good end is sought. */
const PART_END_REACH = 20_000;

/** The chunks of a text with their forms, without gaps; a text without a word has no chunks. They depend on text and language alone. */
export function fingerprintText(text: string, language: string): FingerprintedChunk[] {
  const parts: FingerprintedPart[] = [];
  for (let start = 0; start < text.length; start += parts.at(-1)?.length.utf16 ?? 0)
    parts.push(fingerprintPart(text.slice(start, start + PART_LENGTH_MAX + 1), language));
  return joinParts(parts);
}

/** The chunks of a part of a text; offsets count from its start, and `length` is the length of the part. */
export type FingerprintedPart = {
  readonly chunks: readonly Omit<FingerprintedChunk, "charCount" | "index">[];
  readonly length: { readonly utf16: number; readonly codePoints: number };
};

/** Cuts the first part of a text. @param rest more than `PART_LENGTH_MAX` units, or all that is left of the text. */
export function fingerprintPart(rest: string, language: string): FingerprintedPart {
  const part = rest.slice(0, partEnd(rest));
  return {
    chunks: chunksOf(part, language),
    length: { utf16: part.length, codePoints: codePointLength(part) },
  };
}

/** The chunks of a text from its parts. A part without a word has no chunks: its text goes to the chunk before it, or to the first. */
export function joinParts(parts: readonly FingerprintedPart[]): FingerprintedChunk[] {
  const length = { utf16: 0, codePoints: 0 };
  const chunks: Omit<FingerprintedChunk, "charCount">[] = [];
  for (const part of parts) {
    for (const { start, end, startCodePoint, ...chunk } of part.chunks) {
      chunks.push({
        ...chunk,
        index: chunks.length,
        start: length.utf16 + start,
        end: length.utf16 + end,
        startCodePoint: length.codePoints + startCodePoint,
      });
    }
    length.utf16 += part.length.utf16;
    length.codePoints += part.length.codePoints;
  }
  return chunks.map((chunk, position) => {
    const start = position === 0 ? 0 : chunk.start;
    const startCodePoint = position === 0 ? 0 : chunk.startCodePoint;
    const next = chunks[position + 1];
    const charCount = (next?.startCodePoint ?? length.codePoints) - startCodePoint;
    return { ...chunk, start, startCodePoint, charCount, end: next?.start ?? length.utf16 };
  });
}

function chunksOf(submitted: string, language: string): FingerprintedPart["chunks"] {
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
function partEnd(rest: string): number {
  if (rest.length <= PART_LENGTH_MAX) return rest.length;
  const tail = rest.slice(PART_LENGTH_MAX - PART_END_REACH, PART_LENGTH_MAX);
  for (const boundary of [/\n\s*\n/g, /[.!?。！？]\s*/g, /\s/g]) {
    const last = [...tail.matchAll(boundary)].at(-1);
    if (last !== undefined) return PART_LENGTH_MAX - PART_END_REACH + last.index + last[0].length;
  }
  return outsidePair(rest, PART_LENGTH_MAX);
}

/** Where each chunk of a text begins, and where the last one ends, in both units; a text without chunks has one offset. */
export type ChunkOffsets = { readonly utf16: readonly number[]; readonly codePoints: readonly number[] };

export function chunkOffsetsOf(chunks: readonly FingerprintedChunk[]): ChunkOffsets {
  const last = chunks.at(-1);
  return {
    utf16: [...chunks.map(({ start }) => start), last?.end ?? 0],
    codePoints: [
      ...chunks.map(({ startCodePoint }) => startCodePoint),
      last === undefined ? 0 : last.startCodePoint + last.charCount,
    ],
  };
}
