import { textTable } from "../../../src/platform/terminal/terminal-text.ts";
import type { AlignTimes } from "../pairs/align-pairs.ts";
import type { ClassScore, Evaluation } from "../scoring/evaluate-pairs.ts";
import type { Score } from "../scoring/score.ts";

/** The figures of an evaluation as tables: by class, by length of the source passage, and by cause of loss. */
export function scoreLines({ classes, bands }: Evaluation): string[] {
  return [
    ...figureTable([
      ["", ...SCORE_HEAD, "pairs", "clean pairs flagged"],
      ...classes.map((row) => [row.className, ...scoreCells(row.score), String(row.pairs), flagged(row)]),
      ...bands.map(({ band, score }) => [band, ...scoreCells(score)]),
    ]),
    "",
    ...figureTable([
      [
        "lost of recall and precision",
        "missed",
        "short edges",
        "false",
        "wide edges",
        "split cases",
        "joined",
      ],
      ...classes.map((row) => [row.className, ...lossCells(row)]),
    ]),
  ];
}

/** The times of the alignment, in one sentence. */
export function timeLine(times: AlignTimes): string {
  const { mean, median, p99, worst, worstQueryChars, worstSourceChars, prepareMean } = times;
  return (
    `Alignment, ms per pair: ${mean.toFixed(2)} on average, ${median.toFixed(2)} median, ${p99.toFixed(1)} p99, ` +
    `${worst.toFixed(0)} at worst (${worstQueryChars} × ${worstSourceChars} characters); ` +
    `preparing a source: ${prepareMean.toFixed(2)} on average`
  );
}

const SCORE_HEAD = ["plagdet", "recall", "precision", "granularity", "cases", "detections"] as const;

function scoreCells(score: Score): string[] {
  const shares = [score.plagdet, score.recall, score.precision, score.granularity];
  // Without planted passages the shares mean nothing: all detections are false.
  const cells = score.cases === 0 ? shares.map(() => "-") : shares.map((share) => share.toFixed(5));
  return [...cells, String(score.cases), String(score.detections)];
}

function flagged({ flaggedPairs, cleanPairs }: ClassScore): string {
  return cleanPairs === 0 ? "-" : `${flaggedPairs} of ${cleanPairs}`;
}

function lossCells({ losses, score }: ClassScore): string[] {
  const { counts } = losses;
  const points = (value: number, of: number) => (of === 0 ? "-" : value.toFixed(4));
  return [
    `${points(losses.missed, score.cases)} (${counts.missed})`,
    points(losses.shortEdges, score.cases),
    `${points(losses.falseDetections, score.detections)} (${counts.falseDetections})`,
    points(losses.wideEdges, score.detections),
    String(counts.split),
    String(counts.joined),
  ];
}

/** A table whose first column is text; the others are figures and right-aligned. */
export function figureTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return textTable(
    rows.map(([name = "", ...cells]) => [
      name,
      ...cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0)),
    ]),
  );
}

/** An evaluation for other programs: all figures, and for every pair its planted passages and its detections. */
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
