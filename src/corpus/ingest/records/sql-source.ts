import pg from "pg";
import { DomainError, storeUnavailable } from "../../../platform/domain-error.ts";
import { errorMessage } from "../../../platform/error-code.ts";
import { mergeSources } from "../../../platform/flow/concurrency.ts";
import { rethrowUnavailable } from "../../../platform/postgres/database.ts";
import {
  PAGE_IDS,
  PageSize,
  type RecordSnapshot,
  type RecordSource,
  type SourceRecord,
  VISIBLE_AFTER_MS,
} from "./record-source.ts";

/** Connection timeout. */
const CONNECT_TIMEOUT_MS = 10_000;

type SqlSourceOptions = {
  /** One `select`. Its columns are the fields of the records. */
  readonly query: string;
  /** `id` by default. */
  readonly idColumn?: string | undefined;
  readonly updatedField?: string | undefined;
  /** Whether it is the corpus's own database, whose address may change at each start. */
  readonly isOwn?: boolean | undefined;
};

/** Reads the rows of a query in one transaction, by a cursor of the server. */
export function createSqlSource(databaseUrl: string, options: SqlSourceOptions): RecordSource {
  const query = options.query.trim().replace(/(\s*;)+$/, "");
  const database = options.isOwn === true ? databaseName(databaseUrl) : databaseOf(databaseUrl);
  return {
    name: `the query on ${database}`,
    collection: `sql:${database}`,
    selection: JSON.stringify([database, query.replaceAll(/\s+/g, " ")]),
    updatedField: options.updatedField,
    open: () => openSnapshot(databaseUrl, { ...options, query }),
  };
}

/** The host and the name, without user and password. */
function databaseOf(databaseUrl: string): string {
  return `${new URL(databaseUrl).host}/${databaseName(databaseUrl)}`;
}

function databaseName(databaseUrl: string): string {
  return decodeURIComponent(new URL(databaseUrl).pathname).slice(1);
}

