import type { Queryable } from "../platform/postgres/database.ts";
import { columns } from "../platform/postgres/sql.ts";

/** What a request with an idempotency key is answered. `membersAdded`: 0 if it created the batch. */
export type KeptAnswer = { readonly batchId: string; readonly membersAdded: number };

/** The keys that make retries of a submission safe, for 24 hours. */
export class BatchKeyStore {
  /** The batch of the living key, if there is one. Nobody else can claim the same key until the transaction ends. */
  async claim(
    transaction: Queryable,
    idempotencyKey: string,
  ): Promise<(KeptAnswer & { readonly requestSha256: string }) | undefined> {
    await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, 1))", [idempotencyKey]);
    await transaction.query(
      "delete from batch_idempotency_keys where created_at < now() - interval '24 hours'",
    );
    const [claimed] = await transaction.query<KeptAnswer & { readonly requestSha256: string }>(
      `select ${columns("request_sha256, batch_id, members_added")} from batch_idempotency_keys where idempotency_key = $1`,
      [idempotencyKey],
    );
    return claimed;
  }

  async insert(
    transaction: Queryable,
    key: KeptAnswer & { readonly idempotencyKey: string; readonly requestSha256: string },
  ): Promise<void> {
    await transaction.query(
      `insert into batch_idempotency_keys (idempotency_key, request_sha256, batch_id, members_added)
       values ($1, $2, $3, $4)`,
      [key.idempotencyKey, key.requestSha256, key.batchId, key.membersAdded],
    );
  }
}
