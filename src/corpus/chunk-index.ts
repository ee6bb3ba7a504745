import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { DomainError } from "../core/domain-error.ts";
import type { FingerprintedChunk } from "../core/fingerprint/fingerprint-text.ts";
import { BulkWriter } from "../platform/opensearch/bulk-writer.ts";
import { readIndexTemplate, readSettingsComponent } from "../platform/opensearch/index-template.ts";
import { askOpenSearch, type OpenSearch, rethrowRefused } from "../platform/opensearch/opensearch.ts";
import type { Document } from "./document.ts";

/** Each rebuild makes the index of the next number; readers and writers only ever name the aliases. */
const FIRST_NUMBER = 1;

/**
 * How long one search may take in the index, at most, before it gives back what it has, marked as timed out. A search
 * of one chunk takes 4 ms over 200,000 chunks, so one that needs this long is in trouble.
 */
const SEARCH_TIMEOUT_MS = 10_000;

/** What a search may take beyond its timeout on the way there and back; after that the store counts as down. */
const ANSWER_SLACK_MS = 5_000;

/** A probe is asked every few seconds: an answer that takes longer than this is none. */
const PROBE_TIMEOUT_MS = 2_000;

/** Documents whose chunks are removed in one request; each may have thousands. */
const REMOVAL_BATCH = 500;

/** A removal of many chunks may take this long; a search meanwhile is not held up. */
const REMOVAL_TIMEOUT_MS = 120_000;

/** A chunk of the corpus that shares search terms with a chunk of the query. */
export type ChunkHit = {
  readonly documentId: string;
  readonly chunkIndex: number;
  readonly sharedShingles: number;
};

/** What the search for one query chunk gave. Without `complete`, part of the corpus was not searched. */
export type ChunkSearch = { readonly hits: readonly ChunkHit[]; readonly complete: boolean };

/**
 * The chunks of the corpus in OpenSearch. PostgreSQL is the truth: everything here can be made anew from there.
 * Every method throws DomainError `store_unavailable` when OpenSearch does not answer.
 */
export class ChunkIndex {
  readonly #client: OpenSearch;
  readonly #prefix: string;
  readonly #writer: BulkWriter;

  constructor(client: OpenSearch, prefix: string, onBulkRetry: (reason: string) => void) {
    this.#client = client;
    this.#prefix = prefix;
    this.#writer = new BulkWriter(client, onBulkRetry);
  }

  get readAlias(): string {
    return `${this.#prefix}chunks-read`;
  }

  get writeAlias(): string {
    return `${this.#prefix}chunks-write`;
  }

  /** A pattern for the indices of all numbers. */
  get everyIndex(): string {
    return `${this.#prefix}chunks-v*`;
  }

