import process from "node:process";
import { parseArgs } from "node:util";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { INGEST_SOURCES, type IngestSource, ingestFrom } from "../../measure/benchmark/source-benchmark.ts";
import { readConfig } from "../../src/platform/config.ts";
import { readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

const USAGE = `Usage: npm run bench:sources -- [--sources S,S] [DOCUMENTS...]

Compares the ingest of the same small texts from a folder, an index and a query, each into an empty corpus of its own.

  DOCUMENTS      how many; 5000 and 20000 by default
  --sources S,S  only these of ${INGEST_SOURCES.join(", ")}`;

type Request = { readonly sizes: readonly number[]; readonly sources: readonly IngestSource[] };

const request = await readCommand(USAGE, async (args): Promise<Request> => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { sources: { type: "string", default: INGEST_SOURCES.join(",") } },
  });
  const sizes = positionals.length > 0 ? positionals.map(Number) : [5_000, 20_000];
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    throw new UsageError("DOCUMENTS must be whole numbers above 0.");
  const asked = new Set(values.sources.split(","));
  const sources = INGEST_SOURCES.filter((source) => asked.has(source));
  if (sources.length < asked.size)
    throw new UsageError(`--sources must be some of ${INGEST_SOURCES.join(", ")}.`);
  return { sizes, sources };
});
if (request !== undefined) await run(request);

async function run({ sizes, sources }: Request): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const stores = await openStores({ ...readConfig(process.env), say });
  try {
    process.stdout.write(
      "| documents | source | documents a second | second run | peak memory |\n|---|---|---|---|---|\n",
    );
    for (const size of sizes) {
      for (const source of sources) {
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
}
