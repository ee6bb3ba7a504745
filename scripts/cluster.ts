import process from "node:process";
import { explainError } from "../src/explain-error.ts";
import { readConfig } from "../src/platform/config.ts";
import { checkedHeap } from "../src/platform/stores/open-stores.ts";
import {
  type ClusterStart,
  clusterAddresses,
  startEmbeddedCluster,
  stopEmbeddedCluster,
} from "../src/platform/stores/opensearch/embedded-cluster.ts";
import { aborted, stopSignal } from "../src/stop-signal.ts";

// Runs three nodes of OpenSearch on this machine until Ctrl-C, to try a cluster without Docker. Their data stay in DATA_DIR.

/** Three nodes with the single one's memory would take 3 GB. */
const NODE_HEAP = "512m";

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
    await aborted(stopping);
    say("Stopping the nodes");
  } finally {
    await stopEmbeddedCluster(start);
  }
}
