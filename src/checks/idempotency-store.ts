import { createHash } from "node:crypto";
import { setImmediate as nextPass } from "node:timers/promises";
import { DomainError } from "../platform/domain-error.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import { columns } from "../platform/postgres/sql.ts";

const KEY_LIFETIME_HOURS = 24;

/** The effect of a request. `id`: the check or the batch; `membersAdded`: 0 unless it added members to the batch. */
type KeptAnswer = { readonly id: string; readonly membersAdded: number };

type KeyedRequest = {
  /** The same key may be used for a check and for a batch. */
  readonly kind: "check" | "batch";
  readonly idempotencyKey: string | undefined;
  readonly requestSha256: string;
};

/** Identifies a request's content; compared when a key is reused. A part that may be missing is never an empty text. */
export type RequestParts = readonly (string | Uint8Array | null)[];

/** Made before a transaction, since the content may be a form of 100 MiB. */
export async function keyedRequest(
  kind: KeyedRequest["kind"],
  idempotencyKey: string | undefined,
  request: RequestParts,
): Promise<KeyedRequest> {
  const requestSha256 = idempotencyKey === undefined ? "" : await sha256Of(request);
  return { kind, idempotencyKey, requestSha256 };
}

/** The keys that make retries of a submission safe. They live for 24 hours and are deleted with their check or batch. */
export class IdempotencyStore {
  /**
   * The effect of the request with this key, finished or in progress. Nobody else can use the same key until the transaction ends.
   * @throws DomainError `idempotency_key_reused` if another request had this key
   */
  async once(
    transaction: Queryable,
    { kind, idempotencyKey, requestSha256 }: KeyedRequest,
    work: () => Promise<KeptAnswer>,
  ): Promise<KeptAnswer> {
    if (idempotencyKey === undefined) return work();
    const earlier = await this.#claim(transaction, kind, idempotencyKey);
    if (earlier !== undefined && earlier.requestSha256 !== requestSha256)
      throw new DomainError(
        "idempotency_key_reused",
        "This Idempotency-Key was used for a different request. Send a new key with a new request.",
      );
    if (earlier !== undefined) return earlier;
    const answer = await work();
    await transaction.query(
      `insert into idempotency_keys (kind, idempotency_key, request_sha256, ${kind}_id, members_added)
       values ($1, $2, $3, $4, $5)`,
      [kind, idempotencyKey, requestSha256, answer.id, answer.membersAdded],
    );
    return answer;
  }

  /** The answer of the living key, if there is one. */
  async #claim(
    transaction: Queryable,
    kind: KeyedRequest["kind"],
    idempotencyKey: string,
  ): Promise<(KeptAnswer & { readonly requestSha256: string }) | undefined> {
    await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, $2))", [
      idempotencyKey,
      LOCK_SEEDS[kind],
    ]);
    await transaction.query(
      "delete from idempotency_keys where created_at < now() - make_interval(hours => $1)",
      [KEY_LIFETIME_HOURS],
    );
    const [claimed] = await transaction.query<KeptAnswer & { requestSha256: string }>(
      `select ${columns("request_sha256, members_added")}, coalesce(check_id, batch_id) as id
         from idempotency_keys where kind = $1 and idempotency_key = $2`,
      [kind, idempotencyKey],
    );
    return claimed;
  }
}

/** The seeds of the hashes of advisory locks: they differ so that a check and a batch with the same key do not wait for each other. */
const LOCK_SEEDS = { check: 0, batch: 1 } as const satisfies Record<KeyedRequest["kind"], number>;

/** Some milliseconds of work: a form of 100 MiB would hold up other requests for a quarter of a second. */
const HASHED_BYTES = 2 * 1024 * 1024;

async function sha256Of(parts: RequestParts): Promise<string> {
  const hash = createHash("sha256");
  for (const part of parts) {
    const own = createHash("sha256");
    if (!(part instanceof Uint8Array)) own.update(part ?? "");
    else
      for (let at = 0; at < part.length; at += HASHED_BYTES) {
        if (at > 0) await nextPass();
        own.update(part.subarray(at, at + HASHED_BYTES));
      }
    hash.update(own.digest());
  }
  return hash.digest("hex");
}
