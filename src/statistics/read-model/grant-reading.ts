import { DATABASE_SCHEMA, type Database } from "../../platform/postgres/database.ts";

/** The role, when the server has it, that may read the figures and count requests, and nothing else. */
export const STATISTICS_READER = "similarity_statistics";

/** The role also reads this table, to check whether the schema is current. */
const MIGRATIONS_TABLE = "schema_migrations";

/** The one table that it writes; see `RequestCounter`. */
const COUNTS_TABLE = "statistics_request_counts";

/** Concurrent grants on the same table fail. Any number that no other advisory lock of the database has. */
const GRANT_LOCK = 7_301_944;

/**
 * Grants the reader its rights on all current tables, so that a release with new tables needs no manual step. Does nothing if
 * the role does not exist or has its rights already.
 * @returns false if rights are missing that our role can't grant.
 */
export async function grantStatisticsReading(database: Database): Promise<boolean> {
  if (!(await lacksRights(database))) return true;
  await database.transaction(async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock($1)", [GRANT_LOCK]);
    const tables = await transaction.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where ${OURS} and tableowner = current_user`,
    );
    if (tables.length === 0) return;
    await transaction.query(`grant usage on schema ${DATABASE_SCHEMA} to ${STATISTICS_READER}`);
    for (const { name } of tables) await transaction.query(`grant select on ${name} to ${STATISTICS_READER}`);
    await transaction.query(`grant insert, update, delete on ${COUNTS_TABLE} to ${STATISTICS_READER}`);
  });
  return !(await lacksRights(database));
}

const OURS = `schemaname = '${DATABASE_SCHEMA}' and (starts_with(tablename, 'statistics_') or tablename = '${MIGRATIONS_TABLE}')`;

async function lacksRights(database: Database): Promise<boolean> {
  const rows = await database.query(
    `select 1 from pg_roles, pg_tables
      where rolname = '${STATISTICS_READER}' and ${OURS}
        and not (has_schema_privilege(rolname, schemaname, 'usage')
                 and has_table_privilege(rolname, format('%I.%I', schemaname, tablename), 'select')
                 and (tablename <> '${COUNTS_TABLE}'
                      or has_table_privilege(rolname, format('%I.%I', schemaname, tablename), 'delete')))
      limit 1`,
  );
  return rows.length > 0;
}
