import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import { joinSpans, spansLength } from "../../../src/text/span.ts";
import { checkText, mapAtOnce, withEvaluationService } from "../checks/evaluation-service.ts";
import { mean } from "../scoring/score.ts";
import { type Declaration, readDeclarations } from "../texts/declarations.ts";
import { everyKth } from "../texts/parts.ts";

export type LanguagesRequest = {
  /** The maximum number of declarations, evenly spread. */
  readonly limit: number;
  readonly wordsOnly: boolean;
  readonly atOnce: number;
};

type CheckedDeclaration = Pick<Declaration, "tag" | "isKnown"> & {
  /** The share of its characters in passages. */
  readonly marked: number;
};

/**
 * Checks the first halves of the Universal Declaration of Human Rights in some 450 languages and scripts against all second halves, which have
 * other articles. Each passage is an error or a formula of the declaration.
 */
export async function evaluateLanguages(
  { limit, wordsOnly, atOnce }: LanguagesRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const declarations = everyKth(await readDeclarations(), limit);
  const sources = declarations.map(({ tag, halves }) => ({ name: tag, text: halves[1] }));
  const onDone = (done: number) =>
    display.update({ done, total: declarations.length, totalIsFinal: true, failed: 0 });
  const checked = await withEvaluationService(sources, { say, wordsOnly, language: "detected" }, (service) =>
    mapAtOnce(declarations, { atOnce, onDone, signal }, async ({ tag, isKnown, halves: [query] }) => {
      const { detections } = await checkText(service, tag, query);
      const spans = [...detections.values()].flatMap((passages) => passages.map((passage) => passage.query));
      const marked = spansLength(joinSpans(spans));
      return { tag, isKnown, marked: marked / codePointLength(query) };
    }),
  );
  return {
    lines: [
      "| languages of the encoder | texts | with a passage | more than half marked | mean share marked |",
      "|---|---|---|---|---|",
      ...[true, false].map((isKnown) => tableRow(isKnown, checked)),
    ],
    result: { name: "Languages", checked },
  };
}

function tableRow(isKnown: boolean, checked: readonly CheckedDeclaration[]): string {
  const shares = checked.filter((one) => one.isKnown === isKnown).map(({ marked }) => marked);
  const over = (least: number) => shares.filter((share) => share > least).length;
  return `| ${[isKnown ? "yes" : "no", shares.length, over(0), over(0.5), mean(shares).toFixed(3)].join(" | ")} |`;
}
