import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BenchmarkStores } from "./benchmark-stores.ts";
import type { Figure } from "./check-benchmark.ts";
import { runIngest } from "./run-ingest.ts";
import { storedBytes } from "./stored-bytes.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The source texts of the PAN13 corpus, 3,230 of 4.5 KB on average; it lies beside the project where it was fetched. */
const ARCHIVE = join(ROOT, "..", "shared", "data", "pan13", "train.tar.xz");

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
    const first = await runIngest("ingest", [tree], environment);
    const stored = await storedBytes(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX);
    const second = await runIngest("ingest", [tree], environment);
    // Operators run this after a bulk load: segments that were written concurrently repeat each other's words.
    const index = `${environment.OPENSEARCH_INDEX_PREFIX}chunks-read`;
    await opensearch.indices.forcemerge({ index, max_num_segments: 1, flush: true });
    const merged = await storedBytes(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX);
    return [
      { name: "folder ingest: files", value: first.added, unit: "" },
      { name: "folder ingest: failed", value: first.failed, unit: "" },
      { name: "folder ingest", value: first.wallSeconds, unit: "s", target: "< 90" },
      { name: "its memory with all processes, peak", value: first.peakMb, unit: "MB", target: "< 1,000" },
      { name: "second run, nothing changed", value: second.wallSeconds, unit: "s", target: "< 10" },
      { name: "second run: files unchanged", value: second.unchanged, unit: "" },
      ...stored.map((figure) => ({ ...figure, name: `${figure.name}, freshly loaded`, target: "" })),
      ...merged.map((figure) => ({ ...figure, name: `${figure.name}, after a forced merge` })),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
