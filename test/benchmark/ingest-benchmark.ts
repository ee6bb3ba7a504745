import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import type { BenchmarkStores } from "./benchmark-stores.ts";
import type { Figure } from "./check-benchmark.ts";
import { storedBytes } from "./stored-bytes.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The source texts of the PAN13 corpus, 3,230 of 4.5 KB on average; it lies beside the project where it was fetched. */
const ARCHIVE = join(ROOT, "..", "shared", "data", "pan13", "train.tar.xz");

/** How often the memory of the tool and its processes is looked at. */
const LOOK_MS = 100;

const Result = z.object({
  added: z.number(),
  unchanged: z.number(),
  failed: z.number(),
  seconds: z.number(),
});
const Child = z.object({ pid: z.number(), parent: z.number(), rssMb: z.number() });

/** Ingests a tree of real text files twice, as a user does; no figures where the tree is not there. */
export async function ingestFigures({
  environment,
  database,
  opensearch,
}: BenchmarkStores): Promise<Figure[]> {
  if (!existsSync(ARCHIVE)) return [];
  const folder = await mkdtemp(join(tmpdir(), "similarity-bench-"));
  try {
    await promisify(execFile)("tar", ["-xJf", ARCHIVE, "-C", folder]);
    const tree = join(folder, "pan13-train", "src");
    const first = await ingest(tree, environment);
    const stored = await storedBytes(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX);
    const second = await ingest(tree, environment);
    // What an operator runs after a bulk load: segments that were written side by side repeat each other's words.
    await promisify(execFile)(process.execPath, [join(ROOT, "scripts", "corpus", "refresh.ts"), "--merge"], {
      env: { ...process.env, ...environment },
    });
    const merged = await storedBytes(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX);
    return [
      { name: "folder ingest: files", value: first.added, unit: "" },
      { name: "folder ingest: failed", value: first.failed, unit: "" },
      { name: "folder ingest", value: first.wallSeconds, unit: "s", target: "< 90" },
      { name: "its memory with all processes, peak", value: first.peakMb, unit: "MB", target: "< 1,000" },
      { name: "second run, nothing changed", value: second.wallSeconds, unit: "s", target: "< 10" },
      { name: "second run: files unchanged", value: second.unchanged, unit: "" },
      ...stored.map((figure) => ({ ...figure, name: `${figure.name}, freshly loaded`, target: "" })),
      ...merged.map((figure) => ({ ...figure, name: `${figure.name}, after corpus:refresh --merge` })),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function ingest(tree: string, environment: BenchmarkStores["environment"]) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(ROOT, "scripts", "ingest.ts"), tree, "--json"], {
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
