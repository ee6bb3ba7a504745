import { checkCommand } from "../src/client/command/check-command.ts";

await checkCommand();
