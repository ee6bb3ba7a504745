import { overlapLength, type Span, spanLength } from "../../text/span.ts";
import type { MatchedSource } from "../words/source-passage.ts";

/** With more of a sentence in a passage, the rest is a matter of the passage's edges. */
const COVERED_SHARE_MIN = 0.25;

/** For each sentence of the query, whether word matching already covers it, up to its edges. */
export function coveredSentences(
  sentences: readonly { readonly span: Span }[],
  aligned: readonly Pick<MatchedSource, "passages">[],
): boolean[] {
  const passages = aligned.flatMap((source) => source.passages.map(({ query }) => query));
  return sentences.map(({ span }) => {
    const covered = passages.reduce((most, passage) => Math.max(most, overlapLength(span, passage)), 0);
    return covered >= COVERED_SHARE_MIN * spanLength(span);
  });
}
