import pg from "pg";
import { connectionOptions, rethrowUnavailable } from "./database.ts";
import { rethrowRefused } from "./refused.ts";

/**
 * Makes a schema where there is none. It looks first: PostgreSQL wants the right to create schemas in the database even
 * for `create schema if not exists` of one that stands, and a role that owns its schemas needs no such right.
 * @throws ConfigError when PostgreSQL answers but doesn't let us; DomainError `store_unavailable`.
 */
export async function makeSchema(databaseUrl: string, schema: string): Promise<void> {
  const client = new pg.Client(connectionOptions(databaseUrl));
  // An error without a listener would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const found = await client.query("select 1 from pg_namespace where nspname = $1", [schema]);
    if (found.rowCount === 0) {
      await client.query(`create schema ${pg.escapeIdentifier(schema)}`).catch(ignoreMadeMeanwhile);
    }
  } catch (error) {
    await Promise.reject(error).catch(rethrowRefused("DATABASE_URL")).catch(rethrowUnavailable);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Duplicate schema, and the unique index behind it: what the later of two processes meets. */
const MADE_MEANWHILE = new Set(["42P06", "23505"]);

function ignoreMadeMeanwhile(error: unknown): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!MADE_MEANWHILE.has(code)) throw error;
}
