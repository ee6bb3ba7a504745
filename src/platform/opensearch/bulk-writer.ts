import { setTimeout as sleep } from "node:timers/promises";
import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { storeUnavailable } from "../domain-error.ts";
import { groupItems } from "../flow/concurrency.ts";
import { blockMessage, isOpenSearchUnavailable, isPassingRefusal, type OpenSearch } from "./opensearch.ts";

/**
 * A document to write, or to update in the given members. Writing the same id again replaces it, so a bulk is safe to repeat.
 * An update of a missing document does nothing.
 */
export type BulkItem = {
  readonly id: string;
  /** Items with the same routing are on the same shard. */
  readonly routing: string;
  readonly body: object;
  readonly isUpdate?: boolean;
};

/** Writing the 5 MB that OpenSearch recommends blocked the HTTP loop for 55 ms; this size takes 20 ms. */
const BULK_BYTES_MAX = 2 * 1024 * 1024;

/** Waits of about 0.1, 0.2, 0.4 … 6.4 s. A longer overload is an outage, which the caller handles. */
const ATTEMPTS_MAX = 8;
const FIRST_WAIT_MS = 100;

/**
 * Writes items through an alias in bounded bulk requests; overloaded (429, 503) or blocked items again after a growing wait. The
 * client's `helpers.bulk` can hang when a flush fails (opensearch-js issue 1061), and turns a 429 into a plain error.
 * @throws DomainError `store_unavailable` when the overload lasts or the alias has no index; Error for a refused item.
 */
export class BulkWriter {
  readonly #client: OpenSearch;
  readonly #onRetry: (reason: string) => void;

  constructor(client: OpenSearch, onRetry: (reason: string) => void) {
    this.#client = client;
    this.#onRetry = onRetry;
  }

  async write(alias: string, items: readonly BulkItem[]): Promise<void> {
    const limits = { countMax: Number.POSITIVE_INFINITY, sizeMax: BULK_BYTES_MAX };
    // Each item is encoded when its batch is filled, so that many do not block the thread at once.
    const batches = groupItems(encoded(items), { ...limits, sizeOf: ({ bytes }) => bytes });
    for await (const batch of batches) await this.#writeBatch(alias, batch);
  }

  async #writeBatch(alias: string, batch: readonly EncodedItem[]): Promise<void> {
    let left = batch;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const { overloaded, reason, block } = await this.#send(alias, left);
      if (overloaded.length === 0) return;
      if (attempt === ATTEMPTS_MAX) throw storeUnavailable(block ?? OVERLOADED, reason);
      this.#onRetry(reason);
      left = overloaded;
      await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
    }
  }

  async #send(alias: string, items: readonly EncodedItem[]): Promise<Outcome> {
    try {
      const { body } = await this.#client.transport.request({
        method: "POST",
        path: `/${encodeURIComponent(alias)}/_bulk`,
        querystring: { require_alias: true, filter_path: RESULT_PATHS },
        bulkBody: items.flatMap((item) => item.lines),
      });
      return outcomeOf(items, BulkAnswer.parse(body).items);
    } catch (error) {
      if (!isOpenSearchUnavailable(error)) throw error;
      const reason = error instanceof errors.ResponseError ? `status_${error.statusCode}` : "connection";
      return { overloaded: items, reason };
    }
  }
}

type EncodedItem = Pick<BulkItem, "id" | "isUpdate"> & {
  readonly lines: readonly string[];
  readonly bytes: number;
};
type Outcome = {
  readonly overloaded: readonly EncodedItem[];
  readonly reason: string;
  /** A message for the write block or the closed index that refused an item. */
  readonly block?: string | undefined;
};

const OVERLOADED = "OpenSearch accepts no more writes; try again in a moment.";

/** Somebody has deleted the index. It may come back, for example by a rebuild. */
const NO_INDEX = z.object({ type: z.literal("index_not_found_exception") });

/** It was deleted since, or the index is being filled: its writer takes the newest state. */
const MISSING_DOCUMENT = z.object({ type: z.literal("document_missing_exception") });

/** The members of the answer that are read; the others repeat the request. The error of a whole request is never filtered. */
const RESULT_PATHS = "items.*.status,items.*.error";

const ItemResult = z.object({ status: z.int(), error: z.unknown().optional() });
type ItemResult = z.output<typeof ItemResult>;

const BulkAnswer = z.object({
  items: z.array(
    z
      .union([z.object({ index: ItemResult }), z.object({ update: ItemResult })])
      .transform((item) => ("index" in item ? item.index : item.update)),
  ),
});

function outcomeOf(items: readonly EncodedItem[], results: readonly ItemResult[]): Outcome {
  const overloaded: EncodedItem[] = [];
  let block: string | undefined;
  for (const [position, item] of items.entries()) {
    const result = results[position];
    if (result !== undefined && result.error === undefined) continue;
    if (item.isUpdate && MISSING_DOCUMENT.safeParse(result?.error).success) continue;
    if (NO_INDEX.safeParse(result?.error).success)
      throw storeUnavailable("The index that OpenSearch should write to is missing.");
    // An item without a result may or may not have been written.
    if (result !== undefined && !isPassingRefusal(result.status, result.error))
      throw new Error(`OpenSearch refused ${item.id}: ${reasonOf(result.error)}`);
    block ??= blockMessage(result?.error);
    overloaded.push(item);
  }
  return { overloaded, reason: "item_rejected", block };
}

/** OpenSearch's reason for a refusal, without the quote of the refused value at its end. */
function reasonOf(error: unknown): string {
  const { type, reason } = Refusal.parse(error ?? {});
  return `${type}: ${reason.replace(QUOTED_VALUE, "")}`;
}

const Refusal = z.object({ type: z.string().default("no answer for it"), reason: z.string().default("") });
const QUOTED_VALUE =
  /(?: Preview of field's value|, The prefix of the first immense term|, original message).*/is;

function* encoded(items: readonly BulkItem[]): Generator<EncodedItem> {
  for (const { id, routing, body, isUpdate = false } of items) {
    const address = { _id: id, routing };
    const lines = isUpdate
      ? [JSON.stringify({ update: address }), JSON.stringify({ doc: body })]
      : [JSON.stringify({ index: address }), JSON.stringify(body)];
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    yield { id, isUpdate, lines, bytes };
  }
}
