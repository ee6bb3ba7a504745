import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { MEMORY_FLAGS } from "../support/processes/service-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("what Node.js is told when it starts the service", () => {
  it("is the same by the launcher, in the image and in the tests", async () => {
    const written = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
    const launcher = await readFile(join(ROOT, "scripts", "launch.mjs"), "utf8");
    expect(launcher).to.contain(`const MEMORY_FLAGS = ${written(MEMORY_FLAGS)};`);
    const image = await readFile(join(ROOT, "Dockerfile"), "utf8");
    expect(image).to.contain(`CMD ${written(["node", ...MEMORY_FLAGS, "src/main.ts"])}`);
  });
});
