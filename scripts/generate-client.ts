import { writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { GENERATED_FILE, generatedClient } from "../tools/client-generator/client-source.ts";

// Regenerates the client from the engine's OpenAPI document. A test fails when that is due.
await writeFile(fileURLToPath(new URL(`../${GENERATED_FILE}`, import.meta.url)), generatedClient());
process.stdout.write(`${GENERATED_FILE}\n`);
