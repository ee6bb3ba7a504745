import { checkCommand } from "../src/check-command/check-command.ts";

await checkCommand();
