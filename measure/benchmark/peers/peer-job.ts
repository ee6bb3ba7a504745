import type { Span } from "../../../src/text/span.ts";

/** A text in a file of its own; no two sources, and no two queries, have the same name. */
export type PeerText = { readonly name: string; readonly file: string };

/** The task of each peer: for one query after the other, find the passages that it shares with each source. */
export type PeerJob = { readonly sources: readonly PeerText[]; readonly queries: readonly PeerText[] };

/** A peer's answer for one query. */
export type PeerAnswer = {
  readonly queryName: string;
  /** From the query's text to its answer, with the sources loaded. */
  readonly seconds: number;
  /** By the name of the source: where in the query it says the shared text stands, in code points. */
  readonly found: ReadonlyMap<string, readonly Span[]>;
};

/** How a peer did a job. */
export type PeerRun = {
  /** From nothing but the files to the first query's answer. */
  readonly fromScratchSeconds: number;
  /** Of one query with the sources loaded, the median; undefined for a peer that loads them for each query. */
  readonly warmSeconds: number | undefined;
  readonly answers: readonly PeerAnswer[];
};

/** A tool that does the job, under the name that the table has for it. */
export type Peer = {
  readonly name: string;
  /** @throws PeerMissing where it is not installed. */
  readonly run: (job: PeerJob) => Promise<PeerRun>;
};

/** Java compiles the code of searches while it runs. Some 300 checks of the product pass until that is done. */
const WARM_UP_QUERIES = 300;

/**
 * Asks a peer that searches in OpenSearch: the first round gives the answers, further rounds warm it up, and the last one gives the time.
 * @param started when the run began, by `performance.now()`
 */
export async function askUntilWarm(
  queries: readonly PeerText[],
  ask: (query: PeerText) => Promise<PeerAnswer>,
  started: number,
): Promise<PeerRun> {
  const answers: PeerAnswer[] = [];
  let fromScratchSeconds = Number.NaN;
  for (const query of queries) {
    answers.push(await ask(query));
    if (answers.length === 1) fromScratchSeconds = (performance.now() - started) / 1000;
  }
  let last = answers;
  for (let asked = 0; asked < WARM_UP_QUERIES; asked += queries.length) {
    last = [];
    for (const query of queries) last.push(await ask(query));
  }
  return { fromScratchSeconds, warmSeconds: medianOf(last.map(({ seconds }) => seconds)), answers };
}

/** Says how to get a peer that is not there. */
export class PeerMissing extends Error {
  override readonly name = "PeerMissing";
}

/** The middle one, or of two the higher; not a number without any. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
