import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type GoldenRequest, runGolden } from "../measure/golden/golden.ts";
import { PARTS } from "../measure/golden/items.ts";
import { explainError, readCommand, stopSignal, UsageError } from "../src/platform/terminal/command.ts";

const USAGE = `Usage: npm run golden -- [OPTION…]

Sends fixed texts and files to a service of this checkout, over HTTP, and compares the answers with those recorded in
measure/golden/reports.jsonl, which holds their hashes and figures and no text. Exits with 1 if any differs. The service has a corpus of its
own, in the stores of the tests: TEST_DATABASE_URL and TEST_OPENSEARCH_URL, or embedded ones. Parts whose data is not
available are skipped with a message.

  --write            Record the answers instead of comparing them.
  --only PART        Only this part: ${Object.keys(PARTS).join(", ")}.
  --words-only       Only answers of a service that compares words alone. The encoder's numbers can differ between
                     processors, and answers with meaning can differ with them.
  --answers FOLDER   Keep the full answers in FOLDER, without what differs in every run. To see a difference, keep them
                     of both versions and compare the folders with diff.`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) process.exitCode = await run(request);

async function run(golden: Omit<GoldenRequest, "signal">): Promise<number> {
  const signal = stopSignal();
  try {
    return await runGolden({ ...golden, signal }, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(signal.aborted ? "Stopped.\n" : `${explainError(error)}\n`);
    return 1;
  }
}

function readRequest(args: string[]): Omit<GoldenRequest, "signal"> {
  const { values } = parseArgs({
    args,
    options: {
      write: { type: "boolean", default: false },
      only: { type: "string" },
      "words-only": { type: "boolean", default: false },
      answers: { type: "string" },
    },
  });
  const { only, answers } = values;
  const parts = Object.keys(PARTS).filter((part) => only === undefined || part === only);
  if (parts.length === 0)
    throw new UsageError(`--only must be one of ${Object.keys(PARTS).join(", ")}, not "${only}".`);
  return {
    parts,
    writes: values.write,
    wordsOnly: values["words-only"],
    answers: answers === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), answers),
  };
}
