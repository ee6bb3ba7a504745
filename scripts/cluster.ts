import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../src/platform/config.ts";
import { explainError, stopSignal } from "../src/platform/terminal/command.ts";
import {
  type ClusterStart,
  clusterAddresses,
  startEmbeddedCluster,
  stopEmbeddedCluster,
} from "../tools/cluster/embedded-cluster.ts";
import { checkedHeap } from "../tools/stores/open-stores.ts";

// Runs three nodes of OpenSearch on this machine until Ctrl-C, to try a cluster without Docker. Their data stay in DATA_DIR.

/** Three nodes with the single one's memory would take 3 GB. */
const NODE_HEAP = "512m";

/** The longest time that a timer takes: 24 days. */
const FOR_EVER_MS = 2 ** 31 - 1;

const stopping = stopSignal();
const say = (line: string) => process.stderr.write(`${line}\n`);

try {
  await run();
} catch (error) {
  process.exitCode = 1;
  say(stopping.aborted ? "Stopped." : explainError(error));
}

async function run(): Promise<void> {
  const { dataDir, opensearchHeap } = readConfig({ OPENSEARCH_HEAP: NODE_HEAP, ...process.env });
  const start: ClusterStart = {
    dataDir,
    opensearchHeap: checkedHeap(opensearchHeap),
    say,
    signal: stopping,
  };
  try {
    const addresses = clusterAddresses(await startEmbeddedCluster(start));
    say(`Three nodes of OpenSearch answer as one cluster. Point the service at all of them, in another terminal:

  OPENSEARCH_URL=${addresses.join(",")} INDEX_SHARDS=${addresses.length} npm start

Stop with Ctrl-C`);
    // The nodes are not children of this process, so only this timer keeps it running.
    await sleep(FOR_EVER_MS, undefined, { signal: stopping }).catch(() => undefined);
    say("Stopping the nodes");
  } finally {
    await stopEmbeddedCluster(start);
  }
}
