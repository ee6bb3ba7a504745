import type { z } from "zod";
import type { OffsetUnit } from "../../core/report/offset-unit.ts";
import type { SourceTextView } from "./read-source-text.ts";
import type { SourceText } from "./schema.ts";

export function presentSourceText(
  { source, excerpt, textLength }: SourceTextView,
  unit: OffsetUnit,
): z.output<typeof SourceText> {
  return {
    source_document_id: source.documentId,
    title: source.title,
    source_url: source.sourceUrl,
    language: source.language,
    offset_unit: unit,
    char_count: textLength,
    start: excerpt.start,
    end: excerpt.end,
    text: excerpt.text,
  };
}
