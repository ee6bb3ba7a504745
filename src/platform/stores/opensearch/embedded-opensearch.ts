import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { startDaemon } from "../processes/daemon.ts";
import { canUse } from "../processes/unprivileged-user.ts";
import { handOver, makeStoreFolder, type StorePlace } from "../store-place.ts";
import type { StoreProcess } from "../store-record.ts";
import { findJavaHome } from "./java-home.ts";
import { type Membership, writeOpenSearchConfig } from "./opensearch-config.ts";
import { type Fetching, opensearchDistribution } from "./opensearch-distribution.ts";

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
