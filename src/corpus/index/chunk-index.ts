import { setTimeout as sleep } from "node:timers/promises";
import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import type { MeaningTerms } from "../../matching/meaning/meaning-terms.ts";
import type {
  ChunkSearch,
  CountedTerms,
  SentenceTerms,
  StoredForm,
  TermsCounts,
} from "../../matching/set.ts";
import type { ChunkAddress } from "../../matching/words/reuse-evidence.ts";
import type { WeightedTerm } from "../../matching/words/search-terms.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { BulkWriter } from "../../platform/opensearch/bulk-writer.ts";
import { readIndexTemplate, readSettingsComponent } from "../../platform/opensearch/index-template.ts";
import {
  askOpenSearch,
  attemptsElsewhere,
  ignoreAlreadyExists,
  type OpenSearch,
  rethrowRefused,
} from "../../platform/opensearch/opensearch.ts";
import { Extent, isWhole, makeFindable } from "../../platform/opensearch/whole-answer.ts";
import {
  bestChunks,
  chunkId,
  type IncompleteReason,
  incompleteReason,
  isRejected,
  MISSING_INDEX,
  readNormalisedForms,
  sharesMeaning,
  sharesTerms,
  sharesWords,
  toChunkSearch,
} from "./chunk-search.ts";
import { countTerms } from "./count-terms.ts";
import {
  type ChunkCounts,
  type CountedPage,
  countChunks,
  countChunksAfter,
  countChunksOf,
  type MemberChunk,
  memberChunks,
  removeChunks,
} from "./document-chunks.ts";
import {
  type ChunkIndexNames,
  chunkFields,
  currentFingerprintVersion,
  type IndexLayout,
  IndexVersions,
  layoutSettings,
  replicaSettings,
} from "./index-versions.ts";
import { type IndexedDocument, toItems } from "./indexed-document.ts";

/** A search of one chunk takes 4 ms over 200,000 chunks; one that takes this long returns its hits so far, marked as timed out. */
const SEARCH_TIMEOUT_MS = 10_000;

/**
 * Searches that an overloaded node rejected are resent one at a time, after waits of about 0.1, 0.2 … 1.6 s. Without these waits,
 * all searches of a chunk were resent together and some were always rejected.
 */
const FIRST_WAIT_MS = 100;
const LAST_WAIT_MS = 1_600;

/** Time that a search may take on the network beyond its timeout; after that the store counts as down. */
const ANSWER_SLACK_MS = 5_000;

/** Probes run every few seconds: an answer that takes longer than this counts as none. */
const PROBE_TIMEOUT_MS = 2_000;

/** Documents whose chunks are removed in one request; each may have thousands. */
const REMOVAL_BATCH = 500;

/** `outdated`: the index holds other terms than this program's, so a search would wrongly find nothing. */
type ChunkIndexState = "ok" | "missing" | "outdated";

export const OUTDATED_INDEX =
  "The chunk index was built by another release, and this one can't compare its chunks. Run `npm run corpus:rebuild`; checks and uploads wait until it is done.";

const WITHOUT_COLLECTIONS =
  "The chunk index was made by an earlier release, which did not store the collections of documents. Run `npm run corpus:rebuild`, and then send the request again.";

/** The chunks of the corpus in OpenSearch. All of them can be rebuilt from PostgreSQL. */
export class ChunkIndex {
  readonly #client: OpenSearch;
  readonly #prefix: string;
  readonly #versions: IndexVersions;
  readonly #writer: BulkWriter;
  readonly #onIncomplete: (reason: IncompleteReason) => void;
  /** The indices that have all fields of this release. */
  readonly #withFields = new Set<string>();

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

