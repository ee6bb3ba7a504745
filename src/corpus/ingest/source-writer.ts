import type { OcrSettings } from "../../extract/ocr/ocr-settings.ts";
import { errorMessage } from "../../platform/error-code.ts";
import { allOrEach, groupItems } from "../../platform/flow/concurrency.ts";
import { isStoreUnavailable, type RetryPolicy } from "../../platform/flow/retry-policy.ts";
import type { SourceDocument } from "../documents/document.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import type { FingerprintDocuments } from "./fingerprint-documents.ts";
import type { IngestDocuments } from "./ingest-documents.ts";
import type { IngestTally } from "./ingest-tally.ts";

/** The documents of one transaction, by UTF-16 units of text; memory holds this batch and the next. */
const BATCH = { countMax: 200, sizeMax: 4_000_000 } as const;

/** One batch is written while the next is prepared; more would only take memory. */
export const BATCHES_IN_FLIGHT = 2;

/**
 * Text length from which chunks are written. With 4 million, a third of OpenSearch's time went into refreshes. The first times it is less,
 * doubled each time, so that a person soon sees documents counted.
 */
const FINGERPRINTED_SIZE = 12_000_000;
const FINGERPRINTED_SIZE_FIRST = 1_000_000;

export type FreshSource = {
  readonly outcome: "added" | "replaced";
  readonly path: string;
  readonly source: SourceDocument;
};

export function inBatches(sources: AsyncIterable<FreshSource>): AsyncIterable<readonly FreshSource[]> {
  return groupItems(sources, { ...BATCH, sizeOf: ({ source }) => source.text.length });
}

/** The corpus with the two use cases of every ingest. */
export type WritableCorpus = CorpusStores & {
  readonly ingestDocuments: IngestDocuments;
  readonly fingerprintDocuments: FingerprintDocuments;
  /** How scanned pages are read; undefined if they are not. */
  readonly ocr?: OcrSettings | undefined;
  /** How long a store may be away, in milliseconds. */
  readonly storeWaitMs?: number;
};

type Options = WritableCorpus & {
  readonly tally: IngestTally;
  readonly withRetries: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
};

type Stored = {
  readonly documentId: string;
  readonly path: string;
  readonly outcome: FreshSource["outcome"];
  readonly size: number;
};

/** Writes the documents that an ingest has read. A document that can't be written counts as failed and stops nothing else. */
export class SourceWriter {
  readonly #run: Options;
  /** Stored documents that can't be fingerprinted: they stay pending until the next ingest. */
  readonly #failedIds = new Set<string>();
  #stored: Stored[] = [];
  #hasFailed = false;
  #flushFrom = FINGERPRINTED_SIZE_FIRST;

  constructor(run: Options) {
    this.#run = run;
  }

  /** Whether a document could not be stored or made matchable. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Stores documents, each alone if that fails for all, and makes stored ones matchable once there are enough. */
  async write(batch: readonly FreshSource[]): Promise<void> {
    const { tally } = this.#run;
    await tally.whileBegun(batch.length, () => this.#store(batch));
    if (this.#stored.reduce((sum, { size }) => sum + size, 0) < this.#flushFrom) return;
    this.#flushFrom = Math.min(2 * this.#flushFrom, FINGERPRINTED_SIZE);
    await this.flush();
  }

  async #store(batch: readonly FreshSource[]): Promise<void> {
    const { ingestDocuments, withRetries, tally } = this.#run;
    await allOrEach(batch, {
      work: async (sources) => {
        const ingested = await withRetries(() => ingestDocuments(sources.map(({ source }) => source)));
        for (const { document } of ingested) tally.countLanguage(document);
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
  }

  async flush(): Promise<void> {
    const stored = this.#stored;
    this.#stored = [];
    await this.#run.tally.whileBegun(stored.length, () => this.#makeMatchable(stored));
  }

  async #makeMatchable(stored: readonly Stored[]): Promise<void> {
    await allOrEach(stored, {
      work: async (documents) => {
        await this.#fingerprint(documents);
        for (const { outcome } of documents) this.#run.tally.count(outcome);
      },
      rethrowFatal: (error) => this.#rethrowFatal(error),
      onFailed: ({ path, documentId }, error) => this.#fail(path, documentId, error),
    });
  }

  /** Makes documents matchable that an interrupted ingest of the collection left pending. */
  async finishPending(collection: string): Promise<void> {
    const { database, documents, withRetries } = this.#run;
    for (;;) {
      const limit = BATCH.countMax + this.#failedIds.size;
      const listed = await withRetries(() => documents.listPendingPlatform(database, collection, limit));
      const pending = listed.filter((id) => !this.#failedIds.has(id));
      if (pending.length === 0) return;
      const rows = await withRetries(() => documents.findAll(database, pending));
      const groups = groupItems(rows, { ...BATCH, sizeOf: ({ charCount }) => charCount });
      for await (const group of groups) {
        await allOrEach(group, {
          work: (some) => this.#fingerprint(some),
          rethrowFatal: (error) => this.#rethrowFatal(error),
          onFailed: ({ filename, documentId }, error) => this.#fail(filename, documentId, error),
        });
      }
    }
  }

  async #fingerprint(stored: readonly { readonly documentId: string }[]): Promise<void> {
    const { fingerprintDocuments, withRetries, tally } = this.#run;
    const documentIds = stored.map(({ documentId }) => documentId);
    tally.count("chunks", await withRetries(() => fingerprintDocuments(documentIds)));
  }

  #fail(path: string, documentId: string | undefined, error: unknown): void {
    const { log, tally } = this.#run;
    this.#hasFailed = true;
    log.error({ err: error, path }, "cannot store a document");
    tally.fail(path, `It could not be stored. ${errorMessage(error)}`);
    if (documentId !== undefined) this.#failedIds.add(documentId);
  }

  /** A stop request or a missing store ends the ingest. */
  #rethrowFatal(error: unknown): void {
    this.#run.signal?.throwIfAborted();
    if (isStoreUnavailable(error)) throw error;
  }
}