async function openSnapshot(databaseUrl: string, options: SqlSourceOptions): Promise<RecordSnapshot> {
  const { query, idColumn = "id", updatedField } = options;
  const reader = await SqlReader.open(databaseUrl);
  try {
    const columns = await reader.columnsOf(query);
    for (const [option, column] of [
      ["--id", idColumn],
      ["--updated-field", updatedField],
    ] as const) {
      if (column !== undefined) assertColumn(columns, option, column);
    }
    const id = pg.escapeIdentifier(idColumn);
    const from = `from (${query}\n) as records`;
    const updated = updatedField === undefined ? undefined : pg.escapeIdentifier(updatedField);
    const newest = updatedField === undefined ? undefined : await reader.newest(from, updatedField, columns);
    const toRecords = (rows: readonly Row[]) => rows.map((row) => toRecord(row, idColumn));
    return {
      total: undefined,
      newest,
      mayHoldOtherFields: false,
      fieldNames: async () => [...columns.keys()],
      records: (since) => {
        const isChanged = `${updated} >= ${pg.escapeLiteral(since ?? "")} or ${updated} is null`;
        const changed = since === undefined || updated === undefined ? "" : ` where ${isChanged}`;
        return mergeSources([readRecords(reader, `select * ${from}${changed}`, toRecords)]);
      },
      recordsOf: async (ids) =>
        toRecords(await reader.rows(`select * ${from} where ${id}::text = any($1)`, [ids])),
      ids: () => mergeSources([readIds(reader, `select ${id}::text as id ${from}`)]),
      close: () => reader.close(),
    };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

type Row = Readonly<Record<string, unknown>>;

async function* readRecords(
  reader: SqlReader,
  query: string,
  toRecords: (rows: readonly Row[]) => SourceRecord[],
): AsyncGenerator<readonly SourceRecord[]> {
  const pageSize = new PageSize();
  const fetchRows = await reader.openCursor("records_cursor", query);
  for (;;) {
    const count = pageSize.records;
    const rows = await fetchRows(count);
    const page = toRecords(rows);
    pageSize.note(page);
    yield page;
    if (rows.length < count) return;
  }
}

async function* readIds(reader: SqlReader, query: string): AsyncGenerator<readonly string[]> {
  const fetchRows = await reader.openCursor("ids_cursor", query);
  for (;;) {
    const rows = await fetchRows(PAGE_IDS);
    yield rows.map((row) => idOf(row, "id"));
    if (rows.length < PAGE_IDS) return;
  }
}

function toRecord(row: Row, idColumn: string): SourceRecord {
  return { id: idOf(row, idColumn), fields: row };
}

/** @throws DomainError `invalid_input` */
function idOf(row: Row, idColumn: string): string {
  const id = row[idColumn];
  if (id === null || id === undefined || id === "")
    throw new DomainError(
      "invalid_input",
      `A row of the query has no value in ${idColumn}, by which its document is known. Leave such rows out of the query, or name another column with --id.`,
    );
  return String(id);
}

/** The columns of a query with the numbers of their types. */
type Columns = ReadonlyMap<string, number>;

/** @throws DomainError `invalid_input` that names the columns. */
function assertColumn(columns: Columns, option: string, column: string): void {
  if (columns.has(column)) return;
  throw new DomainError(
    "invalid_input",
    `The query has no column ${column} (${option}). Its columns are: ${[...columns.keys()].join(", ")}.`,
  );
}

const {
  INT2,
  INT4,
  INT8,
  FLOAT4,
  FLOAT8,
  NUMERIC,
  DATE,
  TIMESTAMP,
  TIMESTAMPTZ,
  JSON: JSON_TEXT,
  JSONB,
} = pg.types.builtins;
const TIMES: readonly number[] = [TIMESTAMP, TIMESTAMPTZ];
const ORDERED: readonly number[] = [...TIMES, DATE, INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC];

/** A transaction that sees the rows of one moment and can't change any. */
class SqlReader {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
    // Without a listener the error would end the process; the next statement fails with it.
    client.on("error", () => undefined);
  }

  static async open(databaseUrl: string): Promise<SqlReader> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: "similarity-check ingest",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      types: { getTypeParser: readAsText },
    });
    const reader = new SqlReader(client);
    try {
      await client.connect().catch((error: unknown) => refused(databaseUrl, error));
      await reader.rows("begin isolation level repeatable read read only");
      // A page is fetched only when the last one is written, and all pages are wanted.
      await reader.rows("set local idle_in_transaction_session_timeout = 0");
      await reader.rows("set local statement_timeout = 0");
      await reader.rows("set local cursor_tuple_fraction = 1");
      return reader;
    } catch (error) {
      await reader.close();
      throw error;
    }
  }

  async columnsOf(query: string): Promise<Columns> {
    const { fields } = await this.#run(`select * from (${query}\n) as records limit 0`);
    return new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]));
  }

  /** The newest value of the updated column, less the time after which rows become visible. */
  async newest(from: string, column: string, columns: Columns): Promise<string | undefined> {
    const type = columns.get(column) ?? 0;
    if (!ORDERED.includes(type))
      throw new DomainError(
        "invalid_input",
        `The column ${column} (--updated-field) must be a date, a timestamp or a number. Convert it in the query, as in ${column}::timestamptz as ${column}.`,
      );
    const margin = TIMES.includes(type) ? ` - interval '${VISIBLE_AFTER_MS} milliseconds'` : "";
    const [row] = await this.rows(
      `select (max(${pg.escapeIdentifier(column)})${margin})::text as newest ${from}`,
    );
    return typeof row?.newest === "string" ? row.newest : undefined;
  }

  /** Returns a function that fetches the next rows. */
  async openCursor(name: string, query: string): Promise<(count: number) => Promise<readonly Row[]>> {
    await this.rows(`declare ${name} no scroll cursor for ${query}`);
    return (count) => this.rows(`fetch ${count} from ${name}`);
  }

  async rows(statement: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.#run(statement, values)).rows;
  }

  async #run(statement: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Row>> {
    try {
      return await this.#client.query<Row>(statement, [...values]);
    } catch (error) {
      if (error instanceof pg.DatabaseError && QUERY_SQLSTATE.test(error.code ?? ""))
        throw new DomainError(
          "invalid_input",
          `PostgreSQL refuses the query: ${error.message}. Check --query.`,
          {
            cause: error,
          },
        );
      return rethrowUnavailable(error);
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

/** A wrong statement or value, a missing right, and a write in a transaction that only reads. */
const QUERY_SQLSTATE = /^(42|22|0A|25006)/;

/** @throws DomainError without the user and the password. */
function refused(databaseUrl: string, error: unknown): never {
  const reason = errorMessage(error);
  const place = databaseOf(databaseUrl);
  if (error instanceof pg.DatabaseError && /^(28|3D|42501)/.test(error.code ?? ""))
    throw new DomainError(
      "invalid_input",
      `PostgreSQL at ${place} refuses access: ${reason}. Check --database.`,
    );
  throw storeUnavailable(`PostgreSQL at ${place} can't be reached: ${reason}. Check --database.`, error);
}

/** JSON and lists keep their structure; large numbers and times would lose digits as JavaScript's values. */
function readAsText(type: number) {
  const isStructured = type === JSON_TEXT || type === JSONB || LISTS.includes(type);
  return isStructured ? pg.types.getTypeParser(type, "text") : String;
}

/** PostgreSQL's types of lists of text, names, numbers and JSON; `pg` names only single values. */
const LISTS: readonly number[] = [1002, 1009, 1015, 1003, 1005, 1007, 1016, 199, 3807];
