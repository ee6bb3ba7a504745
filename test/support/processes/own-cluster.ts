import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import {
  type ClusterNode,
  type ClusterStart,
  clusterAddresses,
  startEmbeddedCluster,
  stopEmbeddedCluster,
} from "../../../tools/cluster/embedded-cluster.ts";
import { isAlive } from "../../../tools/stores/daemon.ts";
import { descendants, lives } from "./process-tree.ts";

const POLL_MS = 250;
const STARTS_MAX = 4;

/** Nodes of a test's own, three unless told, any of which it may kill and start again. */
export class OwnCluster {
  readonly opensearchNodes: readonly string[];
  readonly #start: ClusterStart;
  #nodes: readonly ClusterNode[];

  private constructor(start: ClusterStart, nodes: readonly ClusterNode[]) {
    this.#start = start;
    this.#nodes = nodes;
    this.opensearchNodes = clusterAddresses(nodes);
  }

  static async open(more: Pick<ClusterStart, "zoned" | "nodeCount" | "settings"> = {}): Promise<OwnCluster> {
    const dataDir = await mkdtemp(join(tmpdir(), "similarity-cluster-"));
    const start = { dataDir, opensearchHeap: "512m", say: () => undefined, ...more };
    try {
      // The nodes may run as a user of their own, who has to enter.
      await chmod(dataDir, 0o755);
      return new OwnCluster(start, await startPatiently(start));
    } catch (error) {
      await stopEmbeddedCluster(start);
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  get names(): readonly string[] {
    return this.#nodes.map(({ name }) => name);
  }

  /** The name of the node that manages the cluster at the moment. */
  async manager(): Promise<string> {
    const [manager] = Managers.parse(await this.ask("/_cat/cluster_manager?format=json"));
    return manager?.node ?? "";
  }

  /** Kills a node (SIGKILL), and returns when its processes are gone. */
  async kill(name: string): Promise<void> {
    const running = this.#nodes.find((node) => node.name === name)?.process;
    if (running === undefined || running === null || !isAlive(running))
      throw new Error(`${name} does not run`);
    const all = descendants(running.pid);
    process.kill(running.pid, "SIGKILL");
    while (isAlive(running) || all.some(lives)) await sleep(POLL_MS);
  }

  /** Starts the nodes that were killed where they were, and waits until all know each other. */
  async startKilled(): Promise<void> {
    this.#nodes = await startPatiently(this.#start);
    if (clusterAddresses(this.#nodes).join() !== this.opensearchNodes.join())
      throw new Error("a node came back at another address");
  }

  /** Waits until every copy of every shard is where it should be. */
  async untilWhole(): Promise<void> {
    for (;;) {
      const health = Health.safeParse(await this.ask("/_cluster/health").catch(() => undefined));
      if (health.data?.status === "green") return;
      await sleep(POLL_MS);
    }
  }

  /** Asks the first node that answers. */
  async ask(path: string): Promise<unknown> {
    const running = this.#nodes.filter(({ process: one }) => one !== null && isAlive(one));
    const answer = await Promise.any(clusterAddresses(running).map((address) => fetch(address + path)));
    return answer.json();
  }

  async close(): Promise<void> {
    await stopEmbeddedCluster(this.#start);
    await rm(this.#start.dataDir, { recursive: true, force: true });
  }
}

/** On a machine that does other work, a node may need longer than a start waits for it. */
async function startPatiently(start: ClusterStart): Promise<readonly ClusterNode[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startEmbeddedCluster(start);
    } catch (error) {
      if (attempt === STARTS_MAX) throw error;
    }
  }
}

const Managers = z.array(z.looseObject({ node: z.string() }));
const Health = z.looseObject({ status: z.string() });
