import type { PeerDataSet } from "./data-sets.ts";
import type { PeerRun } from "./peer-job.ts";
import { recallByClass, recallOfAll } from "./recall.ts";

/** The figures of one peer; shares from 0 to 1. */
export type PeerFigures = {
  readonly name: string;
  readonly fromScratchSeconds: number;
  /** Undefined for a peer that loads the sources for each query. */
  readonly warmSeconds: number | undefined;
  readonly classes: readonly ClassFigures[];
  /** The share of planted characters that are marked as their source's. */
  readonly charsFound: number;
  /** The share of planted characters among all that are marked as taken from a source with planted text. */
  readonly charsRight: number;
  /** Wrongly named sources per text, in texts with complete ground truth. */
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
