import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { joinSpans, overlapLength, type Span } from "../../../src/text/span.ts";
import { withEvaluationService } from "../checks/evaluation-service.ts";
import { runChecks } from "../checks/run-checks.ts";
import { figureTable } from "../report/score-lines.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import { corpusTexts } from "../texts/corpus-texts.ts";
import { everyKth } from "../texts/parts.ts";
import { makeParagraphTexts, type ParagraphText } from "./paragraph-texts.ts";

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
  const found = texts.flatMap((text) => foundParagraphs(text, detections.get(text.queryName) ?? new Map()));
  return { lines: paragraphLines(found), result: { name: "Paragraphs", found } };
}

/** A paragraph after its check. `marked`: characters of it (code points) that are marked for any source; `right`: for its own. */
type FoundParagraph = {
  readonly text: string;
  readonly kind: string;
  readonly start: number;
  readonly isTaken: boolean;
  readonly chars: number;
  readonly marked: number;
  readonly right: number;
  readonly passages: number;
};

function foundParagraphs(
  { queryName, paragraphs }: ParagraphText,
  detections: ReadonlyMap<string, readonly PassagePair[]>,
): FoundParagraph[] {
  const ofAll = [...detections.values()].flat().map(({ query }) => query);
  return paragraphs.map(({ kind, span, sourceName }) => {
    const ofSource = (detections.get(sourceName ?? "") ?? []).map(({ query }) => query);
    return {
      text: queryName,
      kind,
      start: span.start,
      isTaken: sourceName !== undefined,
      chars: span.end - span.start,
      marked: markedIn(span, ofAll),
      right: markedIn(span, ofSource),
      passages: ofSource.filter((passage) => overlapLength(passage, span) > 0).length,
    };
  });
}

function markedIn(span: Span, passages: readonly Span[]): number {
  return joinSpans(passages).reduce((sum, passage) => sum + overlapLength(passage, span), 0);
}

/** A taken paragraph is found when half of it is marked for its source; any other is marked in error when a fifth of it is. */
function paragraphLines(found: readonly FoundParagraph[]): string[] {
  const isFound = (one: FoundParagraph) => one.right * 2 >= one.chars;
  const isWrong = (one: FoundParagraph) => one.marked * 5 >= one.chars;
  const rows = [...Map.groupBy(found, ({ kind }) => kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return figureTable([
    [
      "",
      "paragraphs",
      "found",
      "share",
      "marked in error",
      "characters marked",
      "passages a found paragraph",
    ],
    ...rows.map(([kind, ofKind]) => {
      const taken = ofKind.filter(({ isTaken }) => isTaken);
      const ofTaken = taken.filter(isFound);
      const marked = ofKind.reduce((sum, one) => sum + one.marked, 0);
      const chars = ofKind.reduce((sum, one) => sum + one.chars, 0);
      const passages = ofTaken.reduce((sum, one) => sum + one.passages, 0);
      return [
        kind,
        String(ofKind.length),
        taken.length > 0 ? String(ofTaken.length) : "-",
        taken.length > 0 ? (ofTaken.length / taken.length).toFixed(3) : "-",
        taken.length > 0 ? "-" : String(ofKind.filter(isWrong).length),
        (marked / chars).toFixed(3),
        ofTaken.length > 0 ? (passages / ofTaken.length).toFixed(2) : "-",
      ];
    }),
  ]);
}
