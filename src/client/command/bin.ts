#!/usr/bin/env node
import { checkCommand } from "./check-command.ts";

await checkCommand();
