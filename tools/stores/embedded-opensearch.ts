import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { storeUnavailable } from "../../src/platform/domain-error.ts";
import type { Waiting } from "../../src/platform/run-command.ts";
import { type StoreProcess, startDaemon } from "./daemon.ts";
import { findJavaHome } from "./java-home.ts";
import {
  EMBEDDED_RELEASE,
  type OpenSearchRelease,
  opensearchDistribution,
} from "./opensearch-distribution.ts";
import { canUse, handOver, makeStoreFolder, type StorePlace } from "./store-place.ts";

/** A starting node accepts the connection but answers slowly. The next attempt follows at once. */
const ANSWER_TIMEOUT_MS = 2_000;

/** A node whose recovery has not changed for this long is used nevertheless, without the indices that it lacks. */
const RECOVERY_STALL_MS = 30_000;

type EmbeddedOpenSearch = {
  readonly place: StorePlace;
  readonly folder: string;
  readonly logFile: string;
};

type NodeStart = {
  readonly nodeName: string;
  readonly httpPort: number;
  readonly transportPort: number;
  /** Further lines of its settings, among them those by which it finds other nodes, or none. */
  readonly settings: readonly string[];
  /** Further options of its JVM. */
  readonly jvmOptions?: readonly string[] | undefined;
  readonly release?: OpenSearchRelease;
};

export const SINGLE_NODE = { nodeName: "embedded", settings: ["discovery.type: single-node"] } as const;

/** @param name of the folder, a different one for each node. */
export function embeddedOpenSearch(place: StorePlace, name = "opensearch"): EmbeddedOpenSearch {
  const folder = join(place.root, name);
  return { place, folder, logFile: join(folder, "console.log") };
}

/**
 * Starts a node, which does not answer yet; first fetches the distribution if needed. @param heap a JVM size, such as `1g`.
 * @throws DomainError when its data were written by a later version
 */
export async function startOpenSearch(
  store: EmbeddedOpenSearch,
  node: NodeStart,
  heap: string,
  fetching: Waiting,
): Promise<StoreProcess> {
  const { place, folder } = store;
  const { account } = place;
  const { release = EMBEDDED_RELEASE } = node;
  const java = findJavaHome(process.env, (home) => canUse(account, join(home, "bin", "java")), release.java);
  const distribution = await opensearchDistribution(place.root, java.home, fetching, release);
  makeStoreFolder(folder, account);
  recordVersion(store, release.version);
  const config = makeStoreFolder(join(folder, "config"), account);
  const dataFolder = makeStoreFolder(join(folder, "data"), account);
  const logFolder = makeStoreFolder(join(folder, "logs"), account);
  writeConfig(config, distribution, nodeSettings(node, dataFolder, logFolder));
  writeJvmOptions(config, distribution, heap, node.jvmOptions);
  handOver(config, account);
  return startDaemon({
    name: "OpenSearch",
    command: join(distribution, "bin", "opensearch"),
    args: [],
    env: {
      PATH: process.env.PATH,
      LC_ALL: "C",
      OPENSEARCH_JAVA_HOME: java.home,
      OPENSEARCH_PATH_CONF: config,
      OPENSEARCH_TMPDIR: temporaryFolder(store),
    },
    logFile: store.logFile,
    account,
  });
}

/** OpenSearch itself would refuse the data of a later version with a stack trace. */
export function recordVersion({ folder, place }: EmbeddedOpenSearch, version: string): void {
  const file = join(folder, "version");
  const last = existsSync(file) ? readFileSync(file, "utf8").trim() : version;
  if (last.localeCompare(version, "en", { numeric: true }) > 0) {
    throw storeUnavailable(
      `The data in ${folder} were written by OpenSearch ${last} of a newer release, and this release starts OpenSearch ${version}, which can't read them. ` +
        "Start the newer release, or restore a backup from before the upgrade and move this folder away: the index is built again from PostgreSQL.",
    );
  }
  writeFileSync(file, `${version}\n`);
  handOver(file, place.account);
}

export function opensearchUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * A check to repeat until it is true: the node accepts requests and has recovered its indices. Until then it gives the state of
 * the recovery.
 */
