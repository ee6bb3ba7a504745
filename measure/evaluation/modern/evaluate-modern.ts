import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { withEvaluationService } from "../checks/evaluation-service.ts";
import { runChecks } from "../checks/run-checks.ts";
import { alignPairs } from "../pairs/align-pairs.ts";
import { corpusTexts, SAMPLE } from "../texts/corpus-texts.ts";
import { everyKth, type Part } from "../texts/parts.ts";
import { makeManualTexts } from "./manual-texts.ts";
import { type DetectedModernText, modernLines, scoreModern } from "./modern-score.ts";
import { type ModernText, makeModernTexts, makeReverseTexts, modernPart } from "./modern-texts.ts";

export type ModernRequest = {
  readonly modernDir: string;
  /** Aligns each text with its source, without the service. */
  readonly alignsOnly: boolean;
  readonly wordsOnly: boolean;
  readonly part: Part;
  readonly limit: number;
  readonly threads: number;
  readonly atOnce: number;
};

/**
 * Measures which paragraphs are found that language models, translators or students rewrote. With `alignsOnly` each text is
 * aligned with its source; translations are left out then, because alignment compares words. Otherwise the service checks
 * each text against all sources.
 * @returns undefined when the data is not available.
 */
export async function evaluateModern(
  request: ModernRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown } | undefined> {
  const { modernDir, alignsOnly, limit, part } = request;
  const say = (line: string) => display.say(line);
  const made = await makeModernTexts({ dataDir: modernDir, englishOnly: alignsOnly, say });
  if (!made.available) {
    say(`The modern texts are skipped: ${made.reason}`);
    return undefined;
  }
  const texts = everyKth(modernPart(made.texts, part), limit);
  const onDone = (done: number) =>
    display.update({ done, total: texts.length, totalIsFinal: true, failed: 0 });
  const detect = alignsOnly ? alignTexts : checkTexts;
  const detected = await detect(made.folder, texts, request, { onDone, signal, say });
  const reverse = alignsOnly ? [] : await checkReverse(request, { onDone, signal, say });
  const kinds = scoreModern([...detected, ...reverse]);
  return { lines: modernLines(kinds), result: { name: "Modern", kinds } };
}

/**
 * Measures which paragraphs of a manual are found that people translated, in a corpus with the English one and the sample corpus, and
 * how many paragraphs of another manual on the same subject are reported.
 * @returns undefined when the essays or the manuals are not available.
 */
export async function evaluateManuals(
  request: ModernRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown } | undefined> {
  const say = (line: string) => display.say(line);
  const made = await makeManualTexts(request.modernDir);
  if (!made.available) {
    say(`The manuals are skipped: ${made.reason}`);
    return undefined;
  }
  const texts = everyKth(modernPart(made.texts, request.part), request.limit);
  const onDone = (done: number) =>
    display.update({ done, total: texts.length, totalIsFinal: true, failed: 0 });
  const progress = { onDone, signal, say };
  const kinds = scoreModern(await checkTexts(made.folder, texts, request, progress, SAMPLE));
  return { lines: modernLines(kinds), result: { name: "Manuals", kinds } };
}

type Progress = {
  readonly onDone: (texts: number) => void;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

async function checkReverse(request: ModernRequest, progress: Progress): Promise<DetectedModernText[]> {
  const { folder, texts } = await makeReverseTexts(request.modernDir);
  return checkTexts(folder, everyKth(modernPart(texts, request.part), request.limit), request, progress);
}

async function alignTexts(
  folder: string,
  texts: readonly ModernText[],
  { threads }: ModernRequest,
  progress: Progress,
): Promise<DetectedModernText[]> {
  const aligned = await alignPairs(folder, texts, { threads, ...progress });
  return aligned.map((text) => ({ ...text, detections: new Map([[text.sourceName, text.detections]]) }));
}

async function checkTexts(
  folder: string,
  texts: readonly ModernText[],
  { atOnce, wordsOnly }: ModernRequest,
  { onDone, signal, say }: Progress,
  distractors?: typeof SAMPLE,
): Promise<DetectedModernText[]> {
  const corpus = { folder, pairs: texts };
  return withEvaluationService(corpusTexts(corpus, distractors, say), { say, wordsOnly }, async (service) => {
    const checked = await runChecks(service, corpus, texts, { atOnce, onDone, signal });
    const detections = new Map(checked.map((one) => [one.queryName, one.detections]));
    return texts.map((text) => ({ ...text, detections: detections.get(text.queryName) ?? new Map() }));
  });
}
