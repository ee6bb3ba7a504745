import { bridge } from "./bridge.ts";
import { type Chain, chainOf, gapBetween, gapLength, type Run, skipWords } from "./run.ts";
import { BARRIER_ID } from "./seed.ts";

/**
 * Words that may lie between two runs of one passage, on either side: about a line of text, and a bound for the
 * bridge's quadratic time. Copies of PAN13 text with every fifth word edited came in 1.15 pieces each at 8, 1.03 at 12,
 * 1.01 at 16 and at 24.
 */
const GAP_WORDS_MAX = 16;

/**
 * Earlier runs that a run looks back at for its predecessor (the bound of minimap2's chaining; Li, 2018). Runs
 * that begin within one gap are far fewer in ordinary text; the bound is for text of few different words.
 */
const LOOK_BACK_RUNS = 64;

/**
 * What a word of a gap takes off a chain's score when predecessors are compared: little, so that the near one of two
 * equal runs wins and yet runs are worth joining. Of the same copies, .2 marked 87.4% and .5 marked 86.7%.
 */
const GAP_WORD_COST = 0.2;

/** The best chain that ends with a run: the run before it there (`FIRST` when there is none), and the chain's score. */
type Link = { readonly before: number; readonly score: number };

const FIRST = -1;

/**
 * Joins runs that follow each other on both sides with small edits between: a word or few replaced, dropped or inserted.
 * Each run goes into one chain, the best chains first; a run that overlaps the one before it is cut at its start.
 * `runs` in ascending order of the query.
 */
export function joinRuns(queryIds: Int32Array, sourceIds: Int32Array, runs: readonly Run[]): Chain[] {
  const links = linkRuns(runs);
  const bestFirst = Array.from(links.keys()).sort((a, b) => scoreOf(links, b) - scoreOf(links, a) || a - b);
  const used = new Uint8Array(runs.length);
  const chains: Chain[] = [];
  for (const end of bestFirst) {
    if (used[end] === 1) continue;
    const members = takeChain(links, runs, used, end);
    const parts = splitAtLargeEdits(queryIds, sourceIds, members);
    chains.push(...parts.map(chainOf).filter((chain) => chain !== undefined));
  }
  return chains;
}

/** Scores chains by their words less the cost of their gaps, and notes for each run what best comes before it. */
function linkRuns(runs: readonly Run[]): Link[] {
  const links: Link[] = [];
  for (const [i, run] of runs.entries()) {
    let best: Link = { before: FIRST, score: run.words };
    for (let j = i - 1; j >= Math.max(0, i - LOOK_BACK_RUNS); j--) {
      const before = runs[j];
      const rest = before && withoutOverlap(before, run);
      if (before === undefined || rest === undefined) continue;
      const gapWords = gapLength(gapBetween(before, rest));
      if (gapWords > GAP_WORDS_MAX) continue;
      const score = scoreOf(links, j) + rest.words - GAP_WORD_COST * gapWords;
      if (score > best.score) best = { before: j, score };
    }
    links.push(best);
  }
  return links;
}

function scoreOf(links: readonly Link[], i: number): number {
  return links[i]?.score ?? 0;
}

/** The runs of the chain that ends at `end`, back to the first that another chain has, in order and disjoint. */
function takeChain(links: readonly Link[], runs: readonly Run[], used: Uint8Array, end: number): Run[] {
  const members: Run[] = [];
  for (let i = end; i !== FIRST && used[i] === 0; i = links[i]?.before ?? FIRST) {
    const run = runs[i];
    if (run !== undefined) members.push(run);
    used[i] = 1;
  }
  const ordered: Run[] = [];
  for (const run of members.reverse()) {
    const before = ordered.at(-1);
    const rest = before === undefined ? run : withoutOverlap(before, run);
    if (rest !== undefined) ordered.push(rest);
  }
  return ordered;
}

/** What of `run` comes after `before` on both sides; undefined when nothing does. */
function withoutOverlap(before: Run, run: Run): Run | undefined {
  const overlap = Math.max(
    0,
    before.queryWord + before.words - run.queryWord,
    before.sourceWord + before.words - run.sourceWord,
  );
  return overlap < run.words ? skipWords(run, overlap) : undefined;
}

/**
 * Fills each gap with the equal words inside it. The runs part at a barrier, and where a gap has more changed words than the equal ones
 * inside it and in the shorter run beside it: there, new text begins rather than an edit. (With half as many allowed,
 * a PAN13 copy with every fifth word edited came in 1.37 pieces instead of 1.01; neither marked any text wrongly.)
 */
function splitAtLargeEdits(queryIds: Int32Array, sourceIds: Int32Array, runs: readonly Run[]): Run[][] {
  const parts: Run[][] = [];
  for (const run of runs) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    if (part === undefined || before === undefined) {
      parts.push([run]);
      continue;
    }
    const gap = gapBetween(before, run);
    const inside = bridge(queryIds, sourceIds, gap);
    const equal = inside.reduce((words, { words: more }) => words + more, 0);
    const changed = gapLength(gap) - equal;
    const barred = sourceIds.subarray(gap.sourceStart, gap.sourceEnd).includes(BARRIER_ID);
    if (!barred && changed <= equal + Math.min(before.words, run.words)) part.push(...inside, run);
    else parts.push([run]);
  }
  return parts;
}
