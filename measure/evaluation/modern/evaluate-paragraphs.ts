import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import {
  answerLine,
  type Marked,
  paragraphTable,
  scoreParagraphs,
} from "../../rewritten-paragraphs/score-paragraphs.ts";
import { withEvaluationService } from "../checks/evaluation-service.ts";
import { runChecks } from "../checks/run-checks.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import { corpusTexts } from "../texts/corpus-texts.ts";
import { everyKth } from "../texts/parts.ts";
import { makeParagraphTexts } from "./paragraph-texts.ts";

export type ParagraphsRequest = {
  readonly generatedDir: string;
  readonly wordsOnly: boolean;
  readonly limit: number;
  readonly atOnce: number;
};

/**
 * Measures which paragraphs of papers written by language models are found, and which of the authors' own are marked.
 * @returns undefined when the data is not available.
 */
export async function evaluateParagraphs(
  { generatedDir, wordsOnly, limit, atOnce }: ParagraphsRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown } | undefined> {
  const say = (line: string) => display.say(line);
  const made = await makeParagraphTexts(generatedDir, say);
  if (!made.available) {
    say(`The paragraphs are skipped: ${made.reason}`);
    return undefined;
  }
  const texts = everyKth(made.texts, limit);
  const onDone = (done: number) =>
    display.update({ done, total: texts.length, totalIsFinal: true, failed: 0 });
  const corpus = { folder: made.folder, pairs: texts };
  const checked = await withEvaluationService(
    corpusTexts(corpus, undefined, say),
    { say, wordsOnly },
    (service) => runChecks(service, corpus, texts, { atOnce, onDone, signal }),
  );
  const detections = new Map(checked.map((one) => [one.queryName, one.detections]));
  const found = scoreParagraphs(texts, (queryName) => queriesBySource(detections.get(queryName)));
  return {
    lines: [...paragraphTable(found), "", ...answerLine(found)],
    result: { name: "Paragraphs", found },
  };
}

function queriesBySource(detections: ReadonlyMap<string, readonly PassagePair[]> | undefined): Marked {
  return new Map([...(detections ?? [])].map(([source, pairs]) => [source, pairs.map(({ query }) => query)]));
}
