import { fingerprintedSentences, SENTENCES_AT_ONCE } from "../../matching/encode-sentences.ts";
import type { ReadyModel } from "../../matching/encoder/sentence-encoder.ts";
import { meaningTerm } from "../../matching/meaning/cells.ts";
import {
  cellsByChunk,
  packSentences,
  type SentenceFingerprint,
  type SentenceSection,
} from "../../matching/meaning/sentence-section.ts";
import type { AnalysedSource } from "../../matching/preparation-tasks.ts";
import type { ChunkSearch, MatchableDocument, SearchableSet, SentenceTerms } from "../../matching/set.ts";
import type { TermCounts } from "../../matching/words/search-terms.ts";
import type { ChunkOffsets } from "../../text/fingerprint-text.ts";
import type { Span } from "../../text/span.ts";
import { wordTerms } from "../../text/word-terms.ts";

/** The identifier of the source while it is compared. It is not a document of the corpus. */
const SOURCE_ID = "source";

/**
 * Chunks of the source that are ranked for each part of the query. A source of no more chunks, some 2,000 words, is compared whole.
 * Of several sources, a check ranks fifty or more for a part; of one, it seldom finds more than these.
 */
const CHUNKS_OF_PART = 12;

/** A single text as a set that a query is matched against. Words are as frequent and shingles as common as in the corpus. */
export function textSet(
  source: AnalysedSource & { readonly language: string },
  corpus: SearchableSet,
): SearchableSet {
  const { language, chunkOffsets, sections, sentences } = source;
  const chunked: MatchableDocument = { documentId: SOURCE_ID, language, chunkOffsets };
  const fingerprints = new Fingerprints(chunkOffsets);
  return {
    words: {
      document: { ...chunked, chunkOffsets: asOneChunk(chunkOffsets) },
      countTerms: async (terms) => {
        const { shingles, words } = await corpus.words.countTerms(terms);
        return { shingles, words: withSource(words, source.forms) };
      },
      sentences,
      fingerprint: (ready, hasTime, signal) => fingerprints.add(ready, sentences, hasTime, signal),
    },
    isOneSubject: false,
    sourcesCompared: 1,
    findFrequent: corpus.findFrequent,
    findDocuments: async (documentIds) => (documentIds.includes(SOURCE_ID) ? [chunked] : []),
    readTexts: async (ranges) =>
      sectionsIn(
        sections.map((section) => ({ ...section, end: section.start + section.length })),
        ranges,
      ),
    findNear: async (parts) => parts.map((sentenceTerms) => fingerprints.search(sentenceTerms)),
    findChunks: async (chunks) =>
      chunks.map(({ chunkIndex }) => {
        const [start, end] = chunkOffsets.utf16.slice(chunkIndex, chunkIndex + 2);
        return start === undefined || end === undefined ? undefined : { start, end };
      }),
    readSentences: async (ranges) => sectionsIn(fingerprints.sections, ranges),
    countEncoded: async () => ({ encoded: 1, lacking: 0 }),
    assertSearched: async () => undefined,
  };
}

function asOneChunk({ utf16, codePoints }: ChunkOffsets): ChunkOffsets {
  return { utf16: [0, utf16.at(-1) ?? 0], codePoints: [0, codePoints.at(-1) ?? 0] };
}

/** The fingerprints of the source's sentences, which are searched as an index is. */
class Fingerprints {
  readonly #chunkStarts: readonly number[];
  readonly #chunksWith = new Map<string, number[]>();
  sections: readonly SentenceSection[] = [];

  constructor({ utf16 }: ChunkOffsets) {
    this.#chunkStarts = utf16.slice(0, -1);
  }

  /** Adds the fingerprints of as many sentences as there is time for; returns their number. */
  async add(
    ready: ReadyModel,
    sentences: AnalysedSource["sentences"],
    hasTime: () => boolean,
    signal: AbortSignal,
  ): Promise<number> {
    const added: SentenceFingerprint[] = [];
    while (added.length < sentences.length && hasTime()) {
      const group = sentences.slice(added.length, added.length + SENTENCES_AT_ONCE);
      const { fingerprints } = await fingerprintedSentences(ready, group, "check", signal);
      added.push(...fingerprints);
    }
    this.sections = packSentences(added);
    for (const [chunk, cells] of cellsByChunk(added, this.#chunkStarts)) {
      for (const cell of cells) {
        const term = meaningTerm(ready.model.generation, cell);
        this.#chunksWith.set(term, [...(this.#chunksWith.get(term) ?? []), chunk]);
      }
    }
    return added.length;
  }

  search(sentences: readonly SentenceTerms[]): ChunkSearch {
    const scores = this.#scoresOf(sentences);
    const hits = [...this.#chunkStarts.keys()]
      .map((chunkIndex) => ({ documentId: SOURCE_ID, chunkIndex, score: scores.get(chunkIndex) ?? 0 }))
      .toSorted((a, b) => b.score - a.score || a.chunkIndex - b.chunkIndex)
      .slice(0, CHUNKS_OF_PART);
    return { hits, complete: true };
  }

  /** Each sentence counts by its best term, as in a search of the index. */
  #scoresOf(sentences: readonly SentenceTerms[]): ReadonlyMap<number, number> {
    const scores = new Map<number, number>();
    for (const terms of sentences) {
      const best = new Map<number, number>();
      for (const { term, weight } of terms)
        for (const chunk of this.#chunksWith.get(term) ?? [])
          best.set(chunk, Math.max(best.get(chunk) ?? 0, weight));
      for (const [chunk, weight] of best) scores.set(chunk, (scores.get(chunk) ?? 0) + weight);
    }
    return scores;
  }
}

/** The counts of a corpus that also has the source: then a text is compared with it as a check would. */
function withSource({ chunks, chunksWith }: TermCounts, sourceForms: readonly string[]): TermCounts {
  const counts = new Map(chunksWith);
  for (const form of sourceForms) {
    for (const term of new Set(wordTerms(form)))
      if (counts.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return { chunks: chunks + sourceForms.length, chunksWith: counts };
}

/** The sections that overlap a range, as sections of the source. */
function sectionsIn<Section extends Span>(
  sections: readonly Section[],
  ranges: readonly Span[],
): ReadonlyMap<string, readonly Section[]> {
  const overlapping = sections.filter(({ start, end }) =>
    ranges.some((range) => range.start < end && range.end > start),
  );
  return new Map([[SOURCE_ID, overlapping]]);
}
