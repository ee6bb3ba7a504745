import process from "node:process";
import { readConfig } from "../platform/config.ts";
import { stopUnusedStores } from "../platform/stores/open-stores.ts";
import { explainError } from "../platform/terminal/command.ts";

// Run by the launcher when a service was killed and does not start again: it could not stop its stores itself.

try {
  await stopUnusedStores({ ...readConfig(process.env), say: (line) => process.stderr.write(`${line}\n`) });
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`);
  process.exitCode = 1;
}
