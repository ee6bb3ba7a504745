import { DATABASE_SCHEMA, type Database } from "../../platform/postgres/database.ts";

/** The role, when the server has it, that may read the figures and count requests, and nothing else. */
export const STATISTICS_READER = "similarity_statistics";

/** What it reads beside the tables of the statistics: whether the schema is current. */
const MIGRATIONS_TABLE = "schema_migrations";

/** The one table that it writes; see `RequestCounter`. */
const COUNTS_TABLE = "statistics_request_counts";

/** One at a time: two that grant on the same table at once disturb each other. The number is any that nobody else uses. */
const GRANT_LOCK = 7_301_944;

/**
 * Gives the reader its rights on the tables that there are now, so that a release with new ones needs nobody's hand. Nothing
 * happens where there is no such role, or where it has them. False where it lacks rights that this role of ours can't give.
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
