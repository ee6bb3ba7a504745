import type { Evaluation } from "../scoring/evaluate-pairs.ts";

/** An evaluation for other programs: all figures, and for every pair what was planted and what was found. */
export function plainEvaluation({ pairs, classes, bands }: Evaluation) {
  return {
    classes,
    bands,
    pairs: pairs.map(({ pair: { className, queryName, sourceName, cases, detections } }) => ({
      className,
      queryName,
      sourceName,
      cases,
      detections,
    })),
  };
}
