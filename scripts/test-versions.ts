import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import {
  explainError,
  printResult,
  readCommand,
  stopSignal,
  UsageError,
} from "../src/platform/terminal/command.ts";
import {
  clusterAddresses,
  startEmbeddedCluster,
  stopEmbeddedCluster,
} from "../tools/cluster/embedded-cluster.ts";
import { startEmbeddedStores, stopEmbeddedStores } from "../tools/stores/embedded-stores.ts";
import type { OpenSearchRelease } from "../tools/stores/opensearch-distribution.ts";
import { countAnswers, sumOf } from "../tools/versions/answers.ts";
import { runContractTests } from "../tools/versions/contract-tests.ts";
import { freshDatabase } from "../tools/versions/fresh-database.ts";
import { readPermissions } from "../tools/versions/permissions.ts";
import { prepareDistribution } from "../tools/versions/prepare-distribution.ts";
import { RELEASES } from "../tools/versions/releases.ts";
import { runSteps, type StepRun } from "../tools/versions/run-steps.ts";
import { type SecuredNode, startSecuredNode } from "../tools/versions/secured-node.ts";
import { openSignedGateways } from "../tools/versions/signed-gateways.ts";

const PARTS = ["commands", "contract"] as const;
type Part = (typeof PARTS)[number];

/** The releases of the security plugin that were tried. */
const SECURED = ["2.19.3", "3.4.0"];

const USAGE = `Usage: npm run test:versions -- [--versions V,V] [--zones | --security] [--sigv4] [--parts P,P]

Runs the service and its commands on each supported version of OpenSearch, counts rejected and failed requests, and prints
a Markdown table. The versions are fetched from Maven Central once and kept in DATA_DIR/versions.

  --versions V,V  only these of ${RELEASES.map(({ version }) => version).join(", ")}
  --zones         on three nodes in three zones over which copies must be spread evenly, instead of on one node
  --security      on a node with the security plugin, as users with only the role in index-templates/security-role.json; also
                  prints the permissions that each command used. With ${SECURED.join(" and ")} by default
  --sigv4         behind a server that recomputes the AWS signature of each request and refuses a wrong one; with --security it
                  hands on the request as the user whose key signed it
  --parts P,P     only these: commands (the service and all of its commands), contract (tests of what it expects of OpenSearch;
                  only on one node without --security or --sigv4)

Exits with 1 if a step or a test failed, or if OpenSearch rejected a request.`;

type Request = {
  readonly releases: readonly OpenSearchRelease[];
  readonly zones: boolean;
  readonly security: boolean;
  readonly sigv4: boolean;
  readonly parts: readonly Part[];
};

type Row = { readonly cells: readonly string[]; readonly failures: readonly string[] };

/** The programs that connect to OpenSearch. With the security plugin, each has its own user. */
const USING_OPENSEARCH = [
  "service",
  "ingest",
  "corpus/rebuild",
  "corpus/verify",
  "corpus/refresh",
  "corpus/frequencies",
];

const ROOT = join(process.env.DATA_DIR ?? join(import.meta.dirname, "..", ".data"), "versions");
const NODE_HEAP = "512m";
const say = (line: string) => void process.stderr.write(`${line}\n`);
const stopping = stopSignal();

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) {
  try {
    process.exitCode = await run(request);
  } catch (error) {
    process.exitCode = 1;
    say(stopping.aborted ? "Stopped." : explainError(error));
  }
}

function readRequest(args: string[]): Request {
  const { values } = parseArgs({
    args,
    options: {
      versions: { type: "string" },
      zones: { type: "boolean", default: false },
      security: { type: "boolean", default: false },
      sigv4: { type: "boolean", default: false },
      parts: { type: "string" },
    },
  });
  const known = RELEASES.map(({ version }) => version);
  const { zones, security, sigv4 } = values;
  if (zones && security) throw new UsageError("--zones and --security exclude each other.");
  const versions = chosen("--versions", values.versions ?? (security ? SECURED.join() : undefined), known);
  const isPlain = !zones && !security && !sigv4;
  return {
    releases: RELEASES.filter(({ version }) => versions.includes(version)),
    zones,
    security,
    sigv4,
    parts: chosen("--parts", values.parts, PARTS).filter((part) => isPlain || part === "commands"),
  };
}

