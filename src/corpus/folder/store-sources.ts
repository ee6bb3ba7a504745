import { allOrEach, groupItems } from "../../platform/flow/concurrency.ts";
import { isStoreUnavailable, type RetryPolicy } from "../../platform/flow/retry-policy.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { DocumentStore } from "../document-store.ts";
import type { FingerprintDocuments } from "../ingest/fingerprint-documents.ts";
import type { IngestDocuments } from "../ingest/ingest-documents.ts";
import type { IngestTally } from "./ingest-tally.ts";
import type { FreshSource } from "./prepare-file.ts";

/**
 * Documents that are stored in one transaction, at most. Text counts in UTF-16 units; with the batch that is prepared
 * meanwhile it is what the ingest holds in memory.
 */
const BATCH = { countMax: 200, sizeMax: 4_000_000 } as const;

/** Groups what was read into batches. */
export function inBatches(sources: AsyncIterable<FreshSource>): AsyncIterable<readonly FreshSource[]> {
  return groupItems(sources, { ...BATCH, sizeOf: ({ source }) => source.text.length });
}

export type StoreParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly ingestDocuments: IngestDocuments;
  readonly fingerprintDocuments: FingerprintDocuments;
  readonly log: Logger;
};

type Options = StoreParts & {
  readonly tally: IngestTally;
  readonly withPatience: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Documents whose chunks are written together, by the length of their texts: each time the index is refreshed, and a segment
 * begun that is to be merged. With 4 million a load spent a third of OpenSearch's time on that.
 */
const FINGERPRINTED_SIZE = 12_000_000;

/** A document that is stored, and what it is counted as when it is matchable. */
type Stored = {
  readonly documentId: string;
  readonly path: string;
  readonly outcome: FreshSource["outcome"];
  readonly size: number;
};

/** Writes what an ingest has read; what can't be written is counted as failed and stops nothing else. */
export class SourceWriter {
  readonly #parts: Options;
  /** Stored, but not to be fingerprinted: they are pending, and stay so until the next ingest. */
  readonly #failedIds = new Set<string>();
  #stored: Stored[] = [];

  constructor(parts: Options) {
    this.#parts = parts;
  }

  /**
   * Stores documents, and makes matchable what is stored when there is enough of it. Where that fails for all together, each
   * is tried alone.
   * @throws DomainError `store_unavailable` when a store stays away; the signal's reason.
   */
  async write(batch: readonly FreshSource[]): Promise<void> {
    const { ingestDocuments, withPatience } = this.#parts;
    await allOrEach(batch, {
      work: async (sources) => {
        const ingested = await withPatience(() => ingestDocuments(sources.map(({ source }) => source)));
        this.#stored.push(
          ...sources.flatMap(({ path, outcome, source: { text } }, at) => {
            const documentId = ingested[at]?.document.documentId;
            return documentId === undefined ? [] : { documentId, path, outcome, size: text.length };
          }),
        );
      },
      rethrowFatal: (error) => this.#rethrowFatal(error),
      onFailed: ({ path }, error) => this.#fail(path, undefined, error),
    });
    if (this.#stored.reduce((sum, { size }) => sum + size, 0) >= FINGERPRINTED_SIZE) await this.flush();
  }

  /** Makes matchable all that is stored. */
  async flush(): Promise<void> {
    const stored = this.#stored;
    this.#stored = [];
    await allOrEach(stored, {
      work: async (documents) => {
        await this.#fingerprint(documents.map(({ documentId }) => documentId));
        for (const { outcome } of documents) this.#parts.tally.count(outcome);
      },
      rethrowFatal: (error) => this.#rethrowFatal(error),
      onFailed: ({ path, documentId }, error) => this.#fail(path, documentId, error),
    });
  }

  /** Makes matchable what an ingest that was cut off has left pending in the collection. */
  async finishPending(collection: string): Promise<void> {
    const { database, documents, withPatience } = this.#parts;
    for (;;) {
      const limit = BATCH.countMax + this.#failedIds.size;
      const listed = await withPatience(() => documents.listPendingPlatform(database, collection, limit));
      const pending = listed.filter((id) => !this.#failedIds.has(id));
      if (pending.length === 0) return;
      const rows = await withPatience(() => documents.findAll(database, pending));
      const groups = groupItems(rows, { ...BATCH, sizeOf: ({ charCount }) => charCount });
      for await (const group of groups) {
        await allOrEach(group, {
          work: (some) => this.#fingerprint(some.map(({ documentId }) => documentId)),
          rethrowFatal: (error) => this.#rethrowFatal(error),
          onFailed: ({ filename, documentId }, error) => this.#fail(filename, documentId, error),
        });
      }
    }
  }

  async #fingerprint(documentIds: readonly string[]): Promise<void> {
    const { fingerprintDocuments, withPatience, tally } = this.#parts;
    tally.count("chunks", await withPatience(() => fingerprintDocuments(documentIds)));
  }

  #fail(path: string, documentId: string | undefined, error: unknown): void {
    const { log, tally } = this.#parts;
    log.error({ err: error, path }, "a document could not be stored");
    tally.fail(path, `It could not be stored. ${error instanceof Error ? error.message : String(error)}`);
    if (documentId !== undefined) this.#failedIds.add(documentId);
  }

  /** An ingest that is to end, or whose stores stay away, ends. */
  #rethrowFatal(error: unknown): void {
    this.#parts.signal?.throwIfAborted();
    if (isStoreUnavailable(error)) throw error;
  }
}
