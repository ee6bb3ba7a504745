import { overlapLength, type Span, spanLength } from "../../text/span.ts";

/** The passage that a range names: the shortest of those that share most of it; undefined if none does. Any unit. */
export function namedPassage<Passage extends Span>(
  passages: readonly Passage[],
  range: Span,
): Passage | undefined {
  return passages
    .filter((passage) => overlapLength(passage, range) > 0)
    .sort((a, b) => overlapLength(b, range) - overlapLength(a, range) || spanLength(a) - spanLength(b))[0];
}
