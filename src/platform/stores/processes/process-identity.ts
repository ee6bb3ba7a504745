import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/**
 * What tells one process from a later one with the same number: the boot and the moment it started.
 * Undefined when no such process lives; a zombie does not live.
 */
export function processIdentity(pid: number): string | undefined {
  return existsSync("/proc/self/stat") ? identityFromProc(pid) : identityFromPs(pid);
}

/** Whether the process that had this identity still lives; false when its number was given to another. */
export function isAlive(process: { readonly pid: number; readonly identity: string }): boolean {
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
