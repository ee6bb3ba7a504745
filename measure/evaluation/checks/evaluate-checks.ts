import type { Database } from "../../../src/platform/postgres/database.ts";
import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { checkTimeLine, recallLines, unlistedLine } from "../report/check-lines.ts";
import { errorLines } from "../report/error-lines.ts";
import { plainEvaluation, scoreLines } from "../report/score-lines.ts";
import { evaluatePairs } from "../scoring/evaluate-pairs.ts";
import { matchPassages } from "../scoring/match-passages.ts";
import { score } from "../scoring/score.ts";
import { corpusTexts } from "../texts/corpus-texts.ts";
import type { Benchmark } from "../texts/open-benchmarks.ts";
import { everyKthText } from "../texts/parts.ts";
import { type EvaluationService, withEvaluationService } from "./evaluation-service.ts";
import { retrievalRecall } from "./retrieval-recall.ts";
import { type CheckedText, checkTimes, runChecks } from "./run-checks.ts";
import { findUnlisted, unlistedLines } from "./unlisted-detections.ts";

export type CheckRequest = {
  /** The maximum number of suspicious texts, evenly spread, each with all its listed pairs. */
  readonly limit: number;
  /** The number of concurrent checks. */
  readonly atOnce: number;
  /** `sample`, or a folder of texts to add to the corpus beside the sources. */
  readonly distractors: string | undefined;
  /** Whether the meaning is not compared. */
  readonly wordsOnly: boolean;
  readonly errors: number;
  /** The number of detections in unlisted sources to show. */
  readonly unlisted: number;
};

/** Checks the suspicious texts of a benchmark against a corpus of its sources. */
export async function evaluateChecks(
  { name, corpus, pairs: listed }: Benchmark,
  { limit, atOnce, distractors, wordsOnly, errors, unlisted }: CheckRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const pairs = everyKthText(listed, limit);
  const texts = new Set(pairs.map(({ queryName }) => queryName)).size;
  return withEvaluationService(corpusTexts(corpus, distractors, say), { say, wordsOnly }, async (service) => {
    const checked = await runChecks(service, corpus, pairs, {
      atOnce,
      signal,
      onDone: (done) => display.update({ done, total: texts, totalIsFinal: true, failed: 0 }),
    });
    const evaluation = evaluatePairs(checked.flatMap(detectedPairs));
    const offsets = await chunkOffsets(service);
    const recall = retrievalRecall(checked, (source) => offsets.get(source) ?? []);
    const times = checkTimes(checked);
    const { others, surroundings } = await findUnlisted(service, corpus.folder, checked);
    const everything = score([
      ...evaluation.pairs,
      ...others.map(({ passage }) => matchPassages({ cases: [], detections: [passage] })),
    ]);
    return {
      lines: [
        ...scoreLines(evaluation),
        "",
        ...recallLines(recall),
        "",
        unlistedLine(others, surroundings.length, everything),
        checkTimeLine(times),
        ...(errors > 0 ? await errorLines(corpus, evaluation.pairs, errors) : []),
        ...(await unlistedLines(service, corpus.folder, others, unlisted)),
      ],
      result: { name, ...plainEvaluation(evaluation), recall, times, everything, unlisted: others },
    };
  });
}

function detectedPairs({ pairs, detections }: CheckedText) {
  return pairs.map((pair) => ({ ...pair, detections: detections.get(pair.sourceName) ?? [] }));
}

/** The offsets of the chunks of each text and its end, in code points, by the name of the text. */
async function chunkOffsets({
  database,
  documents,
}: {
  readonly database: Database;
  readonly documents: EvaluationService["documents"];
}): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await database.query<{ document_id: string; borders: number[] }>(
    "select document_id, coalesce(code_point_borders, borders) as borders from document_chunks",
  );
  return new Map(
    rows.map(({ document_id, borders }) => [documents.get(document_id)?.name ?? document_id, borders]),
  );
}
