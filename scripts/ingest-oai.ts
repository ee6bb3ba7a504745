import { parseArgs } from "node:util";
import { namedCollection } from "../src/corpus/ingest/collection-ingest.ts";
import { readCommand, UsageError } from "../src/platform/terminal/command.ts";
import { asUsage, readUrl, runIngestCommand } from "../tools/commands/ingest-command.ts";

const USAGE = `Usage: npm run ingest:oai -- URL [--set SET] [--from DATE] [--until DATE] [OPTION…]

Harvests a repository (DSpace, EPrints, OJS and others) by OAI-PMH into the corpus, and returns when all works are matchable: the text of
their files if these are open to everybody, otherwise their descriptions. Later runs read what has changed; works that are gone are deleted.

  --set SET              only works of this set
  --from DATE            only works that were changed on this day or later: 2026-01-31 or 2026-01-31T12:00:00Z
  --until DATE           only works that were changed on this day or earlier
  --contact ADDRESS      an e-mail address or a page, sent to the repository
  --pause SECONDS        wait before each request, 0.5 by default
  --collection NAME      identify the documents by this name instead of the repository's address
  --new-query            accept another set or other dates than in the last run; works outside them are deleted
  --allow-empty          delete all documents of the repository if it has no works at all
  --json                 print the result as JSON on the last line of standard output`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) {
  const { json, input } = request;
  await runIngestCommand({ unit: "works", json }, (corpus, told) => corpus.ingestOai({ ...input, ...told }));
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/;

/** @throws UsageError before anything is started. */
async function readRequest(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      set: { type: "string" },
      from: { type: "string" },
      until: { type: "string" },
      contact: { type: "string" },
      pause: { type: "string" },
      collection: { type: "string" },
      "new-query": { type: "boolean", default: false },
      "allow-empty": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const [address, ...more] = positionals;
  if (address === undefined || more.length > 0) throw new UsageError("Give the base URL of one repository.");
  const url = readUrl("URL", address, ["http:", "https:"]);
  const { set, from, until, contact, collection, json } = values;
  for (const [option, date] of [
    ["--from", from],
    ["--until", until],
  ] as const)
    if (date !== undefined && !(DATE.test(date) && !Number.isNaN(Date.parse(date))))
      throw new UsageError(`${option} must be a date such as 2026-01-31, not "${date}".`);
  const seconds = values.pause === undefined ? undefined : Number(values.pause);
  if (seconds !== undefined && !(seconds >= 0)) throw new UsageError("--pause must be a number of seconds.");
  await asUsage(() => namedCollection("oai", url, collection));
  return {
    json,
    input: {
      ...{ url, set, from, until, contact, collection },
      pauseMs: seconds === undefined ? undefined : 1_000 * seconds,
      newSelection: values["new-query"],
      allowEmpty: values["allow-empty"],
    },
  };
}
