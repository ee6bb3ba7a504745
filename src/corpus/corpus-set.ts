import type { SearchableSet, WordIndex } from "../matching/set.ts";
import type { Database } from "../platform/postgres/database.ts";
import { COUNTED_DOCUMENTS_MAX } from "../report/figures/report.ts";
import type { CorpusSelection, DocumentStore } from "./documents/document-store.ts";
import type { MeaningStore } from "./documents/meaning-store.ts";
import type { TextStore } from "./documents/text-store.ts";
import type { ChunkIndex } from "./index/chunk-index.ts";
import { selectedChunks } from "./index/chunk-search.ts";
import type { FrequentShingles } from "./index/frequent-shingle-store.ts";

type CorpusSetParts = {
  readonly database: Database;
  readonly chunkIndex: ChunkIndex;
  readonly documents: Pick<
    DocumentStore,
    "findMatchable" | "findChunkSpans" | "countMatchable" | "countSelected"
  >;
  readonly texts: Pick<TextStore, "findRanges">;
  readonly meaning: Pick<MeaningStore, "findSectionsIn" | "assertKept" | "progress">;
  readonly frequentShingles: FrequentShingles;
};

/** The corpus, or a selection of its documents, as a set that a query is matched against. */
export function corpusSet(
  parts: CorpusSetParts,
  selection?: CorpusSelection,
): SearchableSet & { readonly countDocuments: () => Promise<number> } {
  const { database, chunkIndex, documents, texts, meaning, frequentShingles } = parts;
  const filter = selection && selectedChunks(selection);
  return {
    words: new IndexedWords(chunkIndex, filter),
    isOneSubject: false,
    findFrequent: (shingles) => frequentShingles.among(database, shingles),
    // Chunks that an earlier release wrote lack the fields of the filter.
    findDocuments: (documentIds) => documents.findMatchable(database, documentIds, selection),
    readTexts: (ranges) => texts.findRanges(database, ranges),
    findNear: (searched, size, timeMs) => chunkIndex.searchMeaning(searched, size, timeMs, filter),
    findChunks: (chunks) => documents.findChunkSpans(database, chunks),
    readSentences: (ranges, generation) => meaning.findSectionsIn(database, ranges, generation),
    countEncoded: () =>
      selection === undefined
        ? meaning.progress(database, COUNTED_DOCUMENTS_MAX)
        : documents.countSelected(database, selection, COUNTED_DOCUMENTS_MAX),
    countDocuments: async () => {
      if (selection === undefined) return documents.countMatchable(database, COUNTED_DOCUMENTS_MAX);
      return (await documents.countSelected(database, selection, COUNTED_DOCUMENTS_MAX)).matchable;
    },
    assertSearched: async (generation) => {
      await Promise.all([chunkIndex.assertCurrent(), meaning.assertKept(database, generation)]);
    },
  };
}

/** The chunks of an index, or only the chunks that match a filter, as an index of words. */
export class IndexedWords implements WordIndex {
  readonly #index: ChunkIndex;
  readonly #filter: object | undefined;

  constructor(index: ChunkIndex, filter?: object) {
    this.#index = index;
    this.#filter = filter;
  }

  readonly countTerms: WordIndex["countTerms"] = (terms) => this.#index.countTerms(terms);

  readonly findShared: WordIndex["findShared"] = (shingleLists, size, timeMs) =>
    this.#index.search(shingleLists, size, timeMs, this.#filter);

  readonly findWords: WordIndex["findWords"] = (termLists, size, timeMs, scoreMin) =>
    this.#index.searchWords(termLists, size, timeMs, scoreMin, this.#filter);

  readonly readForms: WordIndex["readForms"] = (chunks) => this.#index.readNormalisedForms(chunks);

  readonly assertCurrent: WordIndex["assertCurrent"] = () => this.#index.assertCurrent();
}