  /** Puts the templates of this release. @throws ConfigError when OpenSearch does not let us. */
  async putTemplates(): Promise<void> {
    await askOpenSearch(async () => {
      await this.#client.cluster.putComponentTemplate({
        name: `${this.#prefix}chunk-analysis`,
        body: await readSettingsComponent("chunk-analysis", replicaSettings(this.#versions.layout)),
      });
      await this.#client.indices.putIndexTemplate({
        name: `${this.#prefix}chunks`,
        body: await readIndexTemplate("chunks", this.#prefix, layoutSettings(this.#versions.layout)),
      });
    }).catch(rethrowRefused);
  }

  /** Creates an empty index unless one exists; only for a corpus without matchable documents, for which it is complete. */
  async createFirst(): Promise<void> {
    await askOpenSearch(async () => {
      // In this order: if two processes find no alias, both have chosen the same number, and only one can create it.
      const name = this.#versions.nameAfter(await this.#versions.list());
      if (!(await this.isPresent())) await this.#versions.createCurrent(name).catch(ignoreAlreadyExists);
    });
  }

  /** Whether the read alias exists. @throws when OpenSearch does not answer within seconds. */
  async isPresent(): Promise<boolean> {
    const { body } = await this.#client.indices.existsAlias(
      { index: this.names.everyIndex, name: this.readAlias },
      this.#probeLimits(),
    );
    return body;
  }

  /** @throws DomainError `store_unavailable` when the alias is missing, which does not mean that the corpus is empty. */
  async assertPresent(): Promise<void> {
    if (!(await askOpenSearch(() => this.isPresent())))
      throw new DomainError("store_unavailable", MISSING_INDEX);
  }

  /** Whether searches can find something. @throws when OpenSearch does not answer within seconds. */
  async state(): Promise<ChunkIndexState> {
    return this.#stateOf(await this.#mappings(this.readAlias));
  }

  async #stateOf(indices: ReadonlyMap<string, Mapping>): Promise<ChunkIndexState> {
    const mappings = [...indices.values()];
    if (mappings.length === 0) return "missing";
    const version = await currentFingerprintVersion();
    return mappings.every(({ _meta }) => _meta?.fingerprint_version === version) ? "ok" : "outdated";
  }

  /**
   * As `state`, and also whether each shard answers; an overloaded node that rejects the question has its shards.
   * @throws when OpenSearch does not answer within seconds.
   */
  async usability(): Promise<ChunkIndexState | "closed" | "partial"> {
    const state = await this.state();
    if (state !== "ok") return state;
    const nothing = { index: this.readAlias, body: { size: 0, track_total_hits: false } };
    try {
      const { body } = await this.#client.search(nothing, this.#probeLimits());
      return isWhole(Extent.parse(body)) || isRejected(body) ? "ok" : "partial";
    } catch (error) {
      if (!(error instanceof errors.ResponseError)) throw error;
      if (error.statusCode === 429) return "ok";
      if (error.message.includes("index_closed_exception")) return "closed";
      // All of its shards are missing.
      if (error.message.includes("search_phase_execution_exception")) return "partial";
      throw error;
    }
  }

  /** @throws DomainError `store_unavailable` while the index is missing or outdated. */
  async assertCurrent(): Promise<void> {
    await this.#assertCurrent();
  }

  /** The mappings of the index. */
  async #assertCurrent(): Promise<ReadonlyMap<string, Mapping>> {
    const mappings = await askOpenSearch(() => this.#mappings(this.readAlias));
    const state = await this.#stateOf(mappings);
    if (state === "missing") throw new DomainError("store_unavailable", MISSING_INDEX);
    if (state === "outdated") throw new DomainError("store_unavailable", OUTDATED_INDEX);
    return mappings;
  }

  /** @throws DomainError `store_unavailable` while chunks may lack the collections of their documents. */
  async assertCollections(): Promise<void> {
    const mappings = await askOpenSearch(() => this.#mappings(this.readAlias));
    if ([...mappings.values()].some(({ _meta }) => _meta?.has_collections !== true))
      throw new DomainError("store_unavailable", WITHOUT_COLLECTIONS);
  }

  /** By the names of the indices behind an alias; none if there is no such alias. */
  async #mappings(index: string): Promise<ReadonlyMap<string, Mapping>> {
    const { body } = await this.#client.indices.getMapping({ index }, this.#probeLimits()).catch(noIndex);
    return new Map(Object.entries(Mappings.parse(body)).map(([name, { mappings }]) => [name, mappings]));
  }

  /** Adds the fields that indices of an earlier release lack; their chunks get them with the next rebuild. Each is looked at once. */
  async #addFields(indices: ReadonlyMap<string, Mapping>): Promise<void> {
    const fields = Object.entries(await chunkFields());
    for (const [index, { properties }] of indices) {
      if (this.#withFields.has(index)) continue;
      const lacking = fields.filter(([name]) => properties?.[name] === undefined);
      if (lacking.length > 0)
        await this.#client.indices.putMapping({ index, body: { properties: Object.fromEntries(lacking) } });
      this.#withFields.add(index);
    }
  }

  #probeLimits() {
    return { requestTimeout: PROBE_TIMEOUT_MS, maxRetries: attemptsElsewhere(this.#client) };
  }

  /** Writes all chunks of the documents and makes them findable. Fixed ids make it safe to repeat. */
  async write(groups: AsyncIterable<readonly IndexedDocument[]>): Promise<void> {
    await this.add(groups);
    await makeFindable(this.#client, this.names.writeAlias);
  }

  /** As `write`, but the chunks are only findable after the next refresh of the index. */
  async add(groups: AsyncIterable<readonly IndexedDocument[]>): Promise<void> {
    await askOpenSearch(async () => {
      await this.#addFields(await this.#assertCurrent());
      for await (const documents of groups) {
        await this.#writer.write(this.names.writeAlias, documents.flatMap(toItems));
      }
    });
  }

  /** Adds the fields that the index which a rebuild fills lacks, because an earlier release made it. */
  async addFieldsToNext(): Promise<void> {
    await askOpenSearch(async () => this.#addFields(await this.#mappings(this.names.nextAlias)));
  }

  /** Writes chunks into the index that a rebuild fills; they are findable there after its next refresh. */
  async fill(documents: readonly IndexedDocument[]): Promise<void> {
    await askOpenSearch(() => this.#writer.write(this.names.nextAlias, documents.flatMap(toItems)));
  }

  /** Gives chunks their semantic terms and makes them findable by these. A chunk that is gone is skipped. */
  async addMeaningTerms(documents: ReadonlyMap<string, MeaningTerms>): Promise<void> {
    const items = [...documents].flatMap(([documentId, terms]) =>
      [...terms].map(([chunkIndex, ofChunk]) => ({
        id: chunkId({ documentId, chunkIndex }),
        routing: documentId,
        body: { semantic_terms: ofChunk },
        isUpdate: true,
      })),
    );
    await askOpenSearch(async () => {
      await this.assertCurrent();
      await this.#writer.write(this.names.writeAlias, items);
      await makeFindable(this.#client, this.names.writeAlias);
    });
  }

  /** The number of findable chunks that match a query. */
  count(query: object): Promise<number> {
    return countChunks(this.#client, this.readAlias, query);
  }

  /** The number of findable chunks of each of these documents, at most `COUNT_PAGE`; documents without chunks are missing. */
  countOf(documentIds: readonly string[]): Promise<ChunkCounts> {
    return countChunksOf(this.#client, this.readAlias, documentIds);
  }

  /** One page of a walk over all documents with chunks: those after `after`, or the first. */
  countAfter(after: string | undefined): Promise<CountedPage> {
    return countChunksAfter(this.#client, this.readAlias, after);
  }

  /** All findable chunks of a batch by members and chunks, page by page. @throws DomainError `store_unavailable` */
  chunksOfBatch(batchId: string): AsyncGenerator<readonly MemberChunk[]> {
    return memberChunks(this.#client, this.readAlias, batchId);
  }

  /** Removes all chunks of these documents from every index. @param isRouted false for chunks that may lie on any shard. */
  async remove(documentIds: readonly string[], isRouted = true): Promise<void> {
    const index = this.names.everyIndex;
    await makeFindable(this.#client, index);
    for (let from = 0; from < documentIds.length; from += REMOVAL_BATCH) {
      const page = documentIds.slice(from, from + REMOVAL_BATCH);
      await removeChunks(this.#client, { index, documentIds: page, isRouted });
    }
  }

  /**
   * For each list of sampled shingles, the `size` chunks that share most of them, as far as `timeMs` allows, best first.
   * @param filter the only chunks that are searched.
   * Call `assertCurrent` after the last search: another release may swap in its index, in which these terms find nothing.
   */
  async search(
    shingleLists: readonly (readonly string[])[],
    size: number,
    timeMs: number,
    filter?: object,
  ): Promise<ChunkSearch[]> {
    return this.#searchAll(shingleLists.map(sharesTerms), { size, timeMs, filter });
  }

  /** As `search`, for words: the chunks that share the most weight, and at least `scoreMin`. */
  async searchWords(
    termLists: readonly (readonly WeightedTerm[])[],
    size: number,
    timeMs: number,
    scoreMin: number,
    filter?: object,
  ): Promise<ChunkSearch[]> {
    const queries = termLists.map((terms) => sharesWords(terms, scoreMin));
    return this.#searchAll(queries, { size, timeMs, scoreMin, filter });
  }

  /** As `search`, for sentences: the chunks that are nearest in meaning to the sentences of a part of the query. */
  async searchMeaning(
    parts: readonly (readonly SentenceTerms[])[],
    size: number,
    timeMs: number,
    filter?: object,
  ): Promise<ChunkSearch[]> {
    return this.#searchAll(parts.map(sharesMeaning), { size, timeMs, filter });
  }

  async countTerms(terms: CountedTerms): Promise<TermsCounts> {
    return askOpenSearch(() => countTerms(this.#client, this.readAlias, terms));
  }

  /** The normalised forms of chunks, in their order. As after a search, callers must call `assertCurrent`. */
  async readNormalisedForms(addresses: readonly ChunkAddress[]): Promise<readonly StoredForm[]> {
    const forms = await askOpenSearch(() => readNormalisedForms(this.#client, this.readAlias, addresses));
    if (forms.some(({ isRead }) => !isRead)) this.#onIncomplete("shards_missing");
    return forms;
  }

  async #searchAll(
    queries: readonly { readonly bool: object }[],
    { size, timeMs, scoreMin = 0, filter }: SearchLimits,
  ): Promise<ChunkSearch[]> {
    if (queries.length === 0) return [];
    const timeout = Math.ceil(Math.min(SEARCH_TIMEOUT_MS, Math.max(1, timeMs)));
    // A filter beside the terms is faster than one around them.
    const withFilter = filter === undefined ? {} : { filter };
    const bodies = queries.map(({ bool }) =>
      bestChunks({ bool: { ...bool, ...withFilter } }, size, timeout, scoreMin),
    );
    const endsAt = performance.now() + timeMs;
    const found = await this.#searchOnce(bodies, timeout);
    for (let waitMs = FIRST_WAIT_MS; waitMs <= LAST_WAIT_MS; waitMs *= 2) {
      const left = [...found.keys()].filter((at) => found[at]?.isRejected === true);
      if (left.length === 0 || performance.now() + waitMs > endsAt) break;
      await sleep(waitMs * (0.5 + Math.random()));
      const again = await this.#searchOnce(
        left.flatMap((at) => bodies[at] ?? []),
        timeout,
        1,
      );
      for (const [position, at] of left.entries()) found[at] = again[position] ?? UNSEARCHED;
    }
    return found.map(({ hits, complete }) => ({ hits, complete }));
  }

  async #searchOnce(bodies: readonly object[], timeout: number, atOnce?: number) {
    const limits = { requestTimeout: timeout + ANSWER_SLACK_MS, maxRetries: attemptsElsewhere(this.#client) };
    const request = {
      index: this.readAlias,
      body: bodies.flatMap((body) => [{}, body]),
      ...(atOnce !== undefined && { max_concurrent_searches: atOnce }),
    };
    const answer = await askOpenSearch(() => this.#client.msearch(request, limits));
    return bodies.map((_, position) => {
      const response = answer.body.responses[position];
      const found = toChunkSearch(response, this.readAlias);
      const reason = incompleteReason(response);
      if (reason !== undefined) this.#onIncomplete(reason);
      return { ...found, isRejected: isRejected(response) };
    });
  }
}

type SearchLimits = {
  readonly size: number;
  readonly timeMs: number;
  readonly scoreMin?: number;
  readonly filter: object | undefined;
};

const UNSEARCHED = { hits: [], complete: false, isRejected: false };

function noIndex(error: unknown): { readonly body: unknown } {
  if (error instanceof errors.ResponseError && error.statusCode === 404) return { body: {} };
  throw error;
}

const Mapping = z.object({
  _meta: z.object({ fingerprint_version: z.unknown(), has_collections: z.unknown() }).partial().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

type Mapping = z.output<typeof Mapping>;

const Mappings = z.record(z.string(), z.object({ mappings: Mapping }));
