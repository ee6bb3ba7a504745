import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { ComputePool } from "../compute/compute-pool.ts";
import { DomainError } from "../core/domain-error.ts";
import type { JobQueue } from "../platform/job-queue.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { CheckStore } from "./check-store.ts";
import type { IdempotencyStore } from "./idempotency-store.ts";

/** The queue whose jobs run checks. */
export const RUN_CHECK_QUEUE = "run-check";

export const QUERY_TEXT_CHARS_MAX = 500_000;
const PREVIEW_CHARS = 120;

export type SubmitCheckInput = {
  readonly queryText: string;
  readonly language: string;
  readonly title: string | null;
  /** Makes a repetition of the same request give the same check. */
  readonly idempotencyKey: string | undefined;
  /** What the client sent, as far as it decides what is checked; compared when a key comes again. */
  readonly request: readonly (string | null)[];
};

/**
 * Accepts a text to be checked in the background and gives its identifier.
 * @throws DomainError `idempotency_key_reused`; `service_busy` when as many checks wait already as may; `store_unavailable`.
 */
export type SubmitCheck = (input: SubmitCheckInput) => Promise<string>;

type Parts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly idempotencyKeys: IdempotencyStore;
  readonly queue: JobQueue;
  readonly compute: ComputePool;
  /** Checks that may wait for a worker, over all replicas. Those that come at the same moment may exceed it by a few. */
  readonly checksWaitingMax: number;
};

/** Makes the use case: the check, its key and its job come into being together or not at all. */
export function createSubmitCheck(parts: Parts): SubmitCheck {
  const { database, checks, idempotencyKeys, queue, compute, checksWaitingMax } = parts;
  return async ({ queryText, language, title, idempotencyKey, request }) => {
    const measure = await compute.run("measureText", { text: queryText, language });
    return database.transaction(async (transaction) => {
      if (idempotencyKey === undefined) return insert(transaction);
      const requestSha256 = sha256(JSON.stringify(request));
      const earlier = await idempotencyKeys.claim(transaction, idempotencyKey);
      if (earlier === undefined) {
        const checkId = await insert(transaction);
        await idempotencyKeys.insert(transaction, { idempotencyKey, requestSha256, checkId });
        return checkId;
      }
      if (earlier.requestSha256 === requestSha256) return earlier.checkId;
      throw new DomainError(
        "idempotency_key_reused",
        "This Idempotency-Key came with another request before; send a new key for a new request.",
      );
    });

    async function insert(transaction: Queryable): Promise<string> {
      const waiting = await queue.countWaiting(RUN_CHECK_QUEUE, checksWaitingMax, transaction);
      if (waiting >= checksWaitingMax) throw tooManyWait();
      const checkId = uuidv7();
      const queryTextPreview = firstCharacters(queryText, PREVIEW_CHARS);
      await checks.insert(transaction, { checkId, queryText, queryTextPreview, language, title, ...measure });
      await queue.enqueue(RUN_CHECK_QUEUE, checkId, transaction);
      return checkId;
    }
  };
}

function tooManyWait(): DomainError {
  const message = "Too many checks are waiting. Send this one again after the seconds in Retry-After.";
  return new DomainError("service_busy", message);
}

/** The first code points of a text. */
export function firstCharacters(text: string, count: number): string {
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
