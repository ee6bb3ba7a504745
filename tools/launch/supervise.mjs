import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { endOf, onStop, startNode } from "./hand-over.mjs";
import { say } from "./say.mjs";

/** The wait before the first restart; each further one doubles it, up to the longest. */
const RESTART_WAIT_MS = 1_000;
const RESTART_WAIT_MAX_MS = 60_000;

/** A service that ran for this long had started well: its next end is a first one again. */
const HEALTHY_MS = 5 * 60_000;

/** On Windows the service can't tell that it serves. A setting that is wrong ends it within seconds. */
const SERVED_AFTER_MS = 10_000;

/** Their waits add up to some 15 minutes. After that, the launcher's own supervisor decides. */
const RESTARTS_MAX = 20;

/**
 * Runs the service until it is told to stop, and starts it again when it ends by itself: killed, out of memory, or by an error
 * that nobody caught. A start that fails is not repeated unless the service has served before: its message names the remedy.
 * @param tidy the program that stops stores which a service has left behind.
 * @returns the exit status of the last run.
 */
export async function supervise(service, tidy) {
  let hasServed = false;
  for (let failures = 0; ; ) {
    const startedMs = performance.now();
    const run = await runOnce(service);
    hasServed ||= run.hasServed;
    const isFailedStart = run.signal === null && !hasServed && !run.isStopping;
    if (run.status === 0) return 0;
    failures = performance.now() - startedMs > HEALTHY_MS ? 1 : failures + 1;
    const isLast = isFailedStart || run.isStopping || failures > RESTARTS_MAX;
    if (isLast || (await isStoppedInWait(run, failures))) {
      await runToItsEnd(tidy);
      return run.status;
    }
  }
}

/** The service tells over its channel when it serves, and ends in an orderly way when the channel closes. */
async function runOnce(service) {
  // The shell through which Windows starts it does not pass the channel on.
  const hasChannel = process.platform !== "win32";
  const startedMs = performance.now();
  const child = startNode(service, {
    stdio: hasChannel ? ["inherit", "inherit", "inherit", "ipc"] : "inherit",
  });
  let hasServed = false;
  child.on("message", (message) => {
    if (message === "serving") hasServed = true;
  });
  const end = await endOf(child);
  return { ...end, hasServed: hasChannel ? hasServed : performance.now() - startedMs > SERVED_AFTER_MS };
}

/** Runs a program that no repeated signal ends: it has a process group of its own, and signals to us are not passed on. */
async function runToItsEnd(program) {
  const unhook = onStop(() => undefined);
  await once(startNode(program, { detached: process.platform !== "win32" }), "exit");
  unhook();
}

/** Waits before the next start; true when the launcher is told to stop meanwhile. */
async function isStoppedInWait({ status, signal }, failures) {
  const waitMs = Math.min(RESTART_WAIT_MS * 2 ** (failures - 1), RESTART_WAIT_MAX_MS);
  const cause = signal === null ? `with status ${status}` : `by ${signal}`;
  say(`The service ended unexpectedly, ${cause}. Restarting in ${waitMs / 1000} s`);
  const stop = new AbortController();
  const unhook = onStop(() => stop.abort());
  await sleep(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
  unhook();
  return stop.signal.aborted;
}
