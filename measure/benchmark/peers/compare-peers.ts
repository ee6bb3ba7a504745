import type { BenchmarkStores } from "../benchmark-stores.ts";
import type { PeerDataSet } from "./data-sets.ts";
import { runOurService } from "./our-service.ts";
import { figuresOf, type PeerFailure, type PeerFigures } from "./peer-figures.ts";
import { type Peer, PeerMissing } from "./peer-job.ts";
import { peerTable } from "./peer-table.ts";
import { peersOn } from "./peers.ts";
import type { PythonPeers } from "./python-peers.ts";

/** The table to print, and the figures to keep. */
export type PeerComparison = { readonly lines: readonly string[]; readonly result: unknown };

const OURS = "Similarity Check";

/** Gives the job of a data set to the product and then to each peer, one after the other. */
export async function comparePeers(
  stores: BenchmarkStores,
  dataSet: PeerDataSet,
  python: PythonPeers | PeerMissing,
  say: (line: string) => void,
): Promise<PeerComparison> {
  const { name, job } = dataSet;
  say(`${name}: ${job.queries.length} texts against ${job.sources.length} sources`);
  const { stages, ...ourRun } = await runOurService(stores, job);
  const ours = figuresOf(OURS, dataSet, ourRun);
  say(summary(ours));
  const peers: (PeerFigures | PeerFailure)[] = [];
  for (const peer of peersOn(stores, python)) {
    const figures = await figuresOrFailure(peer, dataSet);
    say(summary(figures));
    peers.push(figures);
  }
  return {
    lines: [
      `${name}: ${job.queries.length} texts against ${job.sources.length.toLocaleString("en")} sources`,
      ...peerTable(ours, peers),
      `${OURS}, stages of a check on average: ${stages.map(([stage, seconds]) => `${stage} ${(seconds * 1000).toFixed(0)} ms`).join(", ")}`,
    ],
    result: { name, queries: job.queries.length, sources: job.sources.length, ours, stages, peers },
  };
}

/** In one line, as progress before the table. */
function summary(peer: PeerFigures | PeerFailure): string {
  if ("reason" in peer) return `${peer.name}: ${peer.reason}`;
  const { name, fromScratchSeconds, warmSeconds, classes } = peer;
  const found = classes.map(
    ({ className, foundSources, sources }) => `${foundSources}/${sources} ${className}`,
  );
  return `${name}: ${fromScratchSeconds.toFixed(1)} s from scratch, ${warmSeconds?.toFixed(3) ?? "-"} s warm, ${found.join(", ")}`;
}

/** A peer that is missing or fails is shown as such: the others are still measured. */
async function figuresOrFailure(peer: Peer, dataSet: PeerDataSet): Promise<PeerFigures | PeerFailure> {
  try {
    return figuresOf(peer.name, dataSet, await peer.run(dataSet.job));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      name: peer.name,
      reason: error instanceof PeerMissing ? error.message : `failed: ${error.message}`,
    };
  }
}
