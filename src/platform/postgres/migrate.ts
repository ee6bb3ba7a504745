import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import pg from "pg";
import { errorCode } from "../error-code.ts";
import type { Logger } from "../logger.ts";
import { DATABASE_SCHEMA, type Database, rethrowRefused, rethrowUnavailable } from "./database.ts";
import { Session } from "./session.ts";

const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../../migrations", import.meta.url));
const MIGRATIONS_TABLE = "schema_migrations";

/** Applies the missing migrations; none if one fails. Processes that start together take turns. @throws ConfigError */
export async function migrate(databaseUrl: string, log: Logger): Promise<void> {
  await createSchema(databaseUrl, DATABASE_SCHEMA);
  await runner({
    databaseUrl,
    dir: `${MIGRATIONS_FOLDER}/*.sql`,
    useGlob: true,
    direction: "up",
    schema: DATABASE_SCHEMA,
    migrationsSchema: DATABASE_SCHEMA,
    migrationsTable: MIGRATIONS_TABLE,
    advisoryLockMode: "wait",
    logger: {
      debug: (message) => log.debug(message.trim()),
      info: (message) => log.debug(message.trim()),
      warn: (message) => log.warn(message.trim()),
      error: (message) => log.debug(message.trim()),
    },
  })
    .catch(rethrowRefused("DATABASE_URL"))
    .catch(rethrowUnavailable);
}

/** True when each migration of this release has been applied; a newer schema is current too. */
export async function schemaIsCurrent(database: Database): Promise<boolean> {
  const files = await readdir(MIGRATIONS_FOLDER);
  const wanted = files.filter((file) => file.endsWith(".sql")).map((file) => file.slice(0, -".sql".length));
  const rows = await database.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE}`);
  const applied = new Set(rows.map((row) => row.name));
  return wanted.every((name) => applied.has(name));
}

/** Creates a missing schema. It looks first: a role that owns its schemas needs no right to create them. @throws ConfigError */
export async function createSchema(databaseUrl: string, schema: string): Promise<void> {
  const session = await Session.open(databaseUrl).catch(rethrowRefused("DATABASE_URL"));
  try {
    const found = await session.query("select 1 from pg_namespace where nspname = $1", [schema]);
    if (found.length > 0) return;
    await session.query(`create schema ${pg.escapeIdentifier(schema)}`).catch(ignoreCreatedMeanwhile);
  } catch (error) {
    rethrowRefused("DATABASE_URL")(error);
  } finally {
    await session.close();
  }
}

/** Duplicate schema, or a violation of its unique index: another process was faster. */
const CREATED_MEANWHILE = new Set(["42P06", "23505"]);

function ignoreCreatedMeanwhile(error: unknown): void {
  if (!CREATED_MEANWHILE.has(errorCode(error))) throw error;
}
