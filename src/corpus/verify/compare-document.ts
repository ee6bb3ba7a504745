import type { ComputePool } from "../../compute/compute-pool.ts";
import { DomainError } from "../../core/domain-error.ts";
import type { FingerprintedChunk } from "../../core/fingerprint/fingerprint-text.ts";
import { codePointLength } from "../../core/text/code-points.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { type PackedSection, unpackText } from "../../platform/packed-text.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { ChunkBorders, Document } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import { bordersOf } from "../ingest/fingerprint-documents.ts";
import type { TextStore } from "../text-store.ts";
import { readStoredChunks, type StoredChunk } from "./stored-chunks.ts";

/** A document has to be among so many, or all of them share every term, as its copies do. */
const HITS_MAX = 50;

/** How long a document may take to find itself. */
const SEARCH_MS = 10_000;

/** What is wrong with a document; nothing when it is whole, or when it is gone or pending. */
export type CompareDocument = (documentId: string) => Promise<readonly DocumentFault[]>;

/** Faults of the text remain; all others go when the document is fingerprinted again. */
export type DocumentFault =
  | "its text can't be unpacked"
  | "its text has not the length that the row says"
  | "the borders of its chunks are not those of its text"
  | "the index holds other chunks of it than its text has"
  | "chunks of it in the index are not those of its text"
  | "its own words do not find it";

type Parts = {
  readonly database: Database;
  readonly opensearch: OpenSearch;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly compute: ComputePool;
  readonly chunkIndex: ChunkIndex;
};

/**
 * Makes the use case: the text is unpacked and cut anew, and everything that was made of it is held against that.
 * @throws DomainError `store_unavailable`.
 */
export function createCompareDocument(parts: Parts): CompareDocument {
  const { database, opensearch, documents, compute, chunkIndex } = parts;

  return async (documentId) => {
    const [document] = await documents.findAll(database, [documentId]);
    const [matchable] = await documents.findMatchable(database, [documentId]);
    if (document === undefined || matchable === undefined) return [];

    const text = await readText(documentId);
    if (text === undefined) return stillThere(document, ["its text can't be unpacked"]);
    const chunks = await compute.run("fingerprint", { text, language: document.language });
    const stored = await readStoredChunks(opensearch, chunkIndex.readAlias, documentId);

    const faults: DocumentFault[] = [];
    if (
      codePointLength(text) !== document.charCount ||
      Buffer.byteLength(text) !== (await textBytes(documentId))
    )
      faults.push("its text has not the length that the row says");
    if (!sameBorders(matchable.borders, bordersOf(chunks)))
      faults.push("the borders of its chunks are not those of its text");
    if (stored.length !== chunks.length) faults.push("the index holds other chunks of it than its text has");
    else if (!chunks.every((chunk, position) => sameChunk(chunk, stored[position])))
      faults.push("chunks of it in the index are not those of its text");
    if (!(await findsItself(documentId, chunks))) faults.push("its own words do not find it");
    return stillThere(document, faults);
  };

  async function readText(documentId: string): Promise<string | undefined> {
    const sections = await parts.texts.findAll(database, [documentId]);
    return unpacked(sections.get(documentId) ?? []);
  }

  async function textBytes(documentId: string): Promise<number | undefined> {
    const [row] = await database.query<{ text_bytes: number }>(
      "select text_bytes from documents where document_id = $1",
      [documentId],
    );
    return row?.text_bytes;
  }

  async function findsItself(documentId: string, chunks: readonly FingerprintedChunk[]): Promise<boolean> {
    const forms = chunks.map(({ form }) => form);
    const termLists = await compute.run("sampleForms", [forms[0] ?? "", forms[forms.length >> 1] ?? ""]);
    const terms = termLists.toSorted((a, b) => b.length - a.length)[0] ?? [];
    if (terms.length === 0) return true;
    const [search] = await chunkIndex.search([terms], HITS_MAX, SEARCH_MS);
    await chunkIndex.assertCurrent();
    if (search?.complete !== true)
      throw new DomainError("store_unavailable", "OpenSearch did not search the whole index.");
    const { hits } = search;
    if (hits.some((hit) => hit.documentId === documentId)) return true;
    return hits.length === HITS_MAX && hits.every(({ score }) => score >= terms.length);
  }

  /** A document that was deleted while it was looked at has no faults. */
  async function stillThere(document: Document, faults: readonly DocumentFault[]) {
    if (faults.length === 0) return [];
    const [row] = await documents.findMatchable(database, [document.documentId]);
    return row === undefined ? [] : faults;
  }
}

/**
 * In this thread, 0.3 ms a section: what a thread of its own throws may also mean that there is no memory left, or that it
 * was ended, and that says nothing of the text.
 */
function unpacked(sections: readonly PackedSection[]): string | undefined {
  try {
    return unpackText(sections);
  } catch {
    return undefined;
  }
}

function sameBorders(a: ChunkBorders, b: ChunkBorders): boolean {
  const same = (one: readonly number[], other: readonly number[]) =>
    one.length === other.length && one.every((border, position) => border === other[position]);
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
