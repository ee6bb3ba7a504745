import type { Span } from "../../../src/text/span.ts";
import type { CheckedText } from "./run-checks.ts";

/** How many planted passages were among the candidates that a check aligned its text with. */
export type RetrievalRecall = {
  readonly className: string;
  /** Pairs with a case, and how many of their sources were candidates. */
  readonly pairs: number;
  readonly foundPairs: number;
  /** Cases, and how many have a candidate chunk that overlaps their source passage. */
  readonly cases: number;
  readonly foundCases: number;
};

/**
 * The recall of the retrieval by class, followed by the recall of all classes.
 * @param offsetsOf the offsets of the chunks of a source and its end, in code points.
 */
export function retrievalRecall(
  checked: readonly CheckedText[],
  offsetsOf: (sourceName: string) => readonly number[],
): RetrievalRecall[] {
  const outcomes = checked.flatMap(({ pairs, retrieved }) =>
    pairs
      .filter(({ cases }) => cases.length > 0)
      .map(({ className, sourceName, cases }) => {
        const chunks = retrieved.get(sourceName) ?? new Set();
        const spans = chunkSpans(chunks, offsetsOf(sourceName));
        const found = cases.filter(({ source }) => spans.some((span) => meet(span, source)));
        return {
          className,
          isFound: chunks.size > 0,
          cases: cases.length,
          foundCases: found.length,
        };
      }),
  );
  const byClass = [...Map.groupBy(outcomes, ({ className }) => className)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [...byClass, ["all", outcomes] as const].map(([className, ofClass]) => ({
    className,
    pairs: ofClass.length,
    foundPairs: ofClass.filter(({ isFound }) => isFound).length,
    cases: ofClass.reduce((sum, { cases }) => sum + cases, 0),
    foundCases: ofClass.reduce((sum, { foundCases }) => sum + foundCases, 0),
  }));
}

function chunkSpans(chunks: ReadonlySet<number>, offsets: readonly number[]): Span[] {
  return [...chunks].map((index) => ({ start: offsets[index] ?? 0, end: offsets[index + 1] ?? 0 }));
}

function meet(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}
