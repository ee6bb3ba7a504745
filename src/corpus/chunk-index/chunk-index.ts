import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import type { ChunkAddress } from "../../core/retrieval/reuse-evidence.ts";
import type { WeightedTerm } from "../../core/retrieval/search-terms.ts";
import { BulkWriter } from "../../platform/opensearch/bulk-writer.ts";
import { readIndexTemplate, readSettingsComponent } from "../../platform/opensearch/index-template.ts";
import {
  askOpenSearch,
  attemptsElsewhere,
  ignoreAlreadyExists,
  type OpenSearch,
  rethrowRefused,
} from "../../platform/opensearch/opensearch.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import { type IndexedDocument, toItems } from "./chunk-items.ts";
import {
  bestChunks,
  type ChunkSearch,
  type IncompleteReason,
  incompleteReason,
  MISSING_INDEX,
  sharesTerms,
  sharesWords,
  toChunkSearch,
} from "./chunk-search.ts";
import { type CountedTerms, countTerms, type TermsCounts } from "./count-terms.ts";
import { type IndexLayout, layoutSettings } from "./index-layout.ts";
import { type ChunkIndexNames, currentFingerprintVersion, IndexVersions } from "./index-versions.ts";
import { readForms, type StoredForm } from "./read-forms.ts";
import { removeChunks } from "./remove-chunks.ts";

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

/**
 * `outdated`: its terms are of another generation than those that this program makes, as after an upgrade: a search would
 * find nothing and say that there is nothing. Or its chunks lie on other shards than those on which they are looked for.
 */
export type ChunkIndexState = "ok" | "missing" | "outdated";

export const OUTDATED_INDEX =
  "The chunk index was made by another release, whose chunks this one can't compare. Run `npm run corpus:rebuild`; checks and uploads wait until it is done.";

/**
 * The chunks of the corpus in OpenSearch. PostgreSQL is the truth: everything here can be made anew from there.
 * Every method throws DomainError `store_unavailable` when OpenSearch does not answer.
 */
export class ChunkIndex {
  readonly #client: OpenSearch;
  readonly #prefix: string;
  readonly #versions: IndexVersions;
  readonly #writer: BulkWriter;
  readonly #onIncomplete: (reason: IncompleteReason) => void;

  constructor(
    client: OpenSearch,
    prefix: string,
    onBulkRetry: (reason: string) => void,
    onIncomplete: (reason: IncompleteReason) => void = () => undefined,
    layout?: IndexLayout,
  ) {
    this.#client = client;
    this.#prefix = prefix;
    this.#versions = new IndexVersions(client, prefix, layout);
    this.#writer = new BulkWriter(client, onBulkRetry);
    this.#onIncomplete = onIncomplete;
  }

  get names(): ChunkIndexNames {
    return this.#versions.names;
  }

  get readAlias(): string {
    return this.names.readAlias;
  }

  get writeAlias(): string {
    return this.names.writeAlias;
  }

  /** A pattern for the indices of all numbers. */
  get everyIndex(): string {
    return this.names.everyIndex;
  }

