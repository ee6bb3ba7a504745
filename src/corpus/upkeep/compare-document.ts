import { z } from "zod";
import { generationOf, meaningTermsOf } from "../../matching/meaning/meaning-terms.ts";
import type { MatchableDocument } from "../../matching/set.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole } from "../../platform/opensearch/whole-answer.ts";
import { unpackText } from "../../platform/packed-text.ts";
import { codePointLength } from "../../text/code-points.ts";
import { type ChunkOffsets, chunkOffsetsOf, type FingerprintedChunk } from "../../text/fingerprint-text.ts";
import { sampledShingles } from "../../text/sampled-shingles.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";

/** A document must be among this many hits, unless all of them share every term, as its copies do. */
const HITS_MAX = 50;

const SEARCH_MS = 10_000;

/** Chunks read in one answer: about 1.5 MB of normalised forms. */
const PAGE = 1_000;

/** Faults of the text are permanent; fingerprinting the document again repairs all others. */
export type DocumentFault =
  | "its text can't be unpacked"
  | "the length of its text differs from its row"
  | "its chunk offsets do not match its text"
  | "the index holds too few or too many of its chunks"
  | "chunks in the index do not match its text"
  | "semantic terms in the index do not match its sentences"
  | "a search for its own words does not find it";

/**
 * Finds the faults of a document; none when it is sound, deleted or pending. Cuts the text again and compares everything that
 * was derived from it. @throws DomainError `store_unavailable`.
 */
export function createCompareDocument(stores: CorpusStores) {
  const { database, opensearch, documents, texts, meaning, compute, chunkIndex } = stores;

  return async (documentId: string): Promise<readonly DocumentFault[]> => {
    const [document] = await documents.findAll(database, [documentId]);
    const [matchable] = await documents.findMatchable(database, [documentId]);
    if (document === undefined || matchable === undefined) return [];

    const text = await readText(documentId);
    if (text === undefined) return unlessDeleted(documentId, ["its text can't be unpacked"]);
    const chunks = await compute.run("fingerprint", { text, language: document.language });
    // Before the chunks are read, so that they have all terms of these generations. Of another one they may have some.
    const encodedBy = await meaning.encodedGenerations(database, documentId);
    const stored = await readStoredChunks(opensearch, chunkIndex.readAlias, documentId);

    const faults: DocumentFault[] = [];
    if (
      codePointLength(text) !== document.charCount ||
      Buffer.byteLength(text) !== (await textBytes(documentId))
    )
      faults.push("the length of its text differs from its row");
    if (!sameOffsets(matchable.chunkOffsets, chunkOffsetsOf(chunks)))
      faults.push("its chunk offsets do not match its text");
    if (stored.length !== chunks.length) faults.push("the index holds too few or too many of its chunks");
    else if (!chunks.every((chunk, position) => sameChunk(chunk, stored[position])))
      faults.push("chunks in the index do not match its text");
    if (encodedBy.length > 0 && !(await hasItsTerms(matchable, stored, encodedBy)))
      faults.push("semantic terms in the index do not match its sentences");
    if (!(await findsItself(documentId, chunks))) faults.push("a search for its own words does not find it");
    return unlessDeleted(documentId, faults);
  };

  /** In this thread, 0.3 ms a section: an error of a worker thread may say nothing about the text. */
  async function readText(documentId: string): Promise<string | undefined> {
    const sections = (await texts.findAll(database, [documentId])).get(documentId) ?? [];
    try {
      return unpackText(sections);
    } catch {
      return undefined;
    }
  }

  async function textBytes(documentId: string): Promise<number | undefined> {
    const [row] = await database.query<{ text_bytes: number }>(
      "select text_bytes from documents where document_id = $1",
      [documentId],
    );
    return row?.text_bytes;
  }

  async function hasItsTerms(
    { documentId, chunkOffsets }: MatchableDocument,
    stored: readonly StoredChunk[],
    encodedBy: readonly number[],
  ): Promise<boolean> {
    const sections = (await meaning.findSections(database, [documentId])).get(documentId) ?? [];
    // A generation that was dropped meanwhile has no sections any more.
    const kept = await meaning.encodedGenerations(database, documentId);
    const generations = new Set(encodedBy.filter((generation) => kept.includes(generation)));
    const terms = meaningTermsOf(
      sections.filter(({ generation }) => generations.has(generation)),
      chunkOffsets,
    );
    return stored.every(({ chunkIndex: chunk, meaningTerms }) => {
      const expected = new Set(terms.get(chunk));
      // Terms of a generation that is gone stay until the chunk is written again; no search asks for them.
      const found = meaningTerms.filter((term) => generations.has(generationOf(term)));
      return found.length === expected.size && found.every((term) => expected.has(term));
    });
  }

  async function findsItself(documentId: string, chunks: readonly FingerprintedChunk[]): Promise<boolean> {
    const forms = chunks.map(({ form }) => form);
    const shingleLists = [forms[0] ?? "", forms[forms.length >> 1] ?? ""].map(sampledShingles);
    const terms = shingleLists.toSorted((a, b) => b.length - a.length)[0] ?? [];
    if (terms.length === 0) return true;
    const [search] = await chunkIndex.search([terms], HITS_MAX, SEARCH_MS);
    await chunkIndex.assertCurrent();
    if (search?.complete !== true)
      throw new DomainError("store_unavailable", "OpenSearch did not search the whole index.");
    const { hits } = search;
    if (hits.some((hit) => hit.documentId === documentId)) return true;
    return hits.length === HITS_MAX && hits.every(({ score }) => score >= terms.length);
  }

  /** A document that was deleted during the comparison has no faults. */
  async function unlessDeleted(documentId: string, faults: readonly DocumentFault[]) {
    if (faults.length === 0) return [];
    const [row] = await documents.findMatchable(database, [documentId]);
    return row === undefined ? [] : faults;
  }
}

