import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type DomainError, storeUnavailable } from "../../src/platform/domain-error.ts";
import {
  type Account,
  lastLines,
  ownerOf,
  type Waiting,
  withProgress,
} from "../../src/platform/run-command.ts";

/** The interval of checks whether a process answers or has ended. */
const POLL_MS = 100;

/** Enough for an error with its cause. */
const LOG_LINES = 12;

/** `identity` distinguishes a process from a later one with the same number; see `processIdentity`. */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), identity: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** A store's process; `startedAt` is RFC 3339. */
export const StoreProcess = ProcessIdentity.extend({ startedAt: z.string() });
export type StoreProcess = z.infer<typeof StoreProcess>;

type DaemonSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly account: Account | undefined;
};

/**
 * Starts a program in its own session, which a Ctrl-C in the terminal does not reach; keeps the previous log. While this process
 * lives, it writes the program's end to the log: only the parent learns of the signal, and all users of a store read its log.
 */
export async function startDaemon(spec: DaemonSpec): Promise<StoreProcess> {
  if (existsSync(spec.logFile)) renameSync(spec.logFile, `${spec.logFile}.previous`);
  const log = openSync(spec.logFile, "a");
  const child = spawn(spec.command, [...spec.args], {
    cwd: "/",
    env: spec.env,
    detached: true,
    stdio: ["ignore", log, log],
    ...ownerOf(spec.account),
  });
  child.once("exit", (code, signal) => {
    writeEnd(log, signal === null ? `with status ${code}` : `by ${signal}`);
    closeSync(log);
  });
  await once(child, "spawn").catch((cause) => {
    closeSync(log);
    const message = `${spec.name} could not be started: ${cause.message}`;
    throw storeUnavailable(message, cause);
  });
  child.unref();
  const identity = child.pid === undefined ? undefined : processIdentity(child.pid);
  if (child.pid === undefined || identity === undefined)
    throw storeUnavailable(`${spec.name} ended at once. ${endOfLog(spec.logFile)}`);
  return { pid: child.pid, identity, startedAt: new Date().toISOString() };
}

/** A full disk must not end this process as well. */
function writeEnd(log: number, how: string): void {
  try {
    writeSync(log, `\n${ENDED}${how}\n`);
  } catch {
    // The log then ends with the program's own last line.
  }
}

const ENDED = "The process ended ";

type ReadyWait = Waiting & {
  readonly name: string;
  readonly process: StoreProcess;
  readonly logFile: string;
  /** True if the store accepts requests now, otherwise its activity, if it tells. Throws if waiting can't help. */
  readonly answers: () => Promise<boolean | string>;
  /** The longest time without progress: its log does not grow and its activity stays the same. */
  readonly stallMs: number;
};

/** Waits until a store answers, for as long as it makes progress. @throws DomainError `store_unavailable` with the end of its log when it dies or hangs. */
export async function waitUntilReady(wait: ReadyWait): Promise<void> {
  let activity = "";
  let seen = "";
  let progressMs = performance.now();
  const shown = () => `${wait.name} is starting${activity === "" ? "" : `: ${activity}`}`;
  await withProgress(shown, wait.say, async () => {
    for (;;) {
      const answer = await wait.answers();
      if (answer === true) return;
      wait.signal?.throwIfAborted();
      if (!isAlive(wait.process)) throw await died(wait);
      activity = answer === false ? "" : answer;
      const now = `${activity} ${statSync(wait.logFile, { throwIfNoEntry: false })?.size}`;
      if (now !== seen) progressMs = performance.now();
      seen = now;
      if (performance.now() - progressMs > wait.stallMs) throw stalled(wait);
      await sleep(POLL_MS);
    }
  });
}

