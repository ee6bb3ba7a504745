import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { type Account, lastLines } from "./run-command.ts";

/** Often enough that a start of a tenth of a second is seen as one, rarely enough to cost nothing. */
const POLL_MS = 100;

/** How often progress is shown to a waiting person. */
const PROGRESS_MS = 5_000;

/** Enough for an error with its cause, few enough to read. */
const LOG_LINES = 12;

/** `identity` tells a process from a later one with the same number; see `processIdentity`. */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), identity: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** A store's process; `startedAt` is RFC 3339. */
export const StoreProcess = ProcessIdentity.extend({ startedAt: z.string() });
export type StoreProcess = z.infer<typeof StoreProcess>;

export type DaemonSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly account: Account | undefined;
};

/**
 * Starts a program in a session of its own, so that a Ctrl-C in the terminal does not reach it, with its output in
 * `logFile`; the log of the start before is kept beside it as `.previous`.
 */
export async function startDaemon(spec: DaemonSpec): Promise<StoreProcess> {
  if (existsSync(spec.logFile)) renameSync(spec.logFile, `${spec.logFile}.previous`);
  const log = openSync(spec.logFile, "w");
  const child = spawn(spec.command, [...spec.args], {
    cwd: "/",
    env: spec.env,
    detached: true,
    stdio: ["ignore", log, log],
    ...(spec.account === undefined ? {} : { uid: spec.account.uid, gid: spec.account.gid }),
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => {
      const message = `${spec.name} could not be started: ${cause.message}`;
      reject(new DomainError("store_unavailable", message, { cause }));
    });
  });
  child.unref();
  const identity = child.pid === undefined ? undefined : processIdentity(child.pid);
  if (child.pid === undefined || identity === undefined) throw died(spec.name, spec.logFile);
  return { pid: child.pid, identity, startedAt: new Date().toISOString() };
}

export type ReadyWait = {
  readonly name: string;
  readonly process: StoreProcess;
  readonly logFile: string;
  /** Whether the store takes requests now; never throws. */
  readonly answers: () => Promise<boolean>;
  readonly boundMs: number;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/** Waits until a started store answers, saying so every few seconds. Throws with the end of its log when it dies. */
export async function waitUntilReady(wait: ReadyWait): Promise<void> {
  const started = performance.now();
  let nextProgressMs = PROGRESS_MS;
  while (!(await wait.answers())) {
    wait.signal?.throwIfAborted();
    if (!isAlive(wait.process)) throw died(wait.name, wait.logFile);
    const elapsedMs = performance.now() - started;
    if (elapsedMs > wait.boundMs) throw tooSlow(wait);
    if (elapsedMs > nextProgressMs) {
      wait.say(`${wait.name} is starting (${Math.round(elapsedMs / 1000)} s)`);
      nextProgressMs += PROGRESS_MS;
    }
    await sleep(POLL_MS);
  }
}

/** Ends a store by `signal`, and by SIGKILL when it still lives after `boundMs`. Gone already is fine. */
export async function stopDaemon(
  process: StoreProcess,
  signal: NodeJS.Signals,
  boundMs: number,
): Promise<void> {
  sendSignal(process, signal);
  const bound = performance.now() + boundMs;
  while (isAlive(process) && performance.now() < bound) await sleep(POLL_MS);
  sendSignal(process, "SIGKILL");
  // A killed process is gone at once, unless it hangs in the kernel: then waiting longer would not help.
  for (let attempt = 0; attempt < 10 && isAlive(process); attempt += 1) await sleep(POLL_MS);
}

/** Checks the identity first: the number may belong to another process by now. */
function sendSignal(target: StoreProcess, signal: NodeJS.Signals): void {
  if (!isAlive(target)) return;
  try {
    // SIGINT asks PostgreSQL's first process alone. The others go to all of the store's session: OpenSearch's launch
    // script, stopped early, would leave the Java programs that it asks for its options.
    process.kill(signal === "SIGINT" ? target.pid : -target.pid, signal);
  } catch (cause) {
    if (!isAlive(target)) return;
    const message = `The store's process ${target.pid} could not be stopped: start and stop as the same user`;
    throw new DomainError("store_unavailable", message, { cause });
  }
}

function died(name: string, logFile: string): DomainError {
  const log = existsSync(logFile) ? lastLines(readFileSync(logFile, "utf8"), LOG_LINES) : "";
  const portTaken = /address already in use|BindException/i.test(log);
  const advice = portTaken ? " Another program has taken its port: start again." : "";
  const end = log === "" ? "It wrote no log." : `The end of its log, ${logFile}:\n${log}`;
  return new DomainError("store_unavailable", `${name} stopped while it was starting.${advice} ${end}`);
}

function tooSlow({ name, boundMs, logFile }: ReadyWait): DomainError {
  return new DomainError(
    "store_unavailable",
    `${name} did not answer within ${Math.round(boundMs / 1000)} s. Its log is ${logFile}.`,
  );
}

/**
 * What tells one process from a later one with the same number: the boot and the moment it started.
 * Undefined when no such process lives; a zombie does not live.
 */
export function processIdentity(pid: number): string | undefined {
  return existsSync("/proc/self/stat") ? identityFromProc(pid) : identityFromPs(pid);
}

/** Whether the process that had this identity still lives; false when its number was given to another. */
export function isAlive(process: ProcessIdentity): boolean {
  return processIdentity(process.pid) === process.identity;
}

function identityFromProc(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The program's name, in parentheses, may itself hold spaces and parentheses: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  const startedTicks = fields[19];
  if (state === "Z" || state === "X" || startedTicks === undefined) return undefined;
  const boot = readIfThere("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return `${boot}:${startedTicks}`;
}

function identityFromPs(pid: number): string | undefined {
  const result = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  const line = result.stdout?.trim() ?? "";
  if (line === "" || line.startsWith("Z")) return undefined;
  return line.replace(/^\S+\s+/, "");
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const HOST = "127.0.0.1";

/**
 * One free port of 127.0.0.1 for each entry, all different: the preferred port where it is free,
 * else one that the system picks. All are held at once while they are chosen, then let go.
 */
export async function freePorts(preferred: readonly (number | undefined)[]): Promise<number[]> {
  const held: Server[] = [];
  try {
    const ports: number[] = [];
    for (const port of preferred) {
      const server =
        (port === undefined ? undefined : await listen(port).catch(() => undefined)) ?? (await listen(0));
      held.push(server);
      ports.push(portOf(server));
    }
    return ports;
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, HOST, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has no port");
  return address.port;
}
