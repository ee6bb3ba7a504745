import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import type { Logger } from "../logger.ts";
import { DATABASE_SCHEMA, type Database, rethrowUnavailable } from "./database.ts";
import { makeSchema } from "./make-schema.ts";
import { rethrowRefused } from "./refused.ts";

const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../../migrations", import.meta.url));
const MIGRATIONS_TABLE = "schema_migrations";

/**
 * Brings the schema up to date. Processes that start together take turns: the later ones find nothing to do.
 * @throws the statement's own error, and nothing of these migrations stays; DomainError `store_unavailable`;
 * ConfigError when PostgreSQL answers but doesn't let us in.
 */
export async function migrate(databaseUrl: string, log: Logger): Promise<void> {
  await makeSchema(databaseUrl, DATABASE_SCHEMA);
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