/** Ends a store with `signal`, and with SIGKILL if it is still alive after `boundMs`. It may have ended before. */
export async function stopDaemon(
  process: StoreProcess,
  signal: NodeJS.Signals,
  boundMs: number,
): Promise<void> {
  sendSignal(process, signal);
  const bound = performance.now() + boundMs;
  while (isAlive(process) && performance.now() < bound) await sleep(POLL_MS);
  sendSignal(process, "SIGKILL");
  // A killed process ends at once, unless it hangs in the kernel. Then a longer wait would not help.
  for (let attempt = 0; attempt < 10 && isAlive(process); attempt += 1) await sleep(POLL_MS);
}

/** Checks the identity first, since the number may belong to another process by now. */
function sendSignal(target: StoreProcess, signal: NodeJS.Signals): void {
  if (!isAlive(target)) return;
  try {
    // Except for PostgreSQL's fast shutdown the whole session ends: OpenSearch's script starts programs that outlive it.
    process.kill(signal === "SIGINT" ? target.pid : -target.pid, signal);
  } catch (cause) {
    if (!isAlive(target)) return;
    const message = `The store's process ${target.pid} could not be stopped: start and stop as the same user`;
    throw storeUnavailable(message, cause);
  }
}

async function died({ name, logFile }: ReadyWait): Promise<DomainError> {
  const { how, log } = await readEnd(logFile);
  const portTaken = /address already in use|BindException/i.test(log);
  const advice = portTaken ? " Another program has taken its port." : "";
  return storeUnavailable(`${name} ended while it was starting${how}.${advice} ${log}`);
}

function stalled({ name, logFile, stallMs }: ReadyWait): DomainError {
  const seconds = Math.round(stallMs / 1000);
  return storeUnavailable(
    `${name} made no progress for ${seconds} s while it was starting. If the log shows no fault, start again to wait longer. ${endOfLog(logFile)}`,
  );
}

/** Tells how an ended program ended, such as ` by SIGKILL` (empty if its parent was gone), and the end of its log as a sentence. */
export async function readEnd(logFile: string): Promise<{ readonly how: string; readonly log: string }> {
  // A poll may find the process gone before its parent is told.
  await sleep(POLL_MS);
  const tail = tailOf(logFile);
  // PostgreSQL's own processes may write more lines after it.
  const [, how] = new RegExp(`^${ENDED}(.+)$`, "m").exec(tail) ?? [];
  return { how: how === undefined ? "" : ` ${how}`, log: endOfLog(logFile, tail) };
}

function endOfLog(logFile: string, tail: string = tailOf(logFile)): string {
  const log = lastLines(tail, LOG_LINES);
  return log === "" ? "It wrote no log." : `The end of its log, ${logFile}:\n${log}`;
}

/** Of a log, which may be large, this much is read. */
const TAIL_BYTES = 64 * 1024;

function tailOf(logFile: string): string {
  if (!existsSync(logFile)) return "";
  const log = openSync(logFile, "r");
  try {
    const from = Math.max(0, fstatSync(log).size - TAIL_BYTES);
    const bytes = Buffer.alloc(TAIL_BYTES);
    return bytes.toString("utf8", 0, readSync(log, bytes, 0, TAIL_BYTES, from));
  } finally {
    closeSync(log);
  }
}

/** Distinguishes a process from a later one with the same number; undefined if it is gone or a zombie. */
export function processIdentity(pid: number): string | undefined {
  return existsSync("/proc/self/stat") ? identityFromProc(pid) : identityFromPs(pid);
}

/** Whether the process with this identity is alive; false if its number now belongs to another process. */
export function isAlive(process: ProcessIdentity): boolean {
  return processIdentity(process.pid) === process.identity;
}

function identityFromProc(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The fields follow the program's name, which is in parentheses and may itself contain parentheses.
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

/** A free port of 127.0.0.1 for each entry, the preferred one if possible; all are held until the last is chosen. */
export async function freePorts(preferred: readonly (number | undefined)[]): Promise<number[]> {
  const held: Server[] = [];
  try {
    const ports: number[] = [];
    for (const port of preferred) {
      const server = await listen(port ?? 0).catch(() => listen(0));
      held.push(server);
      ports.push(portOf(server));
    }
    return ports;
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has no port");
  return address.port;
}
