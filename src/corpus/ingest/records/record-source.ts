import type { PageNote } from "../../../text/page-notes.ts";

/** A document of an index, or a row of a query. */
export type SourceRecord = {
  /** Identifies it within its source. */
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Of the file that its text was read from. */
  readonly pageNotes?: readonly PageNote[] | undefined;
  /** Whether parts of it could not be read for now. A document that is stored stays as it is. */
  readonly isIncomplete?: boolean;
};

/** Records of an index or a database, and how they are called. */
export type RecordSource = {
  /** The name in messages, such as "the index articles". */
  readonly name: string;
  /** The collection of its documents, unless another is named. */
  readonly collection: string;
  /** Which records are read. A run with another selection would delete documents of an earlier one. */
  readonly selection: string;
  /** The field that tells when a record was changed. */
  readonly updatedField: string | undefined;
  /** @throws DomainError `invalid_input` for errors that the caller can correct, `store_unavailable` when it can't be reached. */
  open(): Promise<RecordSnapshot>;
};

/** The records at one moment: all methods see the same ones. Pages are limited in size, so that memory does not grow with the source. */
export type RecordSnapshot = {
  /** Undefined if counting would take the same time as reading. */
  readonly total: number | undefined;
  /** Where the next run continues by the updated field, in the words of the source; undefined when there is no such field or no record. */
  readonly newest: string | undefined;
  /** Whether a field that is not among `fieldNames` may exist nevertheless. */
  readonly mayHoldOtherFields: boolean;
  fieldNames(): Promise<readonly string[]>;
  /** All records, or only records that were changed since. */
  records(since?: string): AsyncIterable<readonly SourceRecord[]>;
  recordsOf(ids: readonly string[]): Promise<readonly SourceRecord[]>;
  ids(): AsyncIterable<readonly string[]>;
  close(): Promise<void>;
};

/** A changed record becomes visible to others later. The next run reads records that became visible up to this much later. */
export const VISIBLE_AFTER_MS = 5 * 60_000;

/** The text of a page, in UTF-16 units: one request takes some 50 ms, and memory holds a few pages. */
const PAGE_SIZE = 2_000_000;
const PAGE_RECORDS_MAX = 1_000;

/** Identifiers of a page that has nothing else; below OpenSearch's limit of 10,000 hits, which an index may have lowered. */
export const PAGE_IDS = 5_000;

/** Before anything is known about the size of records. */
const PAGE_RECORDS_FIRST = 20;

/** A page has at most this many times the records of the last one: short records may be followed by long ones. */
const PAGE_GROWTH_MAX = 4;

/** The number of records of the next page, from the sizes of the last one. */
export class PageSize {
  #records = PAGE_RECORDS_FIRST;

  get records(): number {
    return this.#records;
  }

  note(page: readonly SourceRecord[]): void {
    if (page.length === 0) return;
    const size = page.reduce((sum, { fields }) => sum + textSize(fields), 1);
    const fitting = Math.floor((PAGE_SIZE * page.length) / size);
    this.#records = Math.max(1, Math.min(fitting, PAGE_GROWTH_MAX * page.length, PAGE_RECORDS_MAX));
  }
}

function textSize(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + textSize(one), 0);
}
