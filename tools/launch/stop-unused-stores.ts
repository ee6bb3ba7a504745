import process from "node:process";
import { readConfig } from "../../src/platform/config.ts";
import { ConfigError } from "../../src/platform/domain-error.ts";
import { explainError } from "../../src/platform/terminal/command.ts";
import { stopUnusedStores } from "../stores/open-stores.ts";

// Run by the launcher when a service has failed or was killed and does not start again: it may not have stopped its stores itself.

try {
  await stopUnusedStores({ ...readConfig(process.env), say: (line) => process.stderr.write(`${line}\n`) });
} catch (error) {
  // With a wrong setting the service has started no stores, and has reported the setting.
  if (!(error instanceof ConfigError)) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}
