import type { Queryable } from "../platform/postgres/database.ts";

const KEY_LIFETIME_HOURS = 24;

export type IdempotencyKey = {
  readonly idempotencyKey: string;
  readonly requestSha256: string;
  readonly checkId: string;
};

/** The keys that make retries of a submission safe. They live 24 hours, and go with their check. */
export class IdempotencyStore {
  /** The living key's check, if there is one; until the transaction ends, nobody else may claim the same key. */
  async claim(transaction: Queryable, idempotencyKey: string): Promise<IdempotencyKey | undefined> {
    await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [idempotencyKey]);
    await transaction.query(
      "delete from idempotency_keys where created_at < now() - make_interval(hours => $1)",
      [KEY_LIFETIME_HOURS],
    );
    const [row] = await transaction.query<{ request_sha256: string; check_id: string }>(
      "select request_sha256, check_id from idempotency_keys where idempotency_key = $1",
      [idempotencyKey],
    );
    return row && { idempotencyKey, requestSha256: row.request_sha256, checkId: row.check_id };
  }

  async insert(transaction: Queryable, key: IdempotencyKey): Promise<void> {
    await transaction.query(
      "insert into idempotency_keys (idempotency_key, request_sha256, check_id) values ($1, $2, $3)",
      [key.idempotencyKey, key.requestSha256, key.checkId],
    );
  }
}