  /** Puts the templates, and makes the first index and its aliases where there are none. Safe to run at once from several processes. */
  async prepare(): Promise<void> {
    await askOpenSearch(async () => {
      await this.#client.cluster.putComponentTemplate({
        name: `${this.#prefix}chunk-analysis`,
        body: await readSettingsComponent("chunk-analysis"),
      });
      await this.#client.indices.putIndexTemplate({
        name: `${this.#prefix}chunks`,
        body: await readIndexTemplate("chunks", this.#prefix),
      });
      const { body: exists } = await this.#client.indices.existsAlias({ name: this.readAlias });
      if (exists) return;
      await this.#client.indices
        .create({
          index: `${this.#prefix}chunks-v${FIRST_NUMBER}`,
          body: { aliases: { [this.readAlias]: {}, [this.writeAlias]: { is_write_index: true } } },
        })
        .catch(ignoreAlreadyExists);
    }).catch(rethrowRefused);
  }

  /** True when OpenSearch answers and the aliases stand. */
  async isReady(): Promise<boolean> {
    const { body } = await this.#client.indices.existsAlias(
      { name: this.readAlias },
      { requestTimeout: PROBE_TIMEOUT_MS, maxRetries: 0 },
    );
    return body;
  }

  /**
   * Writes all chunks of the documents and makes them findable; ids are made of document and chunk, so that a
   * repetition changes nothing.
   */
  async write(documents: readonly IndexedDocument[]): Promise<void> {
    await askOpenSearch(async () => {
      await this.#writer.write(this.writeAlias, documents.flatMap(toItems));
      await this.#client.indices.refresh({ index: this.writeAlias });
    });
  }

  /** Removes all chunks of these documents, from every index that holds some: also from one that is being built. */
  async remove(documentIds: readonly string[]): Promise<void> {
    await askOpenSearch(async () => {
      await this.#client.indices.refresh({ index: this.everyIndex });
      for (let from = 0; from < documentIds.length; from += REMOVAL_BATCH) {
        const { body } = await this.#client.deleteByQuery(
          {
            index: this.everyIndex,
            conflicts: "proceed",
            refresh: true,
            body: { query: { terms: { document_id: documentIds.slice(from, from + REMOVAL_BATCH) } } },
          },
          { requestTimeout: REMOVAL_TIMEOUT_MS },
        );
        const { timed_out, version_conflicts, failures } = Removal.parse(body);
        if (timed_out || version_conflicts > 0 || failures.length > 0)
          throw new DomainError("store_unavailable", "OpenSearch has not removed all chunks of a document.");
      }
    });
  }

  /**
   * For each list of search terms, the chunks that share most of them, best first, `size` at most. Gives back what was
   * found when `timeMs` is over.
   * @throws when the index is missing: that is no empty corpus.
   */
  async search(
    termLists: readonly (readonly string[])[],
    size: number,
    timeMs: number,
  ): Promise<ChunkSearch[]> {
    const timeout = Math.ceil(Math.min(SEARCH_TIMEOUT_MS, Math.max(1, timeMs)));
    const body = termLists.flatMap((terms) => [{}, chunkQuery(terms, size, timeout)]);
    const limits = { requestTimeout: timeout + ANSWER_SLACK_MS, maxRetries: 0 };
    const answer = await askOpenSearch(() => this.#client.msearch({ index: this.readAlias, body }, limits));
    return termLists.map((_, position) => toChunkSearch(answer.body.responses[position]));
  }
}

/** A document with the chunks it was cut into. */
export type IndexedDocument = {
  readonly document: Document;
  readonly chunks: readonly FingerprintedChunk[];
};

function toItems({ document, chunks }: IndexedDocument) {
  return chunks.map((chunk) => ({
    id: `${document.documentId}:${chunk.index}`,
    body: {
      document_id: document.documentId,
      chunk_index: chunk.index,
      scope: document.scope,
      title: document.title,
      language: document.language,
      media_type: document.mediaType,
      source_url: document.sourceUrl,
      ingested_at: document.createdAt.toISOString(),
      word_count: chunk.wordCount,
      char_count: chunk.charCount,
      fingerprint: chunk.form,
    },
  }));
}

function chunkQuery(terms: readonly string[], size: number, timeoutMs: number) {
  return {
    size,
    timeout: `${timeoutMs}ms`,
    track_total_hits: false,
    _source: false,
    docvalue_fields: ["document_id", "chunk_index"],
    query: {
      bool: { should: terms.map((value) => ({ term: { fingerprint: { value } } })), minimum_should_match: 1 },
    },
  };
}

/** What OpenSearch says of a delete by query; it answers 200 also when it has removed only a part. */
const Removal = z.object({
  timed_out: z.boolean(),
  version_conflicts: z.number(),
  failures: z.array(z.unknown()),
});

type SearchAnswer = {
  readonly error?: unknown;
  readonly timed_out?: boolean;
  readonly _shards?: { readonly failed?: number };
  readonly hits?: { readonly hits?: readonly SearchHit[] };
};

type SearchHit = {
  readonly _score?: unknown;
  readonly fields?: Readonly<Record<string, readonly unknown[]>>;
};

function toChunkSearch(answer: SearchAnswer | undefined): ChunkSearch {
  if (answer === undefined) return { hits: [], complete: false };
  if (isIndexMissing(answer.error)) throw new Error("the chunk index is missing in OpenSearch");
  const hits = (answer.hits?.hits ?? []).map((hit) => ({
    documentId: String(hit.fields?.document_id?.[0]),
    chunkIndex: Number(hit.fields?.chunk_index?.[0]),
    sharedShingles: Number(hit._score),
  }));
  const complete = answer.error === undefined && answer.timed_out === false && answer._shards?.failed === 0;
  return { hits, complete };
}

function isIndexMissing(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "type" in error &&
    error.type === "index_not_found_exception"
  );
}

function ignoreAlreadyExists(error: unknown): void {
  const exists =
    error instanceof errors.ResponseError && error.message.includes("resource_already_exists_exception");
  if (!exists) throw error;
}
