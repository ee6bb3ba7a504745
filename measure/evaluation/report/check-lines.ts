import type { RetrievalRecall } from "../checks/retrieval-recall.ts";
import type { CheckTimes } from "../checks/run-checks.ts";
import type { UnlistedDetection } from "../checks/unlisted-detections.ts";
import type { Score } from "../scoring/score.ts";
import { figureTable } from "./score-lines.ts";

/** The share of planted passages that were among the candidates, as a table. */
export function recallLines(recall: readonly RetrievalRecall[]): string[] {
  return figureTable([
    ["retrieval", "sources found", "of", "recall", "passages found", "of", "recall"],
    ...recall.map(({ className, pairs, foundPairs, cases, foundCases }) => [
      className,
      String(foundPairs),
      String(pairs),
      share(foundPairs, pairs),
      String(foundCases),
      String(cases),
      share(foundCases, cases),
    ]),
  ]);
}

/** The detections in unlisted sources in one sentence, with the score if all of them count as wrong. */
export function unlistedLine(
  unlisted: readonly UnlistedDetection[],
  surroundings: number,
  everything: Score,
): string {
  const texts = new Set(unlisted.map(({ queryName }) => queryName)).size;
  return (
    `Unlisted sources: ${unlisted.length} detections in ${texts} texts, and ${surroundings} in the sources of the text around the ` +
    `planted passages. With the ${unlisted.length} as errors: plagdet ${everything.plagdet.toFixed(5)}, ` +
    `precision ${everything.precision.toFixed(5)}`
  );
}

/** The times of the checks, in one sentence. */
export function checkTimeLine(times: CheckTimes): string {
  const { checks, mean, median, p99, worst, words, candidates, candidateChunks } = times;
  return (
    `${checks} checks of ${words.toFixed(0)} words on average, seconds: ${mean.toFixed(3)} on average, ${median.toFixed(3)} median, ` +
    `${p99.toFixed(2)} p99, ${worst.toFixed(2)} at worst; aligned with ${candidateChunks.toFixed(0)} chunks of ` +
    `${candidates.toFixed(0)} documents on average`
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? "-" : (part / whole).toFixed(4);
}
