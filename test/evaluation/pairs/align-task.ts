import { codePointOffsets } from "../../../src/core/text/code-points.ts";
import type { Span } from "../../../src/core/text/span.ts";
import type { PassagePair } from "../scoring/passage-pair.ts";
import { readText } from "../texts/pan-corpus.ts";
import { alignPair, prepareQuerySide, prepareSourceSide } from "./pair-aligner.ts";

/** A suspicious text and the sources to align it with, as files. */
export type AlignTask = {
  readonly queryFile: string;
  readonly sourceFiles: readonly string[];
  readonly language: string;
};

/** What a source gave, and how long it took; sizes in characters. */
export type AlignedSource = {
  readonly detections: readonly PassagePair[];
  readonly alignMs: number;
  readonly prepareMs: number;
  readonly queryChars: number;
  readonly sourceChars: number;
};

/** Runs in a thread. Aligns one suspicious text with each of its sources, in their order. */
export async function alignSources(task: AlignTask): Promise<AlignedSource[]> {
  const { queryFile, sourceFiles, language } = task;
  const queryText = await readText(queryFile);
  const query = prepareQuerySide(queryText, language);
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
