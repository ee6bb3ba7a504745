import { DomainError } from "../../core/domain-error.ts";
import type { Excerpt } from "../../core/report/comparison/excerpt.ts";
import type { OffsetUnit } from "../../core/report/offset-unit.ts";
import type { ReadExcerpt } from "../../corpus/index.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { refuseReport } from "../refuse-report.ts";
import type { ReportStore, SourceFacts } from "../report-store.ts";

/**
 * The longest text of one answer, in the unit that is asked for: some 30 pages, far more than the surroundings of a
 * passage, and at most three sections to read and unpack. A longer one is read answer by answer.
 */
export const SOURCE_TEXT_CHARS_MAX = 100_000;

export type SourceTextView = {
  readonly source: SourceFacts;
  readonly excerpt: Excerpt;
  /** Of all of the source's text, in the unit that was asked for. */
  readonly textLength: number;
};

/**
 * A part of the text of one source of a report, for reading beside the query.
 * @throws DomainError `check_not_found`, `check_not_complete`; `source_not_found` when the report has no such source.
 */
export type ReadSourceText = (
  checkId: string,
  documentId: string,
  range: { readonly start: number; readonly end: number | undefined; readonly unit: OffsetUnit },
) => Promise<SourceTextView>;

type Parts = {
  readonly database: Database;
  readonly reports: ReportStore;
  readonly readExcerpt: ReadExcerpt;
};

export function createReadSourceText({ database, reports, readExcerpt }: Parts): ReadSourceText {
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
