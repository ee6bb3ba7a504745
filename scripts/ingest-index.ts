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

const USAGE = `Usage: npm run ingest:index -- --from INDEX --text FIELD[,FIELD] [--title FIELD] [--url FIELD] [--language FIELD] [OPTION…]

Loads the documents of an OpenSearch index into the corpus, and returns when all of them are matchable. Unchanged documents are
skipped, changed ones replaced, and those that are gone from the index are deleted from the corpus.

  --from INDEX           the index, an alias, or a pattern such as articles-*
  --text FIELDS          fields of the text, comma-separated paths such as body,author.bio; joined by blank lines
  --title FIELD          field of the title; the _id by default
  --url FIELD            field with the address at which the document is published
  --id-url PATTERN       address of documents without one, such as https://example.org/{_id} or https://example.org/{meta.slug}
  --language FIELD       field with an ISO 639-1 code; detected by default
  --query JSON           only documents that match, such as '{"term":{"status":"published"}}'
  --node URL             read from another cluster; OPENSEARCH_* settings apply to it, and a user in the URL comes first
${RECORD_USAGE}`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) {
  const { run, input } = request;
  await runIngestCommand({ unit: "documents", ...run }, (corpus, told) =>
    corpus.ingestIndex({ ...input, ...told }),
  );
}

/** @throws UsageError before anything is started. */
async function readRequest(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      ...RECORD_OPTIONS,
      from: { type: "string" },
      query: { type: "string" },
      node: { type: "string" },
    },
  });
  const { from, query, node } = values;
  if (!from) throw new UsageError("--from must name an index.");
  const { text, run, common } = readRecordOptions(values);
  if (text === undefined) throw new UsageError("--text must name the fields of the text.");
  await asUsage(() => namedCollection("index", from, common.collection));
  return {
    run,
    input: {
      ...{ from, text, ...common },
      query: query === undefined ? undefined : readQuery(query),
      node: node === undefined ? undefined : readUrl("--node", node, ["http:", "https:"]),
    },
  };
}

/** @throws UsageError */
function readQuery(json: string): Readonly<Record<string, unknown>> {
  let query: unknown;
  try {
    query = JSON.parse(json);
  } catch (error) {
    throw new UsageError(`--query is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (typeof query !== "object" || query === null || Array.isArray(query))
    throw new UsageError('--query must be a JSON object such as {"term":{"status":"published"}}.');
  return { ...query };
}
