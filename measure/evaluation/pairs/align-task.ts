import { align } from "../../../src/matching/words/align.ts";
import type { TokenisedText } from "../../../src/matching/words/boundaries.ts";
import type { AlignmentModel } from "../../../src/matching/words/model.ts";
import { type PreparedQuery, prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { codePointOffsets } from "../../../src/text/code-points.ts";
import type { Span } from "../../../src/text/span.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import { readText } from "../texts/pan-corpus.ts";

/** A suspicious text and the sources to align it with, as files. */
export type AlignTask = {
  readonly queryFile: string;
  readonly sourceFiles: readonly string[];
  readonly language: string;
  readonly sourcesCompared: number;
  /** That of every check by default. */
  readonly model?: AlignmentModel;
};

/** The passages found in a source, the times taken, and the sizes of both texts in characters. */
export type AlignedSource = {
  readonly detections: readonly PassagePair[];
  readonly alignMs: number;
  readonly prepareMs: number;
  readonly queryChars: number;
  readonly sourceChars: number;
};

/** Runs in a worker thread: aligns one suspicious text with each of its sources, in their order. */
export async function alignSources(task: AlignTask): Promise<AlignedSource[]> {
  const { queryFile, sourceFiles, language, ...options } = task;
  const queryText = await readText(queryFile);
  const query = prepareQuerySide(queryText, { language, ...options });
  const queryOffsets = codePointOffsets(queryText);
  const aligned: AlignedSource[] = [];
  for (const file of sourceFiles) {
    const sourceText = await readText(file);
    const begun = performance.now();
    const source = prepareSourceSide(sourceText, language);
    const prepared = performance.now();
    const passages = alignPair(query, source);
    const ended = performance.now();
    const sourceOffsets = codePointOffsets(sourceText);
    aligned.push({
      detections: passages.map((passage) => ({
        query: inCodePoints(passage.query, queryOffsets.toCodePoint),
        source: inCodePoints(passage.source, sourceOffsets.toCodePoint),
      })),
      alignMs: ended - prepared,
      prepareMs: prepared - begun,
      queryChars: queryText.length,
      sourceChars: sourceText.length,
    });
  }
  return aligned;
}

function inCodePoints({ start, end }: Span, toCodePoint: (utf16: number) => number): Span {
  return { start: toCodePoint(start), end: toCodePoint(end) };
}

// The only calls of the engine's alignment. They are three steps, because their times are measured separately and a suspicious
// text is prepared once for all its sources.

/** Prepares a query, once for all its sources. */
function prepareQuerySide(
  query: string,
  options: Pick<AlignTask, "language" | "sourcesCompared" | "model">,
): PreparedQuery {
  return prepareQuery({ text: query, tokens: tokenise(query, options.language) }, options);
}

/** Prepares a source. */
function prepareSourceSide(source: string, language: string): TokenisedText {
  return { text: source, tokens: tokenise(source, language) };
}

/** The passages that a check would report, in UTF-16 offsets of the two texts. */
function alignPair(
  query: PreparedQuery,
  source: TokenisedText,
): { readonly query: Span; readonly source: Span }[] {
  return align(query, source).kept.map((passage) => ({ query: passage.query, source: passage.source }));
}
