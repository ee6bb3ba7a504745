import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type StoreProcess, startDaemon } from "./daemon.ts";
import { findJavaHome } from "./java-home.ts";
import { type Fetching, opensearchDistribution } from "./opensearch-distribution.ts";
import { canUse, handOver, makeStoreFolder, type StorePlace } from "./store-place.ts";

/** A node that is starting takes the connection but is slow to answer; the next attempt comes at once. */
const ANSWER_TIMEOUT_MS = 2_000;

/** After a restart the indices come back within this; a node that still lacks some is not worth holding up. */
const RECOVERY_BOUND_MS = 30_000;

/** The folders of one node. */
export type EmbeddedOpenSearch = {
  readonly place: StorePlace;
  readonly folder: string;
  readonly logFile: string;
};

export type NodeStart = {
  readonly httpPort: number;
  readonly transportPort: number;
  /** Where it is one node among others. */
  readonly membership?: Membership;
};

/** @param name of its folder: one node has one of its own. */
export function embeddedOpenSearch(place: StorePlace, name = "opensearch"): EmbeddedOpenSearch {
  const folder = join(place.root, name);
  return { place, folder, logFile: join(folder, "console.log") };
}

/**
 * Starts a node on 127.0.0.1, fetching and unpacking the distribution on first use. It does not answer yet.
 * `heap` is a JVM size such as `1g`.
 */
export async function startOpenSearch(
  store: EmbeddedOpenSearch,
  { httpPort, transportPort, membership }: NodeStart,
  heap: string,
  fetching: Fetching,
): Promise<StoreProcess> {
  const { place, folder } = store;
  const { account } = place;
  const java = findJavaHome(process.env, (home) => canUse(account, join(home, "bin", "java")));
  const distribution = await opensearchDistribution(place.root, java.home, fetching);
  makeStoreFolder(folder, account);
  const [config, dataFolder, logFolder] = ["config", "data", "logs"].map((name) =>
    makeStoreFolder(join(folder, name), account),
  );
  if (config === undefined || dataFolder === undefined || logFolder === undefined)
    throw new Error("no folder");
  const ports = { httpPort, transportPort };
  writeOpenSearchConfig(config, distribution, { ...ports, heap, dataFolder, logFolder, membership });
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

export function opensearchUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** A question to ask until it is true: the node takes requests and has its indices back. */
export function opensearchReadiness(port: number, say: (line: string) => void): () => Promise<boolean> {
  let firstAnswerMs: number | undefined;
  return async () => {
    const health = await clusterHealth(port);
    if (health === undefined) return false;
    if (health.status !== "red") return true;
    firstAnswerMs ??= performance.now();
    if (performance.now() - firstAnswerMs < RECOVERY_BOUND_MS) return false;
    say("OpenSearch answers, but some of its indices are not available (status red)");
    return true;
  };
}

/** What a node says of its cluster; undefined while it does not answer, or has found no manager. */
export async function clusterHealth(port: number): Promise<z.output<typeof Health> | undefined> {
  try {
    const answer = await fetch(`${opensearchUrl(port)}/_cluster/health`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return answer.ok ? Health.parse(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

const Health = z.object({ status: z.string(), number_of_nodes: z.int() });

/**
 * The JVM's temporary files, emptied at each start. OpenSearch's launch script splits this path at white space, so
 * a folder with some in its path falls back to the system's temporary folder, which has none.
 */
function temporaryFolder({ folder, place }: EmbeddedOpenSearch): string {
  const own = join(folder, "tmp");
  if (/\s/.test(own)) return tmpdir();
  rmSync(own, { recursive: true, force: true });
  return makeStoreFolder(own, place.account);
}

/** A node among others on this machine. */
export type Membership = {
  readonly nodeName: string;
  /** All nodes of the cluster, this one included; those of its first start elect its manager. */
  readonly nodeNames: readonly string[];
  readonly transportPorts: readonly number[];
};

export type OpenSearchSettings = {
  /** Kept small: `512m`, `1g`. */
  readonly heap: string;
  readonly httpPort: number;
  readonly transportPort: number;
  readonly dataFolder: string;
  readonly logFolder: string;
  /** Undefined for a node alone. */
  readonly membership: Membership | undefined;
};

/**
 * Writes the configuration folder of a node on the loopback interface, out of the distribution's own.
 * What the node itself keeps there (its keystore) stays.
 */
export function writeOpenSearchConfig(
  folder: string,
  distribution: string,
  settings: OpenSearchSettings,
): void {
  const shipped = join(distribution, "config");
  for (const name of readdirSync(shipped)) {
    if (name === "jvm.options" || name === "opensearch.yml") continue;
    rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(join(shipped, name), join(folder, name), { recursive: true });
  }
  writeFileSync(join(folder, "opensearch.yml"), nodeSettings(settings));
  const jvmOptions = readFileSync(join(shipped, "jvm.options"), "utf8");
  writeFileSync(join(folder, "jvm.options"), adaptJvmOptions(jvmOptions, settings.heap));
}

/** Paths are JSON strings, which YAML reads as they are. */
function nodeSettings(settings: OpenSearchSettings): string {
  const { httpPort, transportPort, dataFolder, logFolder, membership } = settings;
  return [
    "cluster.name: similarity-check",
    `node.name: ${membership?.nodeName ?? "embedded"}`,
    `path.data: ${JSON.stringify(dataFolder)}`,
    `path.logs: ${JSON.stringify(logFolder)}`,
    "network.host: 127.0.0.1",
    `http.port: ${httpPort}`,
    `transport.port: ${transportPort}`,
    ...(membership === undefined ? ["discovery.type: single-node"] : clusterSettings(membership)),
    "",
  ].join("\n");
}

function clusterSettings({ nodeNames, transportPorts }: Membership): string[] {
  const hosts = transportPorts.map((port) => `127.0.0.1:${port}`);
  return [
    `discovery.seed_hosts: ${JSON.stringify(hosts)}`,
    `cluster.initial_cluster_manager_nodes: ${JSON.stringify(nodeNames)}`,
  ];
}

/**
 * The distribution's JVM options with the heap asked for, and without what writes into the distribution: the
 * garbage collector's log (up to 2 GB), heap dumps and crash logs. Pre-touching the heap is switched off: measured on
 * two cores, it made an idle node hold 1,300 MB instead of 760 MB, and saved no start time. (Neither did a class data
 * archive, which made stopping take 4 s longer, nor the C1 compiler alone.)
 */
export function adaptJvmOptions(shipped: string, heap: string): string {
  const kept = shipped
    .split("\n")
    .filter((line) => !/^-Xm[sx]|-Xlog:gc|-Xloggc|HeapDump|-XX:ErrorFile/.test(line));
  return [...kept, `-Xms${heap}`, `-Xmx${heap}`, "-XX:-AlwaysPreTouch", ""].join("\n");
}
