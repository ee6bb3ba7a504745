import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { text as readText } from "node:stream/consumers";
import { z } from "zod";
import { childEnvironment } from "../../test/support/processes/child-environment.ts";

/** The tests of the service's expectations of OpenSearch: the analyzer, versions of an index, blocks, lost shards, deletion, metrics. */
const CONTRACT_TESTS = [
  "test/corpus/index/chunk-storage.test.ts",
  "test/corpus/index/index-analyzers.test.ts",
  "test/corpus/index/index-layout.test.ts",
  "test/corpus/index/index-versions.test.ts",
  "test/corpus/index/write-block.test.ts",
  "test/corpus/ingest/records/ingest-index.long.test.ts",
  "test/corpus/upkeep/rebuild-index.long.test.ts",
  "test/corpus/upkeep/swap-index.test.ts",
  "test/corpus/upkeep/compare-index.test.ts",
  "test/corpus/upkeep/deletion.test.ts",
  "test/platform/opensearch/metrics-index.test.ts",
];

const TEST_TIMEOUT_MS = 60_000;

const Result = z.object({
  stats: z.object({ passes: z.int(), failures: z.int() }),
  failures: z.array(
    z.object({ fullTitle: z.string(), err: z.looseObject({ message: z.string().optional() }) }),
  ),
});

export type ContractResult = { readonly passed: number; readonly failed: readonly string[] };

/** Runs tests on the given stores, by default the contract tests. */
export async function runContractTests(
  stores: { readonly databaseUrl: string; readonly opensearchNodes: readonly string[] },
  files: readonly string[] = CONTRACT_TESTS,
): Promise<ContractResult> {
  const root = join(import.meta.dirname, "..", "..");
  const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
  const options = ["--no-config", "--require", "test/support/stores.ts", "--reporter", "json"];
  const child = spawn(process.execPath, [mocha, ...options, "--timeout", String(TEST_TIMEOUT_MS), ...files], {
    cwd: root,
    env: childEnvironment({
      TEST_DATABASE_URL: stores.databaseUrl,
      TEST_OPENSEARCH_URL: stores.opensearchNodes.join(","),
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, "close"),
  ]);
  const start = stdout.indexOf("{\n");
  if (start < 0) throw new Error(`the contract tests did not run: ${stderr.slice(-1_500)}`);
  const { stats, failures } = Result.parse(JSON.parse(stdout.slice(start)));
  return {
    passed: stats.passes,
    failed: failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message ?? ""}`),
  };
}
