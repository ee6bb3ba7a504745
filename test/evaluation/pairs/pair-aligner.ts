import { align } from "../../../src/core/alignment/align.ts";
import type { TokenisedText } from "../../../src/core/alignment/boundaries.ts";
import { type PreparedQuery, prepareQuery } from "../../../src/core/alignment/text-pair.ts";
import type { Span } from "../../../src/core/text/span.ts";
import { tokenise } from "../../../src/core/text/words/tokenise.ts";

// The one place where the evaluation of listed pairs meets the engine's alignment: three steps, because they are timed
// apart and a suspicious text is prepared once for all its sources.

/** What the engine does once for a query. */
export function prepareQuerySide(query: string, language: string): PreparedQuery {
  return prepareQuery({ text: query, tokens: tokenise(query, language) }, { language });
}

/** What the engine does once for a source. */
export function prepareSourceSide(source: string, language: string): TokenisedText {
  return { text: source, tokens: tokenise(source, language) };
}

/** The passages that the engine would report; UTF-16 offsets into the two texts. */
export function alignPair(
  query: PreparedQuery,
  source: TokenisedText,
): { readonly query: Span; readonly source: Span }[] {
  return align(query, source).kept.map((passage) => ({ query: passage.query, source: passage.source }));
}
