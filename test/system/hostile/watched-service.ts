import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { EngineClient } from "../../support/client.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { freshSettings } from "../../support/stores.ts";

/** What was seen of the service while something was done to it. */
export type Watched = {
  /** The most memory that it held with all its processes, in megabytes; 0 where there is no /proc. */
  readonly memoryMb: number;
  /** The longest that /health took, in milliseconds. */
  readonly healthMs: number;
  /** Answers of /health other than 200, and those that did not come. */
  readonly unhealthy: number;
};

/** The service as a user runs it, with a folder of its own for temporary files. */
export type WatchedService = {
  readonly client: EngineClient;
  readonly temporaryFolder: string;
  /** Runs `work` while /health is asked and the memory is looked at, some twenty times a second. */
  watch<T>(work: () => Promise<T>): Promise<Watched & { readonly result: T }>;
  stop(): Promise<void>;
};

const LOOK_EVERY_MS = 50;

/** Starts the engine and a worker on a database and an index prefix of their own. */
export async function startWatchedService(
  environment: Readonly<Record<string, string>> = {},
): Promise<WatchedService> {
  const temporaryFolder = await mkdtemp(join(tmpdir(), "hostile-"));
  const service = await ServiceProcess.start({
    ...(await freshSettings("hostile")),
    ROLES: "engine,worker",
    LOG_LEVEL: "error",
    TMPDIR: temporaryFolder,
    ...environment,
  });
  const { client, pid = 0 } = service;
  return {
    client,
    temporaryFolder,
    async watch(work) {
      const seen = { memoryMb: 0, healthMs: 0, unhealthy: 0 };
      const over = new AbortController();
      const watching = lookAtIt(client, pid, seen, over.signal);
      try {
        return { result: await work(), ...seen };
      } finally {
        over.abort();
        await watching;
      }
    },
    async stop() {
      await service.end("SIGTERM");
      await rm(temporaryFolder, { recursive: true });
    },
  };
}

async function lookAtIt(
  client: EngineClient,
  pid: number,
  seen: { -readonly [key in keyof Watched]: number },
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    const asked = performance.now();
    const status = await client.request("/health").then(
      (response) => response.text().then(() => response.status),
      () => 0,
    );
    seen.healthMs = Math.max(seen.healthMs, performance.now() - asked);
    if (status !== 200) seen.unhealthy += 1;
    seen.memoryMb = Math.max(seen.memoryMb, (await memoryBytes(pid)) / 1024 / 1024);
    await sleep(LOOK_EVERY_MS, undefined, { signal: over }).catch(() => {});
  }
}

/** What a process and all that it started hold, in bytes; pages that they share count once each. */
async function memoryBytes(pid: number): Promise<number> {
  const children = await readdir(`/proc/${pid}/task`)
    .then((threads) => Promise.all(threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`))))
    .catch(() => []);
  const pids = children.flatMap((line) => line.split(" ").filter(Boolean).map(Number));
  const own = /^VmRSS:\s+(\d+) kB$/m.exec(await read(`/proc/${pid}/status`))?.[1];
  const theirs = await Promise.all(pids.map(memoryBytes));
  return Number(own ?? 0) * 1024 + theirs.reduce((sum, bytes) => sum + bytes, 0);
}

/** The text of a file of /proc; empty when the process is gone, or where there is no such folder. */
function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
