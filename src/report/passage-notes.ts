import type { CorpusStores } from "../corpus/index.ts";
import { DomainError } from "../platform/domain-error.ts";
import { codePointOffsets } from "../text/code-points.ts";
import { namedSpan } from "../text/span.ts";
import type { PassageReference } from "./figures/filters.ts";
import { refuseReport } from "./read-report.ts";
import type { ReportStore } from "./report-store.ts";

export type NoteUseCases = {
  /**
   * Sets the note of a passage; an empty text removes it. A reference to a part of a passage, as filters leave it, names the whole.
   * @returns the whole passage with its note @throws DomainError `check_not_found`, `check_not_complete`, `passage_not_found`.
   */
  readonly write: (
    checkId: string,
    reference: PassageReference,
    note: string,
  ) => Promise<PassageReference & { readonly note: string | null }>;
  /** Removes a note, even if the source of its passage was deleted. @throws as `write` */
  readonly remove: (checkId: string, reference: PassageReference) => Promise<void>;
};

type PassageNotesParts = Pick<CorpusStores, "database"> & {
  readonly reports: ReportStore;
};

export function createPassageNotes({ database, reports }: PassageNotesParts): NoteUseCases {
  async function passageOf(checkId: string, { documentId, start, end }: PassageReference) {
    const report = await reports.find(database, checkId);
    if (report === undefined) return refuseReport(await reports.findStatus(database, checkId));
    const { toUtf16, toCodePoint } = codePointOffsets(report.queryText);
    const source = report.sources.find((one) => one.documentId === documentId);
    const places = source?.passages.map(({ query }) => query) ?? [];
    const place = namedSpan(places, { start: toUtf16(start), end: toUtf16(end) });
    return place && { documentId, start: toCodePoint(place.start), end: toCodePoint(place.end) };
  }

  return {
    async write(checkId, reference, note) {
      const passage = await passageOf(checkId, reference);
      if (passage === undefined) throw passageNotFound();
      if (note === "") await reports.deleteNote(database, checkId, passage);
      else await reports.saveNote(database, checkId, { ...passage, note });
      return { ...passage, note: note === "" ? null : note };
    },
    async remove(checkId, reference) {
      const passage = await passageOf(checkId, reference);
      const isDeleted = await reports.deleteNote(database, checkId, passage ?? reference);
      if (passage === undefined && !isDeleted) throw passageNotFound();
    },
  };
}

export function passageNotFound(): DomainError {
  return new DomainError(
    "passage_not_found",
    "The check's report has no such passage. Name it as START-END-DOCUMENT: its query_start and query_end in code points, and its source.",
  );
}
