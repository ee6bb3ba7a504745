import type { SentenceTerms } from "../../corpus/index.ts";
import { semanticTerm } from "../../matching/meaning/semantic-terms.ts";
import {
  cellsByChunk,
  packSentences,
  type SentenceFingerprint,
} from "../../matching/meaning/sentence-section.ts";
import type { AnalysedSource } from "../../matching/tasks.ts";
import type { SearchedTexts } from "../index.ts";

/** The identifier of the source while it is compared; it is no document of the corpus. */
export const SOURCE_ID = "source";

/**
 * Chunks of the source that are ranked for each part of the query. A source of no more chunks, some 2,000 words, is compared whole.
 * Of several sources, a check ranks fifty or more for a part; of one, it seldom finds more than these.
 */
const CHUNKS_OF_PART = 12;

export type FingerprintedSource = Pick<AnalysedSource, "chunkOffsets" | "sections"> & {
  readonly language: string;
  readonly generation: number;
  readonly sentences: readonly SentenceFingerprint[];
};

/** A single text that is searched in memory as the index searches the corpus. */
export function searchedText(source: FingerprintedSource): SearchedTexts {
  const { language, generation, chunkOffsets } = source;
  const chunks = [...chunkOffsets.utf16.slice(0, -1).keys()];
  const chunksWith = chunksByTerm(source);
  const spanOf = (chunk: number) => {
    const [start, end] = chunkOffsets.utf16.slice(chunk, chunk + 2);
    return start === undefined || end === undefined ? undefined : { start, end };
  };
  const sentenceSections = packSentences(source.sentences);
  return {
    search: async (parts) =>
      parts.map((sentences) => {
        const scores = scoresOf(sentences, chunksWith);
        const hits = chunks
          .map((chunkIndex) => ({ documentId: SOURCE_ID, chunkIndex, score: scores.get(chunkIndex) ?? 0 }))
          .toSorted((a, b) => b.score - a.score || a.chunkIndex - b.chunkIndex)
          .slice(0, CHUNKS_OF_PART);
        return { hits, complete: true };
      }),
    assertSearched: async () => undefined,
    progress: async () => ({ encoded: 1, lacking: 0 }),
    findChunks: async (found) => found.map(({ chunkIndex }) => spanOf(chunkIndex)),
    findDocuments: async (ids) =>
      ids.includes(SOURCE_ID) ? [{ documentId: SOURCE_ID, language, chunkOffsets }] : [],
    findTexts: async (ranges) =>
      sectionsIn(
        source.sections.map((section) => ({ ...section, end: section.start + section.length })),
        ranges,
      ),
    findSentences: async (ranges, wanted) =>
      sectionsIn(wanted === generation ? sentenceSections : [], ranges),
  };
}

function chunksByTerm({ sentences, generation, chunkOffsets }: FingerprintedSource): Map<string, number[]> {
  const chunks = new Map<string, number[]>();
  for (const [chunk, cells] of cellsByChunk(sentences, chunkOffsets.utf16.slice(0, -1))) {
    for (const cell of cells) {
      const term = semanticTerm(generation, cell);
      chunks.set(term, [...(chunks.get(term) ?? []), chunk]);
    }
  }
  return chunks;
}

/** Each sentence counts by its best term, as in a search of the index. */
function scoresOf(
  sentences: readonly SentenceTerms[],
  chunksWith: ReadonlyMap<string, readonly number[]>,
): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const terms of sentences) {
    const best = new Map<number, number>();
    for (const { term, weight } of terms)
      for (const chunk of chunksWith.get(term) ?? []) best.set(chunk, Math.max(best.get(chunk) ?? 0, weight));
    for (const [chunk, weight] of best) scores.set(chunk, (scores.get(chunk) ?? 0) + weight);
  }
  return scores;
}

type Range = { readonly start: number; readonly end: number };

/** The sections that overlap a range, as those of the source. */
function sectionsIn<Section extends Range>(
  sections: readonly Section[],
  ranges: readonly Range[],
): ReadonlyMap<string, readonly Section[]> {
  const overlapping = sections.filter(({ start, end }) =>
    ranges.some((range) => range.start < end && range.end > start),
  );
  return new Map([[SOURCE_ID, overlapping]]);
}
