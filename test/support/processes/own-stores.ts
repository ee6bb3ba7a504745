import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts, isAlive, type StoreProcess } from "../../../tools/stores/daemon.ts";
import { startEmbeddedStores, stopEmbeddedStores } from "../../../tools/stores/embedded-stores.ts";
import { readStoreRecord } from "../../../tools/stores/store-record.ts";
import { descendants, lives } from "./process-tree.ts";

export type Store = "postgres" | "opensearch";

const BOTH = ["postgres", "opensearch"] as const;

/** Embedded stores of a test's own, in a folder and on ports of theirs, which it may kill and stop as it likes. */
export class OwnStores {
  readonly databaseUrl: string;
  readonly opensearchNodes: readonly string[];
  readonly #dataDir: string;
  readonly #recordFile: string;

  private constructor(dataDir: string, databaseUrl: string, opensearchNodes: readonly string[]) {
    this.#dataDir = dataDir;
    this.#recordFile = recordIn(dataDir);
    this.databaseUrl = databaseUrl;
    this.opensearchNodes = opensearchNodes;
  }

  static async open(): Promise<OwnStores> {
    const dataDir = await mkdtemp(join(tmpdir(), "similarity-stores-"));
    try {
      // The stores may run as a user of their own, who has to enter.
      await chmod(dataDir, 0o755);
      const { databaseUrl = "", opensearchNodes = [] } = await start(dataDir, BOTH);
      return new OwnStores(dataDir, databaseUrl, opensearchNodes);
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** Starts a store again where it was, and waits until it answers. */
  async start(store: Store): Promise<void> {
    const { databaseUrl = this.databaseUrl, opensearchNodes = this.opensearchNodes } = await start(
      this.#dataDir,
      [store],
    );
    if (databaseUrl !== this.databaseUrl || opensearchNodes[0] !== this.opensearchNodes[0])
      throw new Error(`${store} came back at another address`);
  }

  /** Returns when the store's port is free again: its threads may let go of that a little after the process is gone. */
  async kill(store: Store, signal: "SIGKILL" | "SIGQUIT" = "SIGKILL"): Promise<void> {
    const running = this.#running(store);
    const all = descendants(running.pid);
    process.kill(running.pid, signal);
    const port = readStoreRecord(this.#recordFile).ports[store];
    while (isAlive(running) || all.some(lives) || (await freePorts([port]))[0] !== port) await sleep(10);
  }

  /** Stops all processes of a store where they are: its connections stand, and nothing is answered. */
  pause(store: Store): void {
    const { pid } = this.#running(store);
    // From the first one down, so that none can start another that is missed.
    for (const one of [pid, ...descendants(pid)]) signal(one, "SIGSTOP");
    for (const one of descendants(pid)) signal(one, "SIGSTOP");
  }

  resume(store: Store): void {
    const { pid } = this.#running(store);
    for (const one of [pid, ...descendants(pid)]) signal(one, "SIGCONT");
  }

  /** Also after a test that failed while a store was stopped. */
  async close(): Promise<void> {
    for (const store of BOTH) if (readStoreRecord(this.#recordFile)[store] !== null) this.resume(store);
    await stopEmbeddedStores(this.#recordFile, BOTH);
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  #running(store: Store): StoreProcess {
    const running = readStoreRecord(this.#recordFile)[store];
    if (running === null) throw new Error(`${store} does not run`);
    return running;
  }
}

function recordIn(dataDir: string): string {
  return join(dataDir, "stores.json");
}

async function start(dataDir: string, needed: readonly Store[]) {
  const recordFile = recordIn(dataDir);
  return startEmbeddedStores({ dataDir, recordFile, needed, opensearchHeap: "512m", say: () => {} });
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (lives(pid)) throw error;
  }
}
