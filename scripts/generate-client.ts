import { writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { generatedFiles } from "./client-generator/client-source.ts";

// Regenerates src/client/generated from the engine's OpenAPI document. A test fails when that is due.
for (const [path, source] of generatedFiles()) {
  await writeFile(fileURLToPath(new URL(`../${path}`, import.meta.url)), source);
  process.stdout.write(`${path}\n`);
}
