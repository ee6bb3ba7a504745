import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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
