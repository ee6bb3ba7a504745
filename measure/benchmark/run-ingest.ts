import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { BenchmarkStores } from "./benchmark-stores.ts";

const SCRIPTS = join(import.meta.dirname, "..", "..", "scripts");

/** With which the launcher starts an ingest (see `scripts/launch.mjs`). */
export const INGEST_FLAGS: readonly string[] = ["--heap-growing-percent=50"];

/** How often the memory of the tool and its processes is looked at; every look takes some milliseconds of a core. */
const LOOK_MS = 500;

const Result = z.object({
  added: z.number(),
  unchanged: z.number(),
  failed: z.number(),
  chunks: z.number(),
  seconds: z.number(),
});
const Child = z.object({ pid: z.number(), parent: z.number(), rssMb: z.number() });

/** The output of an ingest, the seconds from its start to its end, and the most memory that it and its processes had at once. */
export type IngestRun = z.output<typeof Result> & { readonly wallSeconds: number; readonly peakMb: number };

/** Ingests documents as a user does, by a command. */
export async function runIngest(
  script: "ingest" | "ingest-index" | "ingest-sql",
  args: readonly string[],
  environment: BenchmarkStores["environment"],
): Promise<IngestRun> {
  const started = performance.now();
  const child = spawn(process.execPath, [...INGEST_FLAGS, join(SCRIPTS, `${script}.ts`), ...args, "--json"], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  const ended = new Promise<number>((resolve) => child.once("close", () => resolve(performance.now())));
  let peakMb = 0;
  let isRunning = true;
  const watching = (async () => {
    while (isRunning && child.pid !== undefined) {
      peakMb = Math.max(peakMb, await familyMb(child.pid));
      await sleep(LOOK_MS);
    }
  })();
  const wallSeconds = ((await ended) - started) / 1000;
  isRunning = false;
  await watching;
  return { ...Result.parse(JSON.parse(output.trimEnd().split("\n").at(-1) ?? "")), wallSeconds, peakMb };
}

/** The memory of a process and all that it has started; 0 where the system doesn't tell. */
async function familyMb(pid: number): Promise<number> {
  const names = await readdir("/proc").catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(processOf));
  const all = found.filter((one) => one !== undefined);
  const family = new Set([pid]);
  for (let before = 0; before < family.size; ) {
    before = family.size;
    for (const one of all) if (family.has(one.parent)) family.add(one.pid);
  }
  return all.reduce((sum, one) => sum + (family.has(one.pid) ? one.rssMb : 0), 0);
}

async function processOf(pid: string): Promise<z.output<typeof Child> | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  const one = { pid: Number(pid), parent: field("PPid"), rssMb: field("VmRSS") / 1024 };
  return Number.isNaN(one.rssMb) ? undefined : one;
}
