import process from "node:process";
import { readConfig } from "../../src/platform/config.ts";
import { explainError } from "../../src/platform/terminal/command.ts";
import { checkGivenStores } from "../../src/service/check-given-stores.ts";

// Run by the launcher before it builds the pages: a wrong setting or password is reported first.

try {
  await checkGivenStores(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`);
  process.exitCode = 1;
}
