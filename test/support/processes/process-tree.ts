import { readdirSync, readFileSync } from "node:fs";

/** The processes that a process has started, and those that these have. PostgreSQL's are in groups of their own. */
export function descendants(pid: number): number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name): [number, number] => [Number(name), parentOf(name)]),
  );
  const found: number[] = [];
  for (let level = [pid]; level.length > 0; ) {
    level = [...parents].filter(([, parent]) => level.includes(parent)).map(([child]) => child);
    found.push(...level);
  }
  return found;
}

export function lives(pid: number): boolean {
  return parentOf(pid) !== 0;
}

/** 0 for one that is gone, or a zombie. */
function parentOf(pid: string | number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? 0 : Number(parent);
  } catch {
    return 0;
  }
}
