import type { AlignTimes } from "../pairs/align-times.ts";
import type { ClassScore, Evaluation } from "../scoring/evaluate-pairs.ts";
import type { Score } from "../scoring/score.ts";
import { figureTable } from "./figure-table.ts";

/** The figures of an evaluation as tables: by class, by length of the source passage, and where the rest is lost. */
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

/** How long the alignment took, in one sentence. */
export function timeLine(times: AlignTimes): string {
  const { mean, median, p99, worst, worstQueryChars, worstSourceChars, prepareMean } = times;
  return (
    `Alignment, ms a pair: ${mean.toFixed(2)} on average, ${median.toFixed(2)} median, ${p99.toFixed(1)} p99, ` +
    `${worst.toFixed(0)} at worst (${worstQueryChars} × ${worstSourceChars} characters); ` +
    `making a source ready: ${prepareMean.toFixed(2)} on average`
  );
}

const SCORE_HEAD = ["plagdet", "recall", "precision", "granularity", "cases", "detections"] as const;

function scoreCells(score: Score): string[] {
  const shares = [score.plagdet, score.recall, score.precision, score.granularity];
  // Where nothing was planted the shares say nothing; the detections there are all false.
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
