import type { Database } from "../../../src/platform/postgres/database.ts";
import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { checkTimeLine, recallLines, unlistedLine } from "../report/check-lines.ts";
import { errorLines } from "../report/error-lines.ts";
import { plainEvaluation } from "../report/plain-evaluation.ts";
import { scoreLines } from "../report/score-lines.ts";
import { unlistedLines } from "../report/unlisted-lines.ts";
import { evaluatePairs } from "../scoring/evaluate-pairs.ts";
import { matchPassages } from "../scoring/match-passages.ts";
import { score } from "../scoring/score.ts";
import type { Benchmark } from "../texts/open-benchmarks.ts";
import { readQuery } from "../texts/pan-corpus.ts";
import { everyKthText } from "../texts/parts.ts";
import { checkTimes } from "./check-times.ts";
import { corpusTexts } from "./corpus-texts.ts";
import { type EvaluationService, withEvaluationService } from "./evaluation-service.ts";
import { retrievalRecall } from "./retrieval-recall.ts";
import { type CheckedText, runChecks } from "./run-checks.ts";
import {
  holdsSurroundings,
  pickedDetections,
  type UnlistedDetection,
  unlistedDetections,
} from "./unlisted-detections.ts";

export type CheckRequest = {
  /** At most so many suspicious texts, evenly spread, each with all its listed pairs. */
  readonly limit: number;
  /** Checks that are under way at once. */
  readonly atOnce: number;
  /** `sample`, or a folder of texts that the corpus holds beside the sources. */
  readonly distractors: string | undefined;
  readonly errors: number;
  /** How many detections in sources that are not listed are shown. */
  readonly unlisted: number;
};

/** Checks the suspicious texts of a benchmark against a corpus of its sources; gives what to print and what to keep. */
export async function evaluateChecks(
  { name, corpus, pairs: listed }: Benchmark,
  { limit, atOnce, distractors, errors, unlisted }: CheckRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const pairs = everyKthText(listed, limit);
  const texts = new Set(pairs.map(({ queryName }) => queryName)).size;
  return withEvaluationService(corpusTexts(corpus, distractors, say), say, async (service) => {
    const checked = await runChecks(service, corpus, pairs, {
      atOnce,
      signal,
      onDone: (done) => display.update({ done, total: texts, totalIsFinal: true, failed: 0 }),
    });
    const evaluation = evaluatePairs(checked.flatMap(detectedPairs));
    const borders = await chunkBorders(service);
    const recall = retrievalRecall(checked, (source) => borders.get(source) ?? []);
    const times = checkTimes(checked);
    const { strange, surroundings } = await unlistedOf(service, corpus.folder, checked);
    const everything = score([
      ...evaluation.pairs,
      ...strange.map(({ passage }) => matchPassages({ cases: [], detections: [passage] })),
    ]);
    return {
      lines: [
        ...scoreLines(evaluation),
        "",
        ...recallLines(recall),
        "",
        unlistedLine(strange, surroundings.length, everything),
        checkTimeLine(times),
        ...(errors > 0 ? await errorLines(corpus, evaluation.pairs, errors) : []),
        ...(await unlistedLines(service, corpus.folder, pickedDetections(strange, unlisted))),
      ],
      result: { name, ...plainEvaluation(evaluation), recall, times, everything, unlisted: strange },
    };
  });
}

function detectedPairs({ pairs, detections }: CheckedText) {
  return pairs.map((pair) => ({ ...pair, detections: detections.get(pair.sourceName) ?? [] }));
}

/** Where the chunks of each text of the corpus begin, and its end, in code points; by the text's name. */
async function chunkBorders({
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

/** Detections in sources that are not listed, apart by whether the source is what the suspicious text was made from. */
async function unlistedOf({ documents }: EvaluationService, folder: string, checked: readonly CheckedText[]) {
  const textOf = new Map(documents.values().map(({ name, text }) => [name, text]));
  const strange: UnlistedDetection[] = [];
  const surroundings: UnlistedDetection[] = [];
  for (const one of checked) {
    const queryText = await readQuery(folder, one.queryName);
    const bySource = Map.groupBy(unlistedDetections(one), ({ sourceName }) => sourceName);
    for (const [sourceName, found] of bySource) {
      const isOwn = holdsSurroundings(queryText, one, textOf.get(sourceName) ?? "");
      (isOwn ? surroundings : strange).push(...found);
    }
  }
  return { strange, surroundings };
}