function chosen<T extends string>(
  name: string,
  given: string | undefined,
  known: readonly T[],
): readonly T[] {
  if (given === undefined) return known;
  const names = given.split(",");
  const unknown = names.find((one) => !known.some((other) => other === one));
  if (unknown !== undefined) throw new UsageError(`${name} knows ${known.join(", ")}, not "${unknown}".`);
  return known.filter((one) => names.includes(one));
}

async function run({ releases, ...how }: Request): Promise<number> {
  mkdirSync(ROOT, { recursive: true });
  const recordFile = join(ROOT, "stores.json");
  const stores = { dataDir: ROOT, recordFile, needed: ["postgres"], opensearchHeap: NODE_HEAP, say } as const;
  const { databaseUrl = "" } = await startEmbeddedStores({ ...stores, signal: stopping });
  const rows: Row[] = [];
  try {
    for (const release of releases) {
      stopping.throwIfAborted();
      const test = how.security ? testSecured : testRelease;
      rows.push(await test(release, { databaseUrl, ...how }));
    }
  } finally {
    await stopEmbeddedStores(recordFile, ["postgres"]);
    // Also when a later release was stopped or failed.
    printTable(rows);
  }
  const failures = rows.flatMap((row) => row.failures);
  for (const failure of failures) say(failure);
  return failures.length > 0 ? 1 : 0;
}

function printTable(rows: readonly Row[]): void {
  const heads = ["OpenSearch", "nodes", "steps", "requests", "rejected or failed", "contract tests", "time"];
  const table = [heads, heads.map(() => "---"), ...rows.map(({ cells }) => cells)];
  printResult(
    table.map((cells) => `| ${cells.join(" | ")} |`),
    undefined,
  );
}

type How = Omit<Request, "releases"> & { readonly databaseUrl: string };

async function testRelease(
  release: OpenSearchRelease,
  { databaseUrl, zones, sigv4, parts }: How,
): Promise<Row> {
  const startedMs = performance.now();
  const { version } = release;
  say(`OpenSearch ${version}${zones ? " in three zones" : ""}`);
  const dataDir = join(ROOT, version);
  const cluster = {
    ...{ dataDir, opensearchHeap: NODE_HEAP, release, zoned: zones, say, signal: stopping },
    nodeCount: zones ? 3 : 1,
  } as const;
  const failures: string[] = [];
  const cells = { steps: "not run", requests: "", rejected: "", contract: "not run" };
  try {
    removeNodes(dataDir);
    await prepareDistribution(release, dataDir, { say, signal: stopping });
    const opensearchNodes = clusterAddresses(await startEmbeddedCluster(cluster));
    if (parts.includes("commands")) {
      const environment = {
        DATABASE_URL: await freshDatabase(databaseUrl),
        OPENSEARCH_URL: opensearchNodes.join(","),
        ...(zones && { INDEX_REPLICAS: "2" }),
      };
      const place = { version, dataDir, sigv4, nodes: opensearchNodes };
      const tested = await testCommands(place, { environment });
      failures.push(...tested.failures);
      Object.assign(cells, tested.cells);
    }
    if (parts.includes("contract")) {
      const { passed, failed } = await runContractTests({ databaseUrl, opensearchNodes });
      failures.push(...failed.map((failure) => `${version}: ${failure}`));
      cells.contract = `${passed} of ${passed + failed.length}`;
    }
  } finally {
    await stopEmbeddedCluster(cluster);
    removeNodes(dataDir);
  }
  const seconds = `${Math.round((performance.now() - startedMs) / 1000)} s`;
  const nodes = `${zones ? "3 in 3 zones" : "1"}${sigv4 ? ", SigV4" : ""}`;
  return {
    cells: [version, nodes, cells.steps, cells.requests, cells.rejected, cells.contract, seconds],
    failures,
  };
}

