import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../src/platform/error-code.ts";
import type { Waiting } from "../../src/platform/run-command.ts";
import { isAlive, processIdentity } from "./daemon.ts";

/** The interval at which a waiting process tries again. A start takes seconds. */
const POLL_MS = 200;

/** Runs `work` under a lock file, which one process holds at a time; the lock of a killed holder is taken over. */
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

/** The file is written under another name and then linked, so that a lock always names its holder. */
function tryAcquire(file: string): boolean {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${processIdentity(process.pid) ?? ""}`);
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Moves a dead holder's lock away. If another process took it over since the check, its lock is put back. */
function removeStale(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    const moved = readHolder(aside);
    if (moved !== undefined && isAlive(moved)) linkSync(aside, file);
  } catch {
    // Already removed; the next attempt decides.
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
