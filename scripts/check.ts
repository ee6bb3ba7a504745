import { checkCommand } from "../src/cli/check-command.ts";

await checkCommand();
