import process from "node:process";
import { readConfig } from "../../src/platform/config.ts";
import { openStores } from "../../src/platform/stores/open-stores.ts";
import { withBenchmarkStores } from "../../test/benchmark/benchmark-stores.ts";
import { INGEST_SOURCES, ingestFrom } from "../../test/benchmark/source-benchmark.ts";

// Compares the ingest of the same small texts from a folder, an index and a query, each into an empty corpus of its own.
//
//   npm run bench:sources -- 5000 20000
const sizes = process.argv.slice(2).map(Number);
const say = (line: string) => process.stderr.write(`${line}\n`);
const stores = await openStores({ ...readConfig(process.env), say });
try {
  process.stdout.write(
    "| documents | source | documents a second | second run | peak memory |\n|---|---|---|---|---|\n",
  );
  for (const size of sizes.length > 0 ? sizes : [5_000, 20_000]) {
    for (const source of INGEST_SOURCES) {
      await withBenchmarkStores(
        stores,
        async (own) => {
          const { first, second } = await ingestFrom(source, size, own);
          const isWhole = first.added === size && second.unchanged === size;
          if (!isWhole) throw new Error(`${source}: ${JSON.stringify({ first, second })}`);
          const cells = [
            size.toLocaleString("en"),
            source,
            Math.round(size / first.seconds).toLocaleString("en"),
            `${second.seconds.toFixed(1)} s`,
            `${Math.round(first.peakMb)} MB`,
          ];
          process.stdout.write(`| ${cells.join(" | ")} |\n`);
        },
        { purpose: "sources" },
      );
    }
  }
} finally {
  await stores.stop();
}
