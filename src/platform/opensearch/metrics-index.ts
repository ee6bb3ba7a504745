import { readIndexTemplate } from "./index-template.ts";
import { askOpenSearch, ignoreAlreadyExists, type OpenSearch, rethrowRefused } from "./opensearch.ts";

/** What is noted of a check that has ended; nothing of its text. Counts as in its metadata. */
export type CheckMetrics = {
  readonly checkId: string;
  readonly status: "complete" | "failed";
  /** Null for a check that failed, as are its score and its sources. */
  readonly coverage: "full" | "partial" | null;
  readonly language: string;
  readonly wordCount: number;
  readonly charCount: number;
  readonly chunkCount: number;
  readonly similarityPct: number | null;
  readonly sources: number | null;
  /** From the beginning of its work, without its wait in the queue. */
  readonly durationMs: number;
  readonly createdAt: Date;
  readonly completedAt: Date;
};

/** How large the corpus is at a moment. Bytes of text are UTF-8; those of the stores are what they take on disk. */
export type CorpusMetrics = {
  readonly at: Date;
  readonly documents: number;
  readonly chunks: number;
  readonly textBytes: number;
  readonly indexBytes: number;
  readonly postgresBytes: number;
};

export type FrequentShingle = {
  /** The term as the index holds it. */
  readonly term: string;
  /** The words of one place where it stands: terms are hard to read. */
  readonly example?: string;
  readonly chunkCount: number;
  /** Of all chunks, 0 to 1. */
  readonly share: number;
};

/** The names after the prefix, which are those of the template files as well. */
const INDICES = ["check-metrics", "corpus-metrics", "frequent-shingles"] as const;
type Name = (typeof INDICES)[number];

/** These writes take milliseconds; one that does not is given up, so that few are ever under way. */
const WRITE_LIMITS = { requestTimeout: 5_000, maxRetries: 0 };

/** Rows of the shingle table in one bulk request: about 150 kB. */
const BULK_ROWS = 1_000;

/**
 * Small indices for people who look at dashboards; the program itself never reads them. Writing is best effort: a
 * write that fails is told to `onFailure` and otherwise forgotten. Every document has a fixed id, so that writing it
 * again changes nothing.
 */
export class MetricsIndex {
  readonly #client: OpenSearch;
  readonly #prefix: string;
  readonly #onFailure: (error: unknown) => void;

  constructor(client: OpenSearch, prefix: string, onFailure: (error: unknown) => void) {
    this.#client = client;
    this.#prefix = prefix;
    this.#onFailure = onFailure;
  }

  /**
   * Puts the templates and makes the indices that are missing, so that dashboards find their fields before anything is
   * written. Safe to run at once from several processes.
   * @throws ConfigError where OpenSearch refuses us, DomainError `store_unavailable` where it does not answer.
   */
  async prepare(): Promise<void> {
    await askOpenSearch(() => Promise.all(INDICES.map((name) => this.#prepareOne(name)))).catch(
      rethrowRefused,
    );
  }

  /** Never rejects. */
  async writeCheck(check: CheckMetrics): Promise<void> {
    await this.#attempt(() =>
      this.#put("check-metrics", check.checkId, {
        check_id: check.checkId,
        status: check.status,
        coverage: check.coverage,
        language: check.language,
        word_count: check.wordCount,
        char_count: check.charCount,
        chunk_count: check.chunkCount,
        similarity_pct: check.similarityPct,
        sources: check.sources,
        duration_ms: check.durationMs,
        created_at: check.createdAt.toISOString(),
        completed_at: check.completedAt.toISOString(),
      }),
    );
  }

  /**
   * Removes what is written of a check, if anything is.
   * @throws DomainError `store_unavailable`: unlike a write, this is to be done again until it has succeeded.
   */
  async removeCheck(checkId: string): Promise<void> {
    const removal = { index: this.#index("check-metrics"), id: checkId };
    await askOpenSearch(() => this.#client.delete(removal, { ...WRITE_LIMITS, ignore: [404] }));
  }

  /** Never rejects. */
  async writeCorpus(snapshot: CorpusMetrics): Promise<void> {
    const at = snapshot.at.toISOString();
    const { textBytes, indexBytes, postgresBytes } = snapshot;
    await this.#attempt(() =>
      this.#put("corpus-metrics", at, {
        at,
        documents: snapshot.documents,
        chunks: snapshot.chunks,
        text_bytes: textBytes,
        index_bytes: indexBytes,
        postgres_bytes: postgresBytes,
        stored_per_text_byte: textBytes === 0 ? null : (indexBytes + postgresBytes) / textBytes,
      }),
    );
  }

  /** Replaces the former list by this one, which begins with the most frequent shingle. Never rejects. */
  async writeFrequentShingles(shingles: readonly FrequentShingle[], measuredAt: Date): Promise<void> {
    await this.#attempt(async () => {
      const index = this.#index("frequent-shingles");
      for (let from = 0; from < shingles.length; from += BULK_ROWS) {
        await this.#putRows(index, shingles.slice(from, from + BULK_ROWS), from + 1, measuredAt);
      }
      await this.#client.indices.refresh({ index });
      // By rank, a new list replaces the rows of the old one; what is left of that is beyond the new one's end.
      await this.#client.deleteByQuery(
        {
          index,
          conflicts: "proceed",
          refresh: true,
          body: { query: { range: { rank: { gt: shingles.length } } } },
        },
        { maxRetries: 0 },
      );
    });
  }

  async #prepareOne(name: Name): Promise<void> {
    const body = await readIndexTemplate(name, this.#prefix);
    await this.#client.indices.putIndexTemplate({ name: this.#index(name), body });
    const { body: exists } = await this.#client.indices.exists({ index: this.#index(name) });
    if (!exists) await this.#client.indices.create({ index: this.#index(name) }).catch(ignoreAlreadyExists);
  }

  async #attempt(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  async #put(name: Name, id: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#client.index({ index: this.#index(name), id, body }, WRITE_LIMITS);
  }

  async #putRows(
    index: string,
    shingles: readonly FrequentShingle[],
    firstRank: number,
    measuredAt: Date,
  ): Promise<void> {
    const lines = shingles.flatMap(({ term, example, chunkCount, share }, position) => {
      const rank = firstRank + position;
      const row = {
        rank,
        term,
        example,
        chunk_count: chunkCount,
        share,
        measured_at: measuredAt.toISOString(),
      };
      return [{ index: { _id: String(rank) } }, row];
    });
    const { body } = await this.#client.bulk({ index, body: lines }, { maxRetries: 0 });
    const refused = body.items.find((item) => item.index?.error !== undefined);
    if (refused !== undefined) throw new Error(`OpenSearch refused a row: ${JSON.stringify(refused.index)}`);
  }

  #index(name: Name): string {
    return `${this.#prefix}${name}`;
  }
}
