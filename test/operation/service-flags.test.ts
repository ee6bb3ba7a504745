import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { INGEST_FLAGS } from "../../measure/benchmark/run-ingest.ts";
import { MALLOC_ARENAS, SERVICE_FLAGS } from "../support/processes/service-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("what Node.js is told when it starts the service or an ingest", () => {
  it("is the same by the launcher, in the image, in tests and benchmarks", async () => {
    const written = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
    const launcher = await readFile(join(ROOT, "scripts", "launch.mjs"), "utf8");
    expect(launcher).to.contain(`const SERVICE_FLAGS = ${written(SERVICE_FLAGS)};`);
    expect(launcher).to.contain(`const INGEST_FLAGS = ${written(INGEST_FLAGS)};`);
    const image = await readFile(join(ROOT, "Dockerfile"), "utf8");
    expect(launcher).to.contain(`const MALLOC_ARENAS = "${MALLOC_ARENAS}";`);
    expect(image).to.contain(`MALLOC_ARENA_MAX=${MALLOC_ARENAS}`);
    expect(image).to.contain(`CMD ${written(["node", ...SERVICE_FLAGS, "scripts/start.ts"])}`);
  });
});
