import process from "node:process";
import { parseArgs } from "node:util";
import { explainError } from "../src/explain-error.ts";
import { readConfig } from "../src/platform/config.ts";
import {
  type DashboardsServer,
  type ImportOutcome,
  importSavedObjects,
  readSavedObjects,
} from "../src/platform/opensearch/dashboards-import.ts";

const USAGE = `Usage: npm run dashboards:import -- [--url URL] [--username NAME] [--password PASSWORD] [--tenant NAME]

Imports the data views, searches, visualizations and dashboards of index-templates/dashboards.ndjson into OpenSearch
Dashboards. What is there from an earlier import is replaced. OPENSEARCH_INDEX_PREFIX is taken into account.

  --url URL            where Dashboards is, with its base path if it has one; http://localhost:5601 by default
  --username NAME      a user who may write in Dashboards; by default OPENSEARCH_USERNAME with OPENSEARCH_PASSWORD
  --password PASSWORD  that user's password
  --tenant NAME        the security plugin's tenant to import into, such as global; by default the user's own choice

For a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its PEM file.`;

const URL_DEFAULT = "http://localhost:5601";

/** Wrong usage, told apart from an import that failed. */
const USAGE_STATUS = 2;

const request = readRequest(process.argv.slice(2));
if (typeof request === "string") {
  (request === "" ? process.stdout : process.stderr).write(`${request}${USAGE}\n`);
  process.exitCode = request === "" ? 0 : USAGE_STATUS;
} else {
  try {
    process.exitCode = await runImport(request);
  } catch (error) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}

/** Gives what is wrong, in a line; an empty one when help was asked for. */
function readRequest(args: string[]): DashboardsServer | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: { type: "string", default: URL_DEFAULT },
        username: { type: "string" },
        password: { type: "string" },
        tenant: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return "";
    if (!/^https?:$/.test(URL.parse(values.url)?.protocol ?? ""))
      return `--url must begin with http:// or https://, and is "${values.url}".\n\n`;
    if ((values.username === undefined) !== (values.password === undefined))
      return "--username and --password come together.\n\n";
    return values;
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n`;
  }
}

async function runImport(server: DashboardsServer): Promise<number> {
  const config = readConfig(process.env);
  const savedObjects = await readSavedObjects(config.opensearchIndexPrefix);
  const { opensearchUsername: username, opensearchPassword: password } = config;
  const outcome = await importSavedObjects(savedObjects, { username, password, ...server });
  for (const line of present(outcome, server.url)) process.stdout.write(`${line}\n`);
  return outcome.complete ? 0 : 1;
}

function present({ complete, objects, refused }: ImportOutcome, url: string): string[] {
  if (complete)
    return [`Imported ${objects.length} objects into ${url}:`, ...objects.map((object) => `  ${object}`)];
  return [
    `Dashboards at ${url} did not take all of the ${objects.length} objects, and may have kept none of them:`,
    ...refused.map(({ object, reason }) => `  ${object} (${reason})`),
  ];
}
