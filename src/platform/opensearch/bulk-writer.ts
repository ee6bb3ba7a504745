import { setTimeout as sleep } from "node:timers/promises";
import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import {
  blockReason,
  isOpenSearchUnavailable,
  isPassingRefusal,
  type OpenSearch,
  writesBlocked,
} from "./opensearch.ts";

/** One document to write: a write with the same id replaces it, so that repeating a bulk is harmless. */
export type BulkItem = {
  readonly id: string;
  /** Items of one routing lie on one shard. */
  readonly routing: string;
  readonly body: object;
};

/**
 * OpenSearch's own advice is 5 to 15 MB a bulk, but writing 5 MB of JSON held up the HTTP loop for 55 ms; this takes
 * 20 ms, and a refresh at the end costs more than the additional requests.
 */
const BULK_BYTES_MAX = 2 * 1024 * 1024;

/** Waits of about 0.1, 0.2, 0.4 … 6.4 s: an overload that lasts longer is an outage, and the caller's to handle. */
const ATTEMPTS_MAX = 8;
const FIRST_WAIT_MS = 100;

/**
 * Writes items through an alias in bounded bulk requests, one after another.
 * Item errors are looked at one by one: overload (429, 503) or a block is sent again after a jittered, growing wait, anything
 * else ends the write. The client's own `helpers.bulk` is not used: it can hang when a flush fails
 * (opensearch-js issue 1061), and its transport sends a 429 back as a plain error.
 * @throws DomainError `store_unavailable` when the overload outlasts the attempts or the alias stands for nothing; Error for a refused item.
 */
export class BulkWriter {
  readonly #client: OpenSearch;
  readonly #onRetry: (reason: string) => void;

  constructor(client: OpenSearch, onRetry: (reason: string) => void) {
    this.#client = client;
    this.#onRetry = onRetry;
  }

  async write(alias: string, items: readonly BulkItem[]): Promise<void> {
    for (const batch of batchesBySize(items)) await this.#writeBatch(alias, batch);
  }

  async #writeBatch(alias: string, batch: readonly EncodedItem[]): Promise<void> {
    let left = batch;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const outcome = await this.#send(alias, left);
      if (outcome.overloaded.length === 0) return;
      if (attempt === ATTEMPTS_MAX) {
        const { reason: cause, block } = outcome;
        const message =
          block === undefined
            ? "OpenSearch takes no more writes; try again in a moment."
            : writesBlocked(block);
        throw new DomainError("store_unavailable", message, { cause });
      }
      this.#onRetry(outcome.reason);
      left = outcome.overloaded;
      await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  async #send(alias: string, items: readonly EncodedItem[]): Promise<Outcome> {
    try {
      const { body } = await this.#client.transport.request({
        method: "POST",
        path: `/${encodeURIComponent(alias)}/_bulk`,
        querystring: { require_alias: true, filter_path: ANSWERED },
        bulkBody: items.flatMap((item) => item.lines),
      });
      return sortOut(items, BulkAnswer.parse(body).items);
    } catch (error) {
      if (!isOpenSearchUnavailable(error)) throw error;
      const reason = error instanceof errors.ResponseError ? `status_${error.statusCode}` : "connection";
      return { overloaded: items, reason };
    }
  }
}

type EncodedItem = { readonly id: string; readonly lines: readonly string[] };
type Outcome = {
  readonly overloaded: readonly EncodedItem[];
  /** One of a few, to be counted. */
  readonly reason: string;
  /** The block on writes that an item met, in OpenSearch's words. */
  readonly block?: string | undefined;
};

/** Somebody has deleted it; it may come back, as by a rebuild. */
const NO_INDEX = z.object({ type: z.literal("index_not_found_exception") });

/** All that is looked at of an answer; the rest repeats what was asked. The error of a request as a whole comes all the same. */
const ANSWERED = "items.*.status,items.*.error";

const BulkAnswer = z.object({
  items: z.array(z.object({ index: z.object({ status: z.int(), error: z.unknown().optional() }) })),
});

type ItemResult = z.output<typeof BulkAnswer>["items"][number];

function sortOut(items: readonly EncodedItem[], results: readonly ItemResult[]): Outcome {
  const overloaded: EncodedItem[] = [];
  let block: string | undefined;
  for (const [position, item] of items.entries()) {
    const result = results[position]?.index;
    if (result !== undefined && result.error === undefined) continue;
    if (NO_INDEX.safeParse(result?.error).success)
      throw new DomainError("store_unavailable", "OpenSearch has lost the index that is written to.");
    // One without a result was left out of the answer: it is not known whether it was written.
    if (result !== undefined && !isPassingRefusal(result.status, result.error))
      throw new Error(`OpenSearch refused ${item.id}: ${reasonOf(result.error)}`);
    block ??= blockReason(result?.error);
    overloaded.push(item);
  }
  return { overloaded, reason: "item_rejected", block };
}

/** What OpenSearch says of a refusal, without the piece of the refused value that it quotes at the end. */
function reasonOf(error: unknown): string {
  const { type, reason } = Refusal.parse(error ?? {});
  return `${type}: ${reason.replace(QUOTED_VALUE, "")}`;
}

const Refusal = z.object({ type: z.string().default("no answer for it"), reason: z.string().default("") });
const QUOTED_VALUE =
  /(?: Preview of field's value|, The prefix of the first immense term|, original message).*/is;

function* batchesBySize(items: readonly BulkItem[]): Generator<readonly EncodedItem[]> {
  let batch: EncodedItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const lines = [
      JSON.stringify({ index: { _id: item.id, routing: item.routing } }),
      JSON.stringify(item.body),
    ];
    const size = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    if (bytes + size > BULK_BYTES_MAX && batch.length > 0) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push({ id: item.id, lines });
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
