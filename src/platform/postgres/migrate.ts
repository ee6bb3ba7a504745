import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import pg from "pg";
import { ConfigError } from "../domain-error.ts";
import { errorCode } from "../error-code.ts";
import type { Logger } from "../logger.ts";
import { RELEASE } from "../release.ts";
import { DATABASE_SCHEMA, type Database, rethrowRefused, rethrowUnavailable } from "./database.ts";
import { Session } from "./session.ts";

const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../../migrations", import.meta.url));
const MIGRATIONS_TABLE = "schema_migrations";

const UNRELEASED_SCHEMA =
  "The tables in PostgreSQL were made by a build from before release 1.0.0, which can't be upgraded. To start over, empty the data folder (DATA_DIR), or drop the schemas similarity and similarity_jobs and delete the OpenSearch indices whose names begin with OPENSEARCH_INDEX_PREFIX (by default similarity-).";

/**
 * Applies the missing migrations; none if one fails. Processes that start together take turns.
 * @throws ConfigError also for tables of a newer release, and for those from before 1.0.0
 */
export async function migrate(databaseUrl: string, log: Logger): Promise<void> {
  await assertUsable(databaseUrl);
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

async function assertUsable(databaseUrl: string): Promise<void> {
  const session = await Session.open(databaseUrl).catch(rethrowRefused("DATABASE_URL"));
  try {
    await assertSupported(session);
    await assertOwnSchema(session);
  } catch (error) {
    rethrowRefused("DATABASE_URL")(error);
  } finally {
    await session.close();
  }
}

/** The oldest major version on which the tests of all kinds of statements pass; Debian 12 has it. */
const POSTGRES_MIN = 15;

/** @throws ConfigError for a server that is too old, lacks a collation, or stores text in another encoding than UTF-8 */
export async function assertSupported(session: Session): Promise<void> {
  const [server] = await session.query<{
    version: string;
    number: number;
    encoding: string;
    collates: boolean;
  }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::integer as number,
            current_setting('server_encoding') as encoding,
            exists (select from pg_collation where collname in ('pg_c_utf8', 'und-x-icu')) as collates`,
  );
  if (server === undefined) return;
  const { version, number, encoding, collates } = server;
  if (number < POSTGRES_MIN * 10_000)
    throw new ConfigError(
      `DATABASE_URL leads to PostgreSQL ${version}, which is too old: PostgreSQL ${POSTGRES_MIN} or later is needed.`,
    );
  if (!collates)
    throw new ConfigError(
      `PostgreSQL ${version} at DATABASE_URL was built without ICU, which is needed before PostgreSQL 17. Use PostgreSQL 17 or later, or a build with ICU.`,
    );
  if (encoding !== "UTF8")
    throw new ConfigError(
      `The database of DATABASE_URL stores text as ${encoding}. Create one with the encoding UTF8: create database … encoding 'UTF8' template template0.`,
    );
}

/** Schemas are told apart by the migrations that were applied: all of them begin with our first one, and only a newer release has others. */
async function assertOwnSchema(session: Session): Promise<void> {
  const table = `${DATABASE_SCHEMA}.${MIGRATIONS_TABLE}`;
  const [found] = await session.query("select from pg_class where oid = to_regclass($1)", [table]);
  if (found === undefined) return;
  const rows = await session.query<{ name: string }>(`select name from ${table} order by id`);
  const applied = rows.map(({ name }) => name);
  const own = await migrationNames();
  const [first] = applied;
  if (first !== undefined && first !== own[0]) throw new ConfigError(UNRELEASED_SCHEMA);
  const foreign = applied.find((name) => !own.includes(name));
  if (foreign !== undefined) throw new ConfigError(newerSchema(foreign));
}

function newerSchema(migration: string): string {
  return `The tables in PostgreSQL were made by a newer release, and this one, ${RELEASE}, does not know their migration ${migration}. Start the newer release, or restore a backup from before the upgrade.`;
}

/** The migrations of this release, in their order. */
async function migrationNames(): Promise<string[]> {
  const files = await readdir(MIGRATIONS_FOLDER);
  return files
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .sort();
}

/** True when each migration of this release has been applied; while a newer release is rolled out, its schema is current too. */
export async function schemaIsCurrent(database: Database): Promise<boolean> {
  const rows = await database.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE}`);
  const applied = new Set(rows.map((row) => row.name));
  return (await migrationNames()).every((name) => applied.has(name));
}

/** The moment of the first migration, which identifies a database and its backups. */
export async function databaseSetUp(database: Database): Promise<string> {
  const [row] = await database.query<{ moment: string }>(
    `select to_char(min(run_on), 'YYYY-MM-DD HH24:MI:SS.US') as moment from ${MIGRATIONS_TABLE}`,
  );
  return row?.moment ?? "";
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
