import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { freePorts, isAlive, StoreProcess, stopDaemon, waitUntilReady } from "../stores/daemon.ts";
import {
  clusterHealth,
  embeddedOpenSearch,
  opensearchUrl,
  startOpenSearch,
} from "../stores/embedded-opensearch.ts";
import type { OpenSearchRelease } from "../stores/opensearch-distribution.ts";
import { withStartLock } from "../stores/start-lock.ts";
import { checkDiskSpace, makeFolder, type StorePlace, storePlace } from "../stores/store-place.ts";
import { writeJson } from "../stores/store-record.ts";

/** Three: with two, the loss of either leaves no majority to elect a manager. */
const NODE_NAMES = ["node-1", "node-2", "node-3"] as const;

/** Three nodes that start at once on two busy cores took two minutes. */
const START_STALL_MS = 6 * 60_000;

/** A large flush at the end of a node may take a while. */
const STOP_BOUND_MS = 30_000;

const Port = z.int().min(1).max(65_535);

const ClusterNode = z.object({
  name: z.string(),
  httpPort: Port,
  transportPort: Port,
  process: StoreProcess.nullable(),
});

/** A node of a cluster on this machine. `process` is null if it was never started or was stopped. */
export type ClusterNode = z.output<typeof ClusterNode>;

export type ClusterStart = {
  readonly dataDir: string;
  /** Of each node. */
  readonly opensearchHeap: string;
  /** Whether each node is in a zone of its own, over which the copies of an index must be spread evenly. */
  readonly zoned?: boolean;
  /** The embedded release by default. */
  readonly release?: OpenSearchRelease;
  /** Three by default. */
  readonly nodeCount?: 1 | 3;
  /** Further lines of each node's settings. */
  readonly settings?: readonly string[];
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Runs OpenSearch nodes on 127.0.0.1 as one cluster, each with its own folder below `dataDir`, and waits until each
 * answers and knows the others. A running node is left as it is. A killed one comes back with its data and address.
 * @throws DomainError `store_unavailable` when a node does not start; the others keep running.
 */
export async function startEmbeddedCluster(start: ClusterStart): Promise<readonly ClusterNode[]> {
  const dataDir = makeFolder(resolve(start.dataDir));
  return withStartLock(join(dataDir, "cluster.lock"), start, async () => {
    const place = await storePlace(dataDir, start.say);
    const file = recordFile(dataDir);
    const names = NODE_NAMES.slice(0, start.nodeCount);
    const nodes = await withPorts(names, readClusterRecord(file));
    if (!nodes.every(runs)) checkDiskSpace(place.root, start.say);
    // One after another, because the first unpacks the distribution for all.
    for (const [at, node] of nodes.entries()) {
      if (runs(node)) continue;
      nodes[at] = { ...node, process: await launch(place, node, nodes, start) };
      writeJson(file, nodes);
    }
    for (const node of nodes) await ready(place, node, nodes.length, start);
    return nodes;
  });
}

/** Stops all nodes of the cluster below `dataDir`. */
export async function stopEmbeddedCluster({ dataDir, say }: ClusterStart): Promise<void> {
  const folder = resolve(dataDir);
  await withStartLock(join(folder, "cluster.lock"), { say }, async () => {
    const nodes = readClusterRecord(recordFile(folder));
    await Promise.all(nodes.map(({ process }) => process && stopDaemon(process, "SIGTERM", STOP_BOUND_MS)));
    const stopped = nodes.map((node) => ({ ...node, process: null }));
    writeJson(recordFile(folder), stopped);
  });
}

/** The addresses of the nodes, in the same order. */
export function clusterAddresses(nodes: readonly ClusterNode[]): string[] {
  return nodes.map(({ httpPort }) => opensearchUrl(httpPort));
}

function recordFile(dataDir: string): string {
  return join(dataDir, "cluster.json");
}

/** The nodes in `file`; none if the file is missing. Ports outlive the processes. */
function readClusterRecord(file: string): ClusterNode[] {
  return existsSync(file) ? z.array(ClusterNode).parse(JSON.parse(readFileSync(file, "utf8"))) : [];
}

function runs({ process }: ClusterNode): boolean {
  return process !== null && isAlive(process);
}

/** A running node keeps its ports. A node to be started gets its last ones if they are still free. */
async function withPorts(names: readonly string[], recorded: readonly ClusterNode[]): Promise<ClusterNode[]> {
  const known = names.map((nodeName) => recorded.find(({ name }) => name === nodeName));
  const ports = await freePorts(known.flatMap((node) => [node?.httpPort, node?.transportPort]));
  return names.map((name, at) => {
    const node = known[at];
    if (node !== undefined && runs(node)) return node;
    return { name, httpPort: ports[2 * at] ?? 0, transportPort: ports[2 * at + 1] ?? 0, process: null };
  });
}

async function launch(
  place: StorePlace,
  { name, httpPort, transportPort }: ClusterNode,
  nodes: readonly ClusterNode[],
  start: ClusterStart,
): Promise<StoreProcess> {
  start.say(`Starting the embedded OpenSearch ${name}`);
  const hosts = nodes.map((node) => `127.0.0.1:${node.transportPort}`);
  const discovery = [
    `discovery.seed_hosts: ${JSON.stringify(hosts)}`,
    `cluster.initial_cluster_manager_nodes: ${JSON.stringify(nodes.map((node) => node.name))}`,
  ];
  const { release, settings: more = [] } = start;
  const settings = [...discovery, ...(start.zoned === true ? zoneSettings(name) : []), ...more];
  const node = {
    ...{ nodeName: name, httpPort, transportPort, settings },
    ...(release !== undefined && { release }),
  };
  return startOpenSearch(embeddedOpenSearch(place, folderOf(name)), node, start.opensearchHeap, start);
}

/** As managed domains over three zones are set. */
function zoneSettings(name: string): string[] {
  const awareness = "cluster.routing.allocation.awareness";
  return [
    `node.attr.zone: zone-of-${name}`,
    `${awareness}.attributes: zone`,
    `${awareness}.force.zone.values: ${JSON.stringify(NODE_NAMES.map((node) => `zone-of-${node}`))}`,
    `${awareness}.balance: true`,
  ];
}

function folderOf(name: string): string {
  return `opensearch-${name}`;
}

async function ready(
  place: StorePlace,
  { name, httpPort, process }: ClusterNode,
  count: number,
  { say, signal }: ClusterStart,
): Promise<void> {
  if (process === null) throw new Error(`${name} was not started`);
  await waitUntilReady({
    name: `OpenSearch ${name}`,
    process,
    logFile: embeddedOpenSearch(place, folderOf(name)).logFile,
    answers: async () => ((await clusterHealth(httpPort))?.number_of_nodes ?? 0) >= count,
    stallMs: START_STALL_MS,
    say,
    signal,
  });
}
