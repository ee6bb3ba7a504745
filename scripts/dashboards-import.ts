import process from "node:process";
import { parseArgs } from "node:util";
import { readConfig } from "../src/platform/config.ts";
import { explainError, printResult, readCommand, UsageError } from "../src/platform/terminal/command.ts";
import {
  type DashboardsServer,
  type ImportOutcome,
  importSavedObjects,
  readSavedObjects,
} from "../tools/dashboards/saved-objects.ts";

const USAGE = `Usage: npm run dashboards:import -- [--url URL] [--username NAME] [--password PASSWORD] [--tenant NAME]

Imports the data views, searches, visualizations and dashboards of index-templates/dashboards.ndjson into OpenSearch
Dashboards, and replaces the objects of an earlier import. It respects OPENSEARCH_INDEX_PREFIX.

  --url URL            URL of Dashboards, including its base path; http://localhost:5601 by default
  --username NAME      a user with write access to Dashboards; by default OPENSEARCH_USERNAME with OPENSEARCH_PASSWORD
  --password PASSWORD  the password of that user
  --tenant NAME        tenant of the security plugin to import into, such as global; by default the user's own choice

If the certificate is signed by your own authority, set NODE_EXTRA_CA_CERTS to its PEM file.`;

const URL_DEFAULT = "http://localhost:5601";

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) {
  try {
    process.exitCode = await runImport(request);
  } catch (error) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}

function readRequest(args: string[]): DashboardsServer {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: "string", default: URL_DEFAULT },
      username: { type: "string" },
      password: { type: "string" },
      tenant: { type: "string" },
    },
  });
  if (!/^https?:$/.test(URL.parse(values.url)?.protocol ?? ""))
    throw new UsageError(`--url must begin with http:// or https://, not "${values.url}".`);
  if ((values.username === undefined) !== (values.password === undefined))
    throw new UsageError("--username and --password must be given together.");
  return values;
}

async function runImport(server: DashboardsServer): Promise<number> {
  const config = readConfig(process.env);
  const savedObjects = await readSavedObjects(config.opensearchIndexPrefix);
  const { opensearchUsername: username, opensearchPassword: password } = config;
  const outcome = await importSavedObjects(savedObjects, { username, password, ...server });
  printResult(present(outcome, server.url), undefined);
  return outcome.complete ? 0 : 1;
}

function present({ complete, objects, refused }: ImportOutcome, url: string): string[] {
  if (complete)
    return [`Imported ${objects.length} objects into ${url}:`, ...objects.map((object) => `  ${object}`)];
  return [
    `Dashboards at ${url} rejected some of the ${objects.length} objects, and may have kept none of them:`,
    ...refused.map(({ object, reason }) => `  ${object} (${reason})`),
  ];
}
