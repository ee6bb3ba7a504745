import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readConfig } from "../../src/platform/config.ts";
import { openStores } from "../../src/platform/stores/open-stores.ts";
import { printResult, readCommand } from "../../src/platform/terminal/read-command.ts";
import { withBenchmarkStores } from "../../test/benchmark/benchmark-stores.ts";
import { comparePeers, type PeerComparison } from "../../test/benchmark/peers/compare-peers.ts";
import { pan13DataSet, sentencesDataSet } from "../../test/benchmark/peers/data-sets.ts";
import { TABLE_NOTES } from "../../test/benchmark/peers/peer-table.ts";
import { installPythonPeers } from "../../test/benchmark/peers/python-peers.ts";

const USAGE = `Usage: npm run bench:peers -- [--json]

Gives the same job to the product and to other tools: what does each text share with which of the sources? Shows for each
how long it takes from scratch and with the sources loaded, and what of the planted text it finds.

The texts are the PAN 2013 training corpus, where it lies beside the project, and the sample corpus. The product runs in a
process of its own on the stores of this installation, in a database and indices of the benchmark's own. Python tools are
installed below DATA_DIR (needs Python 3); sim_text is taken from the PATH (Debian and Ubuntu: similarity-tester).

  --json  ends the output with one line for programs`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await run(request.json);

function readRequest(args: string[]): { readonly json: boolean } {
  return parseArgs({ args, options: { json: { type: "boolean", default: false } } }).values;
}

async function run(json: boolean): Promise<void> {
  const config = readConfig(process.env);
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const folder = await mkdtemp(join(tmpdir(), "similarity-peers-"));
  const stores = await openStores({ ...config, say });
  const comparisons: PeerComparison[] = [];
  try {
    const python = await installPythonPeers(config.dataDir, say);
    const dataSets = [
      await pan13DataSet(join(folder, "pan13"), say),
      await sentencesDataSet(join(folder, "sentences"), say),
    ];
    for (const dataSet of dataSets) {
      if (dataSet === undefined) continue;
      await withBenchmarkStores(stores, async (own) => {
        comparisons.push(await comparePeers(own, dataSet, python, say));
      });
    }
  } finally {
    await stores.stop();
    await rm(folder, { recursive: true });
  }
  const lines = comparisons.flatMap(({ lines }) => [...lines, ""]);
  printResult([...lines, ...TABLE_NOTES], json ? comparisons.map(({ result }) => result) : undefined);
}
