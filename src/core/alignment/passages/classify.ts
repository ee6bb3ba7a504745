import type { Span } from "../../text/span.ts";
import type { TokenisedText } from "../pair/tokenised-text.ts";
import { wordSimilarity } from "./word-similarity.ts";

/**
 * How a passage was reused. `identical`: equal after case folding and leaving out all that is no letter or digit;
 * `minor_changes`: not that, but of the words of both sides at least `MINOR_CHANGES_MIN` are equal and in the same order;
 * `paraphrased`: anything else that the aligner takes for reuse.
 */
export type MatchType = "identical" | "minor_changes" | "paraphrased";

/** `similarity`: see `wordSimilarity`; 1 when identical. */
export type Classification = { readonly matchType: MatchType; readonly similarity: number };

/**
 * Classifies what stands in `querySpan` against what stands in `sourceSpan`, both in UTF-16 units of their texts.
 * The words are the normalised ones, so disguised letters and other punctuation change nothing, while another ending makes
 * another word. A moved sentence counts as changed. The time is about linear in the passage's length.
 */
export function classify(
  query: TokenisedText,
  querySpan: Span,
  source: TokenisedText,
  sourceSpan: Span,
): Classification {
  const queryText = query.text.slice(querySpan.start, querySpan.end);
  const sourceText = source.text.slice(sourceSpan.start, sourceSpan.end);
  if (queryText === sourceText || bareLetters(queryText) === bareLetters(sourceText))
    return { matchType: "identical", similarity: 1 };
  const similarity = wordSimilarity(wordsIn(query, querySpan), wordsIn(source, sourceSpan));
  return { matchType: similarity >= MINOR_CHANGES_MIN ? "minor_changes" : "paraphrased", similarity };
}

/**
 * Four words of five. Of planted passages whose words were changed to 5 to 15% (547 of the mixed benchmark's tuning part), 99.3%
 * reach it; of those changed to 30 to 50% and with sentences moved (718), 2.9% do; of condensed ones (339), 0.3%. At .75
 * it would be 99.8%, 6.7% and 0.3%.
 */
export const MINOR_CHANGES_MIN = 0.8;

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu;

/** Upper case rather than lower, because it folds what lower case leaves apart: ß and ss, the two small sigmas. */
function bareLetters(text: string): string {
  return text.normalize("NFC").toUpperCase().replace(NO_LETTER_OR_DIGIT, "");
}

/** The words that begin inside the span. */
function wordsIn({ tokens: { words, starts } }: TokenisedText, span: Span): readonly string[] {
  return words.slice(firstAtLeast(starts, span.start), firstAtLeast(starts, span.end));
}

function firstAtLeast(ascending: Int32Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
