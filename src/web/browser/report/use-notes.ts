import { useMemo, useState } from "preact/hooks";
import type { PassageNote, Report } from "../../../client/index.ts";
import { namedPassage } from "../../../report/figures/named-passage.ts";
import { codePointOffsets } from "../../../text/code-points.ts";
import type { Span } from "../../../text/span.ts";
import type { PlacedPassage } from "./passages.ts";
import { readReference } from "./report-address.ts";

export type Notes = {
  /** The note of a passage, also of one that a filter has cut; empty without one. */
  readonly of: (passage: PlacedPassage) => string;
  /** The note of a passage as a filter or a link names it; empty without one. */
  readonly ofReference: (reference: string) => string;
  /** The passages of the text that have one. */
  readonly noted: ReadonlySet<PlacedPassage>;
  /** Takes over what the engine has stored. */
  readonly add: (written: PassageNote) => void;
};

/** The notes of a report, with those that were written on this page. @param whole the report without filters */
export function useNotes(whole: Report, passages: readonly PlacedPassage[]): Notes {
  const [written, setWritten] = useState<readonly PassageNote[]>([]);
  return useMemo(() => {
    const { toUtf16 } = codePointOffsets(whole.query_text);
    const placed = (reference: string) => {
      const { start = 0, end = 0, documentId } = readReference(reference) ?? {};
      return { start: toUtf16(start), end: toUtf16(end), documentId };
    };
    const latest = new Map([...whole.notes, ...written].map(({ passage, note }) => [passage, note ?? ""]));
    const notes = [...latest].map(([reference, note]) => ({ ...placed(reference), note }));
    const noteAt = (documentId: string | undefined, range: Span) => {
      const own = notes.filter((note) => note.documentId === documentId);
      if (own.length === 0) return "";
      const source = whole.sources.find(({ source_document_id: id }) => id === documentId);
      const places = source?.passages.map(({ query_start: start, query_end: end }) => ({ start, end }));
      const passage = namedPassage(places ?? [], range);
      return own.find(({ start, end }) => start === passage?.start && end === passage.end)?.note ?? "";
    };
    const of = (passage: PlacedPassage) => noteAt(passage.source.source_document_id, passage);
    return {
      of,
      ofReference: (reference) => {
        const { documentId, ...range } = placed(reference);
        return noteAt(documentId, range);
      },
      noted: new Set(passages.filter((passage) => of(passage) !== "")),
      add: (one) => setWritten((before) => [...before, one]),
    };
  }, [whole, passages, written]);
}
