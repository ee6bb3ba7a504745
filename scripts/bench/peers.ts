import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { comparePeers } from "../../measure/benchmark/peers/compare-peers.ts";
import { pan13DataSet, sentencesDataSet } from "../../measure/benchmark/peers/data-sets.ts";
import { TABLE_NOTES } from "../../measure/benchmark/peers/peer-table.ts";
import { installPythonPeers } from "../../measure/benchmark/peers/python-peers.ts";
import { compareRings, RING_NOTES } from "../../measure/benchmark/peers/rings/compare-rings.ts";
import { readConfig } from "../../src/platform/config.ts";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

const TEXTS = ["pan13", "sentences", "both", "rings"] as const;

const USAGE = `Usage: npm run bench:peers -- [--texts WHICH] [--members N] [--words-only] [--json]

Gives the same job to the product and to other tools: what does each text share with which of the sources? Shows for each
how long it takes from scratch and with the sources loaded, and what of the planted text it finds.

The texts are the PAN 2013 training corpus, where it lies beside the project, and the sample corpus. The product runs in a
process of its own on the stores of this installation, in a database and indices of the benchmark's own. Python tools are
installed below DATA_DIR (needs Python 3); sim_text is taken from the PATH (Debian and Ubuntu: similarity-tester).

  --texts WHICH  pan13, sentences (of the sample corpus, in other articles of it) or both, by default; or rings: texts that
                 are compared with each other, by Dolos, copydetect, sim_text and JPlag (needs Maven and a JDK) as well
  --members N    the largest set of rings: 100, or 1000 by default
  --words-only   the product compares words alone, as it always does with rings
  --json         a line for programs on the standard output for each of them, everything else on the standard error`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await run(request);

type Request = {
  readonly texts: (typeof TEXTS)[number];
  readonly members: number;
  readonly isWordsOnly: boolean;
  readonly json: boolean;
};

function readRequest(args: string[]): Request {
  const options = {
    texts: { type: "string", default: "both" },
    members: { type: "string", default: "1000" },
    "words-only": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  const texts = TEXTS.find((one) => one === values.texts);
  if (texts === undefined) throw new UsageError(`--texts must be one of ${TEXTS.join(", ")}.`);
  if (!["100", "1000"].includes(values.members)) throw new UsageError("--members must be 100 or 1000.");
  return {
    texts,
    members: Number(values.members),
    isWordsOnly: values["words-only"],
    json: values.json,
  };
}

async function run({ texts, members, isWordsOnly, json }: Request): Promise<void> {
  const config = readConfig(process.env);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const stores = await openStores({ ...config, say });
  const folder = await mkdtemp(join(tmpdir(), "similarity-peers-"));
  try {
    const python = await installPythonPeers(config.dataDir, say);
    if (texts === "rings") {
      await withBenchmarkStores(stores, async (own) => {
        const options = { folder: join(folder, "rings"), dataDir: config.dataDir, python, limit: members };
        const { lines, result } = await compareRings(own, options, say);
        printResult(["", ...lines, ...RING_NOTES], json ? result : undefined);
      });
      return;
    }
    const dataSets = [
      texts === "sentences" ? undefined : await pan13DataSet(join(folder, "pan13"), say),
      texts === "pan13" ? undefined : await sentencesDataSet(join(folder, "sentences"), say),
    ];
    for (const dataSet of dataSets) {
      if (dataSet === undefined) continue;
      await withBenchmarkStores(stores, async (own) => {
        const environment = { ...own.environment, SEMANTIC: isWordsOnly ? "off" : "on" };
        const { lines, result } = await comparePeers({ ...own, environment }, dataSet, python, say);
        printResult(["", ...lines, ...TABLE_NOTES], json ? result : undefined);
      });
    }
  } finally {
    await stores.stop();
    await rm(folder, { recursive: true });
  }
}