function sameOffsets(a: ChunkOffsets, b: ChunkOffsets): boolean {
  const same = (one: readonly number[], other: readonly number[]) =>
    one.length === other.length && one.every((offset, position) => offset === other[position]);
  return same(a.utf16, b.utf16) && same(a.codePoints, b.codePoints);
}

function sameChunk(chunk: FingerprintedChunk, stored: StoredChunk | undefined): boolean {
  return (
    stored?.chunkIndex === chunk.index &&
    stored.form === chunk.form &&
    stored.wordCount === chunk.wordCount &&
    stored.charCount === chunk.charCount
  );
}

type StoredChunk = z.output<typeof StoredChunk>;

/** The chunks of a document on its own shard, as searches find them, by number. @throws DomainError `store_unavailable`. */
export async function readStoredChunks(
  opensearch: OpenSearch,
  index: string,
  documentId: string,
): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = [];
  for (;;) {
    const last = chunks.at(-1);
    const { body } = await askOpenSearch(() =>
      opensearch.search({
        index,
        routing: documentId,
        allow_partial_search_results: false,
        body: {
          size: PAGE,
          track_total_hits: false,
          _source: ["chunk_index", "word_count", "char_count", "fingerprint", "semantic_terms"],
          query: { term: { document_id: { value: documentId } } },
          sort: [{ chunk_index: "asc" }],
          ...(last !== undefined && { search_after: [last.chunkIndex] }),
        },
      }),
    );
    assertWhole(body);
    const { hits } = Found.parse(body).hits;
    chunks.push(...hits.map(({ _source }) => _source));
    if (hits.length < PAGE) return chunks;
  }
}

const StoredChunk = z
  .object({
    chunk_index: z.int(),
    word_count: z.int(),
    char_count: z.int(),
    fingerprint: z.string(),
    semantic_terms: z.array(z.string()).default([]),
  })
  .transform((source) => ({
    chunkIndex: source.chunk_index,
    wordCount: source.word_count,
    charCount: source.char_count,
    form: source.fingerprint,
    meaningTerms: source.semantic_terms,
  }));

const Found = z.object({ hits: z.object({ hits: z.array(z.object({ _source: StoredChunk })) }) });
