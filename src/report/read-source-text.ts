import type { CorpusStores, ReadExcerpt } from "../corpus/index.ts";
import { DomainError } from "../platform/domain-error.ts";
import { type Excerpt, type OffsetUnit, SOURCE_TEXT_CHARS_MAX } from "../text/excerpt.ts";
import { refuseReport } from "./read-report.ts";
import type { ReportStore, SourceFacts } from "./report-store.ts";

export type SourceTextView = {
  readonly source: SourceFacts;
  readonly excerpt: Excerpt;
  readonly textLength: number;
};

/** A part of a source of a report. @throws DomainError `check_not_found`, `check_not_complete`, `source_not_found`. */
export type ReadSourceText = (
  checkId: string,
  documentId: string,
  range: { readonly start: number; readonly end: number | undefined; readonly unit: OffsetUnit },
) => Promise<SourceTextView>;

type ReadSourceTextParts = Pick<CorpusStores, "database"> & {
  readonly reports: ReportStore;
  readonly readExcerpt: ReadExcerpt;
};

export function createReadSourceText({
  database,
  reports,
  readExcerpt,
}: ReadSourceTextParts): ReadSourceText {
  return async (checkId, documentId, range) => {
    const status = await reports.findStatus(database, checkId);
    if (status !== "complete") refuseReport(status);
    const source = await reports.findSource(database, checkId, documentId);
    if (source === undefined) throw sourceNotFound();
    const read = await readExcerpt(source, { ...range, lengthMax: SOURCE_TEXT_CHARS_MAX });
    if (read === undefined) throw sourceNotFound();
    const { textLength, ...excerpt } = read;
    return { source, excerpt, textLength };
  };
}

export function sourceNotFound(): DomainError {
  return new DomainError(
    "source_not_found",
    "The check's report has no source with this identifier, or the document has been deleted.",
  );
}
