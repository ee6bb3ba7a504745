import type { DropReason } from "./passage.ts";
import type { PreparedQuery } from "./prepared-query.ts";
import { type Chain, chainOf, netWords, queryWords, type Run, skipWords } from "./run.ts";
import { isSetPhrase } from "./set-phrase.ts";

/** A chain that is not reported, and why. */
export type DroppedChain = { readonly chain: Chain; readonly reason: DropReason };

/** What the selection of one source has decided so far. */
type Selection = { readonly kept: Chain[]; readonly dropped: DroppedChain[] };

/** A chain that waits for its turn; `trimmed` when better ones have already taken a part of it. */
type Candidate = { readonly chain: Chain; readonly trimmed: boolean };

/** Words below which a match is so common in any two texts that it is not even listed as dropped: a retrieval shingle. */
const LISTED_WORDS_MIN = 5;

const FREE = 0;
const COVERED = 1;

/**
 * Chooses the chains of one source that are reported, most matched words first; none overlaps another on the query side.
 * Query words that a better chain covers are cut off, source side in step, and what remains competes again by what it
 * has left. So query text that the source has twice is one passage; source text that the query uses twice is two.
 */
export function selectChains(query: PreparedQuery, chains: readonly Chain[]): Selection {
  const { covered } = query.scratch;
  const selection: Selection = { kept: [], dropped: [] };
  const waiting = new Map<number, Candidate[]>();
  const wordsMin = Math.min(LISTED_WORDS_MIN, query.passageWordsMin);
  for (const chain of chains) if (chain.matchedWords >= wordsMin) wait(waiting, { chain, trimmed: false });
  // What is left of a chain has fewer words than the chain, so it always waits at a count that is still to come.
  for (let words = waiting.keys().reduce((most, words) => Math.max(most, words), 0); words > 0; words--) {
    const candidates = waiting.get(words) ?? [];
    for (const candidate of candidates.sort(byPosition)) {
      const rest = freeParts(candidate.chain, covered);
      if (rest[0] === candidate.chain) decide(query, selection, candidate);
      else for (const chain of rest) wait(waiting, { chain, trimmed: true });
      if (rest.length === 0) selection.dropped.push({ chain: candidate.chain, reason: "duplicate" });
    }
  }
  for (const chain of selection.kept) mark(covered, chain, FREE);
  selection.kept.sort((a, b) => a.runs[0].queryWord - b.runs[0].queryWord);
  return selection;
}

function wait(waiting: Map<number, Candidate[]>, candidate: Candidate): void {
  const same = waiting.get(candidate.chain.matchedWords);
  if (same === undefined) waiting.set(candidate.chain.matchedWords, [candidate]);
  else same.push(candidate);
}

function byPosition({ chain: a }: Candidate, { chain: b }: Candidate): number {
  return a.runs[0].queryWord - b.runs[0].queryWord || a.runs[0].sourceWord - b.runs[0].sourceWord;
}

/** Keeps a chain that no better one touches, unless it is too short to be reuse, or nothing but a set phrase. */
function decide(query: PreparedQuery, { kept, dropped }: Selection, { chain, trimmed }: Candidate): void {
  if (netWords(chain) < query.passageWordsMin) {
    dropped.push({ chain, reason: trimmed ? "remainder_too_short" : "too_short" });
  } else if (isSetPhrase(query.shingleMarks, chain)) {
    dropped.push({ chain, reason: "set_phrase" });
  } else {
    kept.push(chain);
    mark(query.scratch.covered, chain, COVERED);
  }
}

function mark(covered: Uint8Array, chain: Chain, value: number): void {
  const { start, end } = queryWords(chain);
  covered.fill(value, start, end);
}

/** The chain itself when none of its query words is covered; else the parts of it between covered words. */
function freeParts(chain: Chain, covered: Uint8Array): Chain[] {
  const { start, end } = queryWords(chain);
  if (!isCovered(covered, start, end)) return [chain];
  const parts: Run[][] = [];
  let part: Run[] = [];
  let at = start;
  for (const run of chain.runs) {
    for (const piece of freePieces(run, covered)) {
      if (isCovered(covered, at, piece.queryWord)) {
        parts.push(part);
        part = [];
      }
      part.push(piece);
      at = piece.queryWord + piece.words;
    }
  }
  parts.push(part);
  return parts.map(chainOf).filter((found) => found !== undefined);
}

function isCovered(covered: Uint8Array, start: number, end: number): boolean {
  for (let word = start; word < end; word++) if (covered[word] === COVERED) return true;
  return false;
}

/** The stretches of a run whose query words are all free. */
function freePieces(run: Run, covered: Uint8Array): Run[] {
  const pieces: Run[] = [];
  let free = 0;
  for (let i = 0; i <= run.words; i++) {
    if (i < run.words && covered[run.queryWord + i] !== COVERED) free++;
    else {
      if (free > 0) pieces.push({ ...skipWords(run, i - free), words: free });
      free = 0;
    }
  }
  return pieces;
}
