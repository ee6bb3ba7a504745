import { execFile } from "node:child_process";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { withBenchmarkStores } from "../measure/benchmark/benchmark-stores.ts";
import { askPreflights } from "../measure/fuzz/preflights.ts";
import { installSchemathesis, runSchemathesis } from "../measure/fuzz/schemathesis.ts";
import { readConfig } from "../src/platform/config.ts";
import { printResult, readCommand, UsageError } from "../src/platform/terminal/command.ts";
import { ServiceProcess } from "../test/support/processes/service-process.ts";
import { openStores } from "../tools/stores/open-stores.ts";

const USAGE = `Usage: npm run fuzz -- [--cases N] [--seed N] [--schemathesis COMMAND] [--json]

Starts both listeners over empty stores of their own, with made-up statistics, and holds each to its OpenAPI document with
Schemathesis: requests at random, valid and not, in the order that one answer suggests the next. None may be answered with
5xx, or otherwise than the document says. Then sends OPTIONS and preflights of browsers to each path and to unknown ones.
Needs Python 3; Schemathesis is installed below the temporary folder.

  --cases N               requests in all (20000)
  --seed N                makes other requests (1)
  --schemathesis COMMAND  the one to use
  --json                  ends the output with one line for programs`;

/**
 * How often each operation is asked for in a round, at most; in a short run this share of all cases, so that each operation
 * has its turn. Rounds follow, with other seeds, until there are enough cases.
 */
const CASES_EACH_MAX = 250;
const SHARE_OF_CASES = 80;

type Request = {
  readonly cases: number;
  readonly seed: number;
  readonly command: string | undefined;
  readonly json: boolean;
};

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await fuzz(request);

function readRequest(args: string[]): Request {
  const options = {
    cases: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    schemathesis: { type: "string" },
    json: { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  const [cases, seed] = [Number(values.cases), Number(values.seed)];
  if (!Number.isInteger(cases) || cases < 1)
    throw new UsageError("--cases must be a whole number of at least 1.");
  if (!Number.isInteger(seed)) throw new UsageError("--seed must be a whole number.");
  return { cases, seed, command: values.schemathesis, json: values.json };
}

async function fuzz({ cases, seed, command, json }: Request): Promise<void> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const schemathesis = command ?? (await installSchemathesis(say));
  const stores = await openStores({ ...readConfig(process.env), say });
  const total = { cases: 0, failures: 0 };
  const casesEach = Math.min(CASES_EACH_MAX, Math.ceil(cases / SHARE_OF_CASES));
  try {
    await withBenchmarkStores(stores, async ({ environment }) => {
      const service = await ServiceProcess.start({
        ...environment,
        COMPARISON_LINK_DAYS: "1",
        STATISTICS_RATE_LIMIT: "100000000",
      });
      try {
        await loadDemo(environment);
        const addresses = [service.client.base, service.statisticsAddress ?? ""];
        for (let round = seed; total.cases < cases; round += 1) {
          for (const address of addresses) {
            const found = await runSchemathesis(schemathesis, address, {
              casesEach,
              seed: round,
            });
            total.cases += found.cases;
            total.failures += found.failures;
          }
        }
        for (const address of addresses) {
          const found = await askPreflights(address, seed, say);
          total.cases += found.cases;
          total.failures += found.failures;
        }
      } finally {
        await service.end("SIGTERM");
      }
    });
  } finally {
    await stores.stop();
  }
  const result = `${total.cases.toLocaleString("en")} cases, ${total.failures} failures`;
  printResult([result], json ? total : undefined);
  if (total.failures > 0) process.exitCode = 1;
}

async function loadDemo(environment: Readonly<Record<string, string>>): Promise<void> {
  const script = new URL("statistics/demo.ts", import.meta.url).pathname;
  await promisify(execFile)(process.execPath, [script], { env: { ...process.env, ...environment } });
}
