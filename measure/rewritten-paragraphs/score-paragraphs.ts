import { joinSpans, overlapLength, type Span } from "../../src/text/span.ts";
import { figureTable } from "../evaluation/report/score-lines.ts";

/** A paragraph of a text, in code points. `sources`: the documents that it was rewritten from; none for the author's own. */
export type WrittenParagraph = {
  readonly kind: string;
  readonly span: Span;
  readonly sources: readonly string[];
};

export type WrittenText = {
  readonly queryName: string;
  readonly text: string;
  readonly paragraphs: readonly WrittenParagraph[];
};

/** The marked spans of a text, in code points, by the name of their source. */
export type Marked = ReadonlyMap<string, readonly Span[]>;

/** A paragraph after its check. `marked`: characters of it that are marked for any source; `right`: for its own. */
export type ScoredParagraph = {
  readonly text: string;
  readonly kind: string;
  readonly start: number;
  readonly isTaken: boolean;
  readonly chars: number;
  readonly marked: number;
  readonly right: number;
  /** Passages of its own sources that touch it. */
  readonly passages: number;
};

/** @returns one for each paragraph of each text */
export function scoreParagraphs(
  texts: readonly Omit<WrittenText, "text">[],
  markedOf: (queryName: string) => Marked,
): ScoredParagraph[] {
  return texts.flatMap(({ queryName, paragraphs }) => {
    const marked = markedOf(queryName);
    const ofAll = [...marked.values()].flat();
    return paragraphs.map(({ kind, span, sources }) => {
      const ofSources = sources.flatMap((source) => marked.get(source) ?? []);
      return {
        text: queryName,
        kind,
        start: span.start,
        isTaken: sources.length > 0,
        chars: span.end - span.start,
        marked: markedIn(span, ofAll),
        right: markedIn(span, ofSources),
        passages: ofSources.filter((passage) => overlapLength(passage, span) > 0).length,
      };
    });
  });
}

function markedIn(span: Span, passages: readonly Span[]): number {
  return sum(joinSpans(passages).map((passage) => overlapLength(passage, span)));
}

/** A taken paragraph is found when half of it is marked for its sources. */
export function isFound({ right, chars }: ScoredParagraph): boolean {
  return right * 2 >= chars;
}

/** An own paragraph is marked in error when a fifth of it is. */
export function isMarkedInError({ isTaken, marked, chars }: ScoredParagraph): boolean {
  return !isTaken && marked * 5 >= chars;
}

/** A row for each kind. */
export function paragraphTable(scored: readonly ScoredParagraph[]): string[] {
  const rows = [...Map.groupBy(scored, ({ kind }) => kind)].toSorted(([a], [b]) => (a < b ? -1 : 1));
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
      const found = taken.filter(isFound);
      const marked = sum(ofKind.map((one) => one.marked));
      const chars = sum(ofKind.map((one) => one.chars));
      const passages = sum(found.map((one) => one.passages));
      return [
        kind,
        String(ofKind.length),
        taken.length > 0 ? String(found.length) : "-",
        taken.length > 0 ? (found.length / taken.length).toFixed(3) : "-",
        taken.length > 0 ? "-" : String(ofKind.filter(isMarkedInError).length),
        (marked / chars).toFixed(3),
        found.length > 0 ? (passages / found.length).toFixed(2) : "-",
      ];
    }),
  ]);
}

const ANSWER = "answer";

/**
 * How well the share of marked characters tells answers that were taken from those that were not: the area under the ROC curve, which is
 * the probability that a taken answer has the greater share; half of the equal pairs count.
 * @returns no line without answers of both kinds
 */
export function answerLine(scored: readonly ScoredParagraph[]): string[] {
  const shares = (isTaken: boolean) =>
    scored
      .filter((one) => one.kind.includes(ANSWER) && one.isTaken === isTaken)
      .map(({ marked, chars }) => marked / chars);
  const taken = shares(true);
  const own = shares(false);
  if (taken.length === 0 || own.length === 0) return [];
  const wins = taken.flatMap((share) => own.map((other) => (share > other ? 1 : share === other ? 0.5 : 0)));
  const area = sum(wins) / wins.length;
  const mean = (100 * sum(own)) / own.length;
  return [
    `Answers: area under the curve ${area.toFixed(3)}; ${mean.toFixed(1)}% of the independent ones is marked`,
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