/** As `testRelease`, on a node with the security plugin. */
async function testSecured(release: OpenSearchRelease, { databaseUrl, sigv4 }: How): Promise<Row> {
  const startedMs = performance.now();
  const { version } = release;
  say(`OpenSearch ${version} with the security plugin`);
  // The plugin is installed into a distribution of its own.
  const dataDir = join(ROOT, `${version}-security`);
  const waiting = { say, signal: stopping };
  removeNodes(dataDir);
  const prepared = await prepareDistribution(release, dataDir, waiting);
  const users = USING_OPENSEARCH.map(userOf);
  const node = await startSecuredNode({ release, dataDir, prepared, users }, waiting);
  try {
    const { cells, failures, steps } = await testCommands(
      { version, dataDir, sigv4, nodes: [node.url], secured: node },
      {
        environment: { DATABASE_URL: await freshDatabase(databaseUrl), ...node.environment },
        environmentOf: (command) => ({ OPENSEARCH_USERNAME: userOf(command) }),
      },
    );
    const userOfService = userOf("service");
    const { used, missing } = readPermissions(node.logFile, { steps, userOfService });
    for (const [who, permissions] of used) say(`${version}: ${who}: ${[...permissions].join(", ")}`);
    failures.push(...[...missing].map((permission) => `${version}: the role lacks ${permission}`));
    const seconds = `${Math.round((performance.now() - startedMs) / 1000)} s`;
    const { steps: done, requests, rejected } = cells;
    const nodes = `1, security plugin${sigv4 ? ", SigV4" : ""}`;
    return { cells: [version, nodes, done, requests, rejected, "not run", seconds], failures };
  } finally {
    await node.stop();
    removeNodes(dataDir);
  }
}

function userOf(command: string): string {
  return `similarity-${command.replace("/", "-")}`;
}

type Place = {
  readonly version: string;
  readonly dataDir: string;
  readonly sigv4: boolean;
  readonly nodes: readonly string[];
  readonly secured?: SecuredNode;
};

async function testCommands(
  { version, dataDir, sigv4, nodes, secured }: Place,
  direct: Pick<StepRun, "environment" | "environmentOf">,
) {
  const folder = join(dataDir, "work");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const answersFile = join(folder, "answers.txt");
  const gateways = sigv4
    ? await openSignedGateways(nodes, userOf, { commands: USING_OPENSEARCH, secured })
    : undefined;
  const access = gateways && {
    environment: { ...withoutAccess(direct.environment), ...gateways.environment },
    environmentOf: gateways.environmentOf,
  };
  try {
    const steps = await runSteps({ ...(access ?? direct), folder, answersFile, say });
    const { answers, faults } = countAnswers(answersFile);
    const failed = steps.filter(({ fault }) => fault !== undefined);
    return {
      steps,
      cells: {
        steps: `${steps.length - failed.length} of ${steps.length}`,
        requests: String(answers),
        rejected: String(sumOf(faults)),
      },
      failures: [
        ...failed.map(({ step, fault }) => `${version}: ${step}: ${fault}`),
        ...[...faults].map(([request, count]) => `${version}: ${count} × ${request}`),
        ...(gateways?.refusals ?? []).map((reason) => `${version}: ${reason}`),
      ],
    };
  } finally {
    await gateways?.close();
  }
}

/** Without the settings of basic authentication, which signatures exclude. */
function withoutAccess({ OPENSEARCH_CA: _, OPENSEARCH_PASSWORD: __, ...others }: StepRun["environment"]) {
  return others;
}

/** An older release can't open the data of a newer one, and a test starts on empty stores. The distribution stays. */
function removeNodes(dataDir: string): void {
  for (const node of ["node-1", "node-2", "node-3"])
    rmSync(join(dataDir, `opensearch-${node}`), { recursive: true, force: true });
}
