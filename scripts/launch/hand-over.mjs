import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { bin, node, root } from "./places.mjs";

/** How long a signal that reaches us twice (from the terminal and from npm) counts as one. */
const SAME_SIGNAL_MS = 1_000;

/** How often we look whether the parent still lives: soon enough for a person, and next to nothing to do. */
const PARENT_POLL_MS = 250;

/** A shell reports a program that a signal ended as 128 + the signal's number. */
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** Runs Node.js 24 on the arguments, with the installed programs first on its PATH; resolves to its exit status. */
export function handOver(args, extraEnv = {}) {
  const env = { ...process.env, ...extraEnv, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  return ended(spawn(node, args, { cwd: root, env, stdio: "inherit", shell: process.platform === "win32" }));
}

/** Passes signals on to the child while it runs; resolves to its exit status, 128 + number after a signal. */
export function ended(child) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let lastMs = Number.NEGATIVE_INFINITY;
  const forward = (signal) => {
    const repeated = Date.now() - lastMs < SAME_SIGNAL_MS;
    lastMs = Date.now();
    // A terminal sends its Ctrl-C to the whole process group: the child has it already.
    if (!repeated && !(signal === "SIGINT" && process.stdin.isTTY)) child.kill(signal);
  };
  const watch = watchParent(() => {
    if (lastMs === Number.NEGATIVE_INFINITY) forward("SIGTERM");
  });
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0));
    });
  });
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
