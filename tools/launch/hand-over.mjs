import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter } from "node:path";
import { bin, compileCache, node, root } from "./places.mjs";

/** How long a signal that reaches us twice (from the terminal and from npm) counts as one. */
const SAME_SIGNAL_MS = 1_000;

/** How often we look whether the parent still lives: soon enough for a person, and next to nothing to do. */
const PARENT_POLL_MS = 250;

/** A shell reports a program that a signal ended as 128 + the signal's number. */
const SIGNAL_NUMBERS = constants.signals;

/** Runs Node.js 24 on the arguments, with the installed programs first on its PATH; resolves to its exit status. */
export async function handOver(args, extraEnv = {}) {
  return (await endOf(startNode(args, { extraEnv }))).status;
}

export function startNode(args, { extraEnv = {}, stdio = "inherit", detached = false } = {}) {
  const env = {
    NODE_COMPILE_CACHE: compileCache,
    ...process.env,
    ...extraEnv,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
  };
  return spawn(node, args, { cwd: root, env, stdio, detached, shell: process.platform === "win32" });
}

/**
 * Passes signals on to the child until it ends.
 * @returns its exit status, 128 + number after a signal; the signal, or null; and whether we were told to stop.
 */
export function endOf(child) {
  let isStopping = false;
  const unhook = onStop((signal) => {
    isStopping = true;
    // A terminal sends its Ctrl-C to the whole process group: the child has it already.
    if (!(signal === "SIGINT" && process.stdin.isTTY)) child.kill(signal);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      unhook();
      resolve({ status: code ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0), signal, isStopping });
    });
  });
}

/** Calls back with each signal to stop, and with SIGTERM when npm is gone. Returns a function that ends this. */
export function onStop(stop) {
  let lastMs = Number.NEGATIVE_INFINITY;
  const onSignal = (signal) => {
    const repeated = Date.now() - lastMs < SAME_SIGNAL_MS;
    lastMs = Date.now();
    if (!repeated) stop(signal);
  };
  const watch = watchParent(() => {
    if (lastMs === Number.NEGATIVE_INFINITY) onSignal("SIGTERM");
  });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/**
 * Calls back when the parent is gone. npm starts us through a shell, which dies of a SIGTERM without passing it on;
 * started by anything else, we may well outlive the parent.
 */
function watchParent(gone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    gone();
  }, PARENT_POLL_MS);
  return watch;
}
