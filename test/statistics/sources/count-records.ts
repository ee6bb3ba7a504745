import process from "node:process";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { retractions } from "../../../src/statistics/sources/retractions.ts";
import { organisations } from "../../../src/statistics/sources/ror/organisations.ts";

// Run by a test in a process with little memory: prints how many records a parser finds in a file.

const [parser, file = ""] = process.argv.slice(2);
const input = await inspectFile(file);
const records = parser === "organisations" ? organisations(input, ignore) : retractions(input, ignore);
let count = 0;
for await (const _ of records) count += 1;
process.stdout.write(String(count));

function ignore(): void {}
