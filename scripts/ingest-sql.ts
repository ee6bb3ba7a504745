import { parseArgs } from "node:util";
import { namedCollection } from "../src/corpus/ingest/collection-ingest.ts";
import { readCommand, UsageError } from "../src/platform/terminal/command.ts";
import {
  asUsage,
  RECORD_OPTIONS,
  RECORD_USAGE,
  readRecordOptions,
  readUrl,
  runIngestCommand,
} from "../tools/commands/ingest-command.ts";

const USAGE = `Usage: npm run ingest:sql -- --query 'select id, title, body, url, language from articles' [OPTION…]

Loads the rows of a PostgreSQL query into the corpus, and returns when all of them are matchable. Unchanged rows are skipped,
changed ones replace their document, and documents whose row is gone are deleted.

  --query SQL            one select; the columns id, title, body (or text), url and language are known by their names
  --database URL         read from this database instead of the corpus's own; PGPASSWORD may hold the password
  --id COLUMN            column that identifies a row
  --text COLUMNS         columns of the text, comma-separated; joined by blank lines. A member of a JSON column: data.body
  --title COLUMN         column of the title; the identifier if there is none
  --url COLUMN           column with the address at which the document is published
  --id-url PATTERN       address of rows without one, such as https://example.org/{_id} or https://example.org/{slug}
  --language COLUMN      column with an ISO 639-1 code; detected if there is none
${RECORD_USAGE}`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) {
  const { run, input } = request;
  await runIngestCommand({ unit: "rows", ...run }, (corpus, told) => corpus.ingestSql({ ...input, ...told }));
}

/** @throws UsageError before anything is started. */
async function readRequest(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      ...RECORD_OPTIONS,
      query: { type: "string" },
      database: { type: "string" },
      id: { type: "string" },
    },
  });
  const { query, database, id } = values;
  if (!query) throw new UsageError("--query must be a select.");
  const { text, run, common } = readRecordOptions(values);
  await asUsage(() => namedCollection("sql", "", common.collection));
  return {
    run,
    input: {
      ...{ query, id, text, ...common },
      database:
        database === undefined ? undefined : readUrl("--database", database, ["postgres:", "postgresql:"]),
    },
  };
}