  /** Puts the templates of this release. @throws ConfigError when OpenSearch is not ours to use. */
  async putTemplates(): Promise<void> {
    await askOpenSearch(async () => {
      await this.#client.cluster.putComponentTemplate({
        name: `${this.#prefix}chunk-analysis`,
        body: await readSettingsComponent("chunk-analysis"),
      });
      await this.#client.indices.putIndexTemplate({
        name: `${this.#prefix}chunks`,
        body: await readIndexTemplate("chunks", this.#prefix, layoutSettings(this.#versions.layout)),
      });
    }).catch(rethrowRefused);
  }

  /**
   * Makes an empty index and its aliases where there are none: only for a corpus without matchable documents, which an
   * empty index is all of. Safe to run at once from several processes. An index that stands is left as it is, also an
   * outdated one.
   */
  async createFirst(): Promise<void> {
    await askOpenSearch(async () => {
      // In this order: when two processes find no alias, both have chosen the same number, and one creates it.
      const name = this.#versions.nameAfter(await this.#versions.list());
      if (!(await this.isPresent())) await this.#versions.createStanding(name).catch(ignoreAlreadyExists);
    });
  }

  /** True when the aliases stand. @throws when OpenSearch does not answer within seconds. */
  async isPresent(): Promise<boolean> {
    const { body } = await this.#client.indices.existsAlias(
      { index: this.everyIndex, name: this.readAlias },
      this.#probeLimits(),
    );
    return body;
  }

  /** @throws DomainError `store_unavailable` when the aliases don't stand: that is no empty corpus. */
  async assertPresent(): Promise<void> {
    if (!(await askOpenSearch(() => this.isPresent())))
      throw new DomainError("store_unavailable", MISSING_INDEX);
  }

  /** Whether searches can find something. @throws when OpenSearch does not answer within seconds. */
  async state(): Promise<ChunkIndexState> {
    const index = this.readAlias;
    const { body } = await this.#client.indices.getMapping({ index }, this.#probeLimits()).catch(noIndex);
    const mappings = Object.values(Mappings.parse(body)).map((one) => one.mappings);
    if (mappings.length === 0) return "missing";
    const current = await currentFingerprintVersion();
    if (!mappings.every(({ _meta }) => _meta?.fingerprint_version === current)) return "outdated";
    if (mappings.every(({ _routing }) => _routing?.required === true)) return "ok";
    // Of an earlier release: whether its chunks can be found depends on the number of its shards as well.
    const standing = (await this.#versions.list()).find(({ role }) => role === "standing");
    return standing?.isSearchable === true ? "ok" : "outdated";
  }

  #probeLimits() {
    return { requestTimeout: PROBE_TIMEOUT_MS, maxRetries: attemptsElsewhere(this.#client) };
  }

  /**
   * Writes all chunks of the documents and makes them findable; ids are made of document and chunk, so that a
   * repetition changes nothing. The documents are taken from the source as they are written.
   * @throws DomainError `store_unavailable` also while the index is missing or outdated; what the source throws.
   */
  async write(groups: AsyncIterable<readonly IndexedDocument[]>): Promise<void> {
    await askOpenSearch(async () => {
      await this.assertCurrent();
      for await (const documents of groups) {
        await this.#writer.write(this.writeAlias, documents.flatMap(toItems));
      }
      await makeFindable(this.#client, this.writeAlias);
    });
  }

  /** Writes the chunks into the index that a rebuild fills; they are findable there after its next refresh. */
  async fill(documents: readonly IndexedDocument[]): Promise<void> {
    await askOpenSearch(() => this.#writer.write(this.names.nextAlias, documents.flatMap(toItems)));
  }

  /** Removes all chunks of these documents, from every index that holds some: also from one that is being built. */
  async remove(documentIds: readonly string[]): Promise<void> {
    await this.#removeAll(documentIds, true);
  }

  /** The same for chunks that somebody else may have put on whatever shard. */
  async removeStray(documentIds: readonly string[]): Promise<void> {
    await this.#removeAll(documentIds, false);
  }

  async #removeAll(documentIds: readonly string[], isRouted: boolean): Promise<void> {
    const index = this.everyIndex;
    await makeFindable(this.#client, index);
    for (let from = 0; from < documentIds.length; from += REMOVAL_BATCH) {
      const page = documentIds.slice(from, from + REMOVAL_BATCH);
      await removeChunks(this.#client, { index, documentIds: page, isRouted });
    }
  }

  /**
   * For each list of sampled shingles, the chunks that share most of them, best first, `size` at most. Gives back what
   * was found when `timeMs` is over. Whoever searches calls `assertCurrent` after the last search, before it relies on what
   * was found: another release may put its own index in the place at any time, in which these terms find nothing.
   * @throws DomainError `store_unavailable` also while the index is missing, as that is no empty corpus.
   */
  async search(
    termLists: readonly (readonly string[])[],
    size: number,
    timeMs: number,
  ): Promise<ChunkSearch[]> {
    return this.#searchAll(termLists.map(sharesTerms), size, timeMs);
  }

  /** The same for words: the chunks with the most weight of them. */
  async searchWords(
    termLists: readonly (readonly WeightedTerm[])[],
    size: number,
    timeMs: number,
  ): Promise<ChunkSearch[]> {
    return this.#searchAll(termLists.map(sharesWords), size, timeMs);
  }

  /** In how many chunks sampled shingles and word terms stand. */
  async countTerms(terms: CountedTerms): Promise<TermsCounts> {
    return askOpenSearch(() => countTerms(this.#client, this.readAlias, terms));
  }

  /** The narrow forms of chunks, in their order; like a search, to be followed by `assertCurrent`. */
  async readForms(addresses: readonly ChunkAddress[]): Promise<readonly StoredForm[]> {
    const forms = await askOpenSearch(() => readForms(this.#client, this.readAlias, addresses));
    if (forms.some(({ isRead }) => !isRead)) this.#onIncomplete("shards_missing");
    return forms;
  }

  async #searchAll(queries: readonly object[], size: number, timeMs: number): Promise<ChunkSearch[]> {
    if (queries.length === 0) return [];
    const timeout = Math.ceil(Math.min(SEARCH_TIMEOUT_MS, Math.max(1, timeMs)));
    const body = queries.flatMap((query) => [{}, bestChunks(query, size, timeout)]);
    const maxRetries = attemptsElsewhere(this.#client);
    const limits = { requestTimeout: timeout + ANSWER_SLACK_MS, maxRetries };
    const answer = await askOpenSearch(() => this.#client.msearch({ index: this.readAlias, body }, limits));
    return queries.map((_, position) => {
      const response = answer.body.responses[position];
      const found = toChunkSearch(response, this.readAlias);
      const reason = incompleteReason(response);
      if (reason !== undefined) this.#onIncomplete(reason);
      return found;
    });
  }

  /** @throws DomainError `store_unavailable` while the index is missing or outdated. */
  async assertCurrent(): Promise<void> {
    const state = await askOpenSearch(() => this.state());
    if (state === "missing") throw new DomainError("store_unavailable", MISSING_INDEX);
    if (state === "outdated") throw new DomainError("store_unavailable", OUTDATED_INDEX);
  }
}

function noIndex(error: unknown): { readonly body: unknown } {
  if (error instanceof errors.ResponseError && error.statusCode === 404) return { body: {} };
  throw error;
}

const Mappings = z.record(
  z.string(),
  z.object({
    mappings: z.object({
      _meta: z.object({ fingerprint_version: z.unknown() }).partial().optional(),
      _routing: z.object({ required: z.boolean() }).partial().optional(),
    }),
  }),
);
