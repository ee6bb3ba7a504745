import process from "node:process";
import { readConfig } from "../../src/platform/config.ts";
import { explainError } from "../../src/platform/terminal/command.ts";
import { checkGivenStores } from "../../src/service/check-given-stores.ts";
import { servesStatisticsAlone } from "../../src/service/statistics-service.ts";

// Run by the launcher before it builds the pages: a wrong setting or password is reported first.

try {
  const config = readConfig(process.env);
  if (!servesStatisticsAlone(config)) await checkGivenStores(config);
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`);
  process.exitCode = 1;
}
