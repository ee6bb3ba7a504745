import { writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { generateTypes, TYPES_FILE } from "../tools/client-types/client-types.ts";

// Generates the types of the client from the engine's OpenAPI document. A test fails when they are out of date.
await writeFile(fileURLToPath(new URL(`../${TYPES_FILE}`, import.meta.url)), generateTypes());
process.stdout.write(`${TYPES_FILE}\n`);
