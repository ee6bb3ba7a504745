import type { RewordedParts } from "./figures/compare-sides.ts";
import type { WirePassage } from "./presented-report.ts";

type RewordedPlace = Pick<WirePassage, "query_start" | "source_document_start"> & {
  readonly runs: readonly WirePassage["runs"][number][];
};

/**
 * The parts of a passage that were reworded, for the comparison of its two sides: offsets from `queryStart` and `sourceStart`, by default
 * from the start of the passage. The page and the export share it.
 */
export function rewordedParts(
  passage: RewordedPlace,
  queryStart = passage.query_start,
  sourceStart = passage.source_document_start,
): RewordedParts {
  const runs = passage.runs.filter(({ match_type: type }) => type === "paraphrased");
  return {
    query: runs.map((run) => ({ start: run.query_start - queryStart, end: run.query_end - queryStart })),
    source: runs.map((run) => ({
      start: run.source_document_start - sourceStart,
      end: run.source_document_end - sourceStart,
    })),
  };
}
