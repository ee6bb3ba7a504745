import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, processIdentity } from "./daemon.ts";

/** How often a waiting process looks again. A start takes seconds, so a fifth of one costs nothing. */
const POLL_MS = 200;

export type Waiting = {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Runs `work` while no other process works under the same lock file. Waits as long as the holder lives;
 * a lock whose holder was killed is taken over.
 */
export async function withStartLock<T>(file: string, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  await acquire(file, waiting);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

async function acquire(file: string, { say, signal }: Waiting): Promise<void> {
  let announced = false;
  while (!tryAcquire(file)) {
    const holder = readHolder(file);
    if (holder !== undefined && isAlive(holder)) {
      if (!announced) say(`Waiting for process ${holder.pid}, which is starting or stopping the same stores`);
      announced = true;
      await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal });
    } else {
      removeStale(file);
    }
  }
}

/** Written under another name first and then linked, so that a lock is never seen without its holder. */
function tryAcquire(file: string): boolean {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${processIdentity(process.pid) ?? ""}`);
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Moves a dead holder's lock away. Between the look and the move another process may have done the same
 * and taken the lock: then what was moved is alive, and goes back.
 */
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    const moved = readHolder(aside);
    if (moved !== undefined && isAlive(moved)) linkSync(aside, file);
  } catch {
    // Gone already: the next attempt decides.
  } finally {
    rmSync(aside, { force: true });
  }
}

function readHolder(file: string): { pid: number; identity: string } | undefined {
  try {
    const [pid, ...identity] = readFileSync(file, "utf8").split(" ");
    return { pid: Number(pid), identity: identity.join(" ") };
  } catch {
    return undefined;
  }
}
