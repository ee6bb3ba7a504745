import { useMemo } from "preact/hooks";
import type { Report } from "../../../../client/index.ts";
import { type CodePointOffsets, codePointOffsets } from "../../../../core/text/code-points.ts";
import { type TextBlock, textBlocks } from "../../shared/text/text-blocks.ts";
import {
  type NumberedSource,
  numberedSources,
  type PlacedPassage,
  placedPassages,
} from "../model/passages.ts";
import { blockSegments, type Segment } from "../model/segments.ts";

/** The submitted text as it is drawn: what is computed once for a report, and once more for each change of filters. */
export type MarkedText = {
  readonly text: string;
  readonly offsets: CodePointOffsets;
  readonly numbered: readonly NumberedSource[];
  readonly passages: readonly PlacedPassage[];
  readonly blocks: readonly TextBlock[];
  readonly segments: readonly (readonly Segment[])[];
};

/** @param shown the report with the filters that are set; `whole` the one without, which numbers the sources */
export function useMarkedText(whole: Report, shown: Report): MarkedText {
  const text = whole.query_text;
  const numbered = useMemo(() => numberedSources(whole), [whole]);
  const blocks = useMemo(() => textBlocks(text), [text]);
  const offsets = useMemo(() => codePointOffsets(text), [text]);
  const passages = useMemo(() => placedPassages(shown, numbered), [shown, numbered]);
  const segments = useMemo(
    () =>
      blockSegments(blocks, {
        passages,
        flags: whole.integrity_flags,
        leftOut: shown.explanation?.filtered_out ?? [],
        unique: shown.unique_passages,
      }),
    [blocks, whole, shown, passages],
  );
  return { text, offsets, numbered, passages, blocks, segments };
}