export function opensearchReadiness(
  port: number,
  say: (line: string) => void,
): () => Promise<boolean | string> {
  let last = "";
  let changedMs = performance.now();
  return async () => {
    const health = await clusterHealth(port);
    if (health === undefined) return false;
    if (health.status !== "red") return true;
    const state = await recoveryState(port, health);
    if (state !== last) changedMs = performance.now();
    last = state;
    if (performance.now() - changedMs < RECOVERY_STALL_MS) return state;
    say("OpenSearch answers, but some of its indices are not available (status red)");
    return true;
  };
}

/** Shards are replaying changes after a kill; after a stop there are none. */
async function recoveryState(port: number, health: Health): Promise<string> {
  const all = health.active_shards + health.initializing_shards + health.unassigned_shards;
  const shards = `${health.active_shards} of ${all} shards are ready`;
  const query = "active_only=true&format=json&h=translog_ops_recovered,translog_ops";
  const recoveries = (await askNode(port, `/_cat/recovery?${query}`, Recoveries)) ?? [];
  // The total is -1 until it is known.
  const sum = (count: "translog_ops_recovered" | "translog_ops") =>
    recoveries.reduce((total, recovery) => total + Math.max(0, recovery[count]), 0).toLocaleString("en");
  return recoveries.length === 0
    ? shards
    : `${shards}, ${sum("translog_ops_recovered")} of ${sum("translog_ops")} changes after the last flush are replayed`;
}

const Recoveries = z.array(
  z.object({ translog_ops_recovered: z.coerce.number(), translog_ops: z.coerce.number() }),
);

/** The health of a node's cluster; undefined while the node does not answer or has no manager. */
export function clusterHealth(port: number): Promise<Health | undefined> {
  return askNode(port, "/_cluster/health", Health);
}

const Health = z.object({
  status: z.string(),
  number_of_nodes: z.int(),
  active_shards: z.int(),
  initializing_shards: z.int(),
  unassigned_shards: z.int(),
});
type Health = z.output<typeof Health>;

async function askNode<T>(port: number, path: string, shape: z.ZodType<T>): Promise<T | undefined> {
  try {
    const answer = await fetch(`${opensearchUrl(port)}${path}`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return answer.ok ? shape.parse(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

/** The JVM's temporary files. OpenSearch's launch script splits this path at white space; then the system's folder is used. */
function temporaryFolder({ folder, place }: EmbeddedOpenSearch): string {
  const own = join(folder, "tmp");
  if (/\s/.test(own)) return tmpdir();
  rmSync(own, { recursive: true, force: true });
  return makeStoreFolder(own, place.account);
}

/** Writes a node's configuration folder from the distribution's. The node's own files, such as its keystore, stay. */
function writeConfig(folder: string, distribution: string, settings: string): void {
  const shipped = join(distribution, "config");
  for (const name of readdirSync(shipped)) {
    if (name === "jvm.options" || name === "opensearch.yml") continue;
    rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(join(shipped, name), join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "opensearch.yml"), settings);
}

function writeJvmOptions(
  folder: string,
  distribution: string,
  heap: string,
  more: readonly string[] = [],
): void {
  const shipped = readFileSync(join(distribution, "config", "jvm.options"), "utf8");
  writeFileSync(join(folder, "jvm.options"), [adaptJvmOptions(shipped, heap), ...more, ""].join("\n"));
}

/** Paths are JSON strings, which are valid YAML. */
function nodeSettings(
  { nodeName, httpPort, transportPort, settings }: NodeStart,
  dataFolder: string,
  logFolder: string,
): string {
  return [
    "cluster.name: similarity-check",
    `node.name: ${nodeName}`,
    `path.data: ${JSON.stringify(dataFolder)}`,
    `path.logs: ${JSON.stringify(logFolder)}`,
    "network.host: 127.0.0.1",
    `http.port: ${httpPort}`,
    `transport.port: ${transportPort}`,
    // In a sample under load, half of the search threads were reading the CPU time of their thread.
    "task_resource_tracking.enabled: false",
    ...settings,
    "",
  ].join("\n");
}

/**
 * The distribution's JVM options with the given heap, without those that write into the distribution (logs of up to 2 GB, dumps)
 * and without heap pre-touching: an idle node then holds 760 MB instead of 1,300 MB.
 */
export function adaptJvmOptions(shipped: string, heap: string): string {
  const kept = shipped
    .split("\n")
    .filter((line) => !/^-Xm[sx]|-Xlog:gc|-Xloggc|HeapDump|-XX:ErrorFile/.test(line));
  return [...kept, `-Xms${heap}`, `-Xmx${heap}`, "-XX:-AlwaysPreTouch", ""].join("\n");
}
