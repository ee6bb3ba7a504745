import type { PeerDataSet } from "./data-sets.ts";
import type { PeerRun } from "./peer-job.ts";
import { recallByClass, recallOfAll } from "./recall.ts";

/** What is said of one peer; shares from 0 to 1. */
export type PeerFigures = {
  readonly name: string;
  readonly fromScratchSeconds: number;
  /** Undefined for a peer that loads the sources for each query. */
  readonly warmSeconds: number | undefined;
  readonly classes: readonly ClassFigures[];
  /** Of the planted characters, those that are marked as taken from their source. */
  readonly charsFound: number;
  /** Of the characters that are marked as taken from a source with planted ones, those that were planted. */
  readonly charsRight: number;
  /** Sources named without reason, a text of which all is known. */
  readonly falseSources: number;
};

export type ClassFigures = {
  readonly className: string;
  readonly sources: number;
  readonly foundSources: number;
};

/** A peer that did not run, and why. */
export type PeerFailure = { readonly name: string; readonly reason: string };

export function figuresOf(name: string, { queries }: PeerDataSet, run: PeerRun): PeerFigures {
  const byClass = recallByClass(queries, run.answers);
  const all = recallOfAll(byClass);
  return {
    name,
    fromScratchSeconds: run.fromScratchSeconds,
    warmSeconds: run.warmSeconds,
    classes: [...byClass]
      .filter(([, { sources }]) => sources > 0)
      .map(([className, { sources, foundSources }]) => ({ className, sources, foundSources })),
    charsFound: all.foundChars / all.chars,
    charsRight: all.foundChars / all.markedChars,
    falseSources: all.falseSources / all.knownQueries,
  };
}
