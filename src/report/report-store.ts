import type { DocumentProperties } from "../extract/text/document-properties.ts";
import type { MatchType } from "../matching/words/match-type.ts";
import { prepared, type Queryable } from "../platform/postgres/database.ts";
import { asJson, columns, rowsAsJson } from "../platform/postgres/sql.ts";
import type { HiddenText } from "../text/hidden-text.ts";
import type { LanguageOrigin } from "../text/languages.ts";
import type { Margins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { fromFlat, type Span, toFlat } from "../text/span.ts";
import { byMatchType } from "./figures/exclusive-spans.ts";
import type { Explanation } from "./figures/explanation.ts";
import type { Coverage, FoundSource, MatchTypeSpans, NewReport, ReportScope } from "./figures/report.ts";
import type { Review } from "./review.ts";

/** A source of a report that still is in the corpus. */
export type StoredSource = FoundSource & {
  /** Its place among all sources of the report, from 1, which it keeps when others are deleted. */
  readonly number: number;
  readonly title: string;
  readonly language: string;
  readonly filename: string;
  readonly sourceUrl: string | null;
  readonly collection: string | null;
  /** Uploaded through the API, and so readable there. */
  readonly isUploaded: boolean;
};

/** A source as shown beside its text. `charCount`: code points of the whole source. */
export type SourceFacts = Pick<StoredSource, "documentId" | "title" | "sourceUrl"> & {
  readonly language: string;
  readonly charCount: number;
};

/** A report as it was written; totals and unique passages outlive deleted sources. */
export type StoredReport = Omit<NewReport, "figures" | "explanation"> & {
  readonly checkId: string;
  readonly title: string | null;
  readonly language: string;
  readonly languageOrigin: LanguageOrigin;
  readonly queryText: string;
  /** Headers, footers and page numbers, which are not compared. */
  readonly pageMargins: Margins;
  readonly hiddenText: readonly HiddenText[];
  readonly pageNotes: readonly PageNote[];
  readonly charCount: number;
  readonly wordCount: number;
  readonly totalMatchedChars: number;
  readonly coverage: Coverage;
  readonly createdAt: Date;
  readonly startedAt: Date;
  readonly completedAt: Date;
  readonly uniquePassages: readonly Span[];
  readonly byMatchType: MatchTypeSpans;
  readonly review: Review | null;
  readonly scope: ReportScope;
  readonly properties: DocumentProperties;
  readonly documentsPending: number;
  /** The first of them that still exist. */
  readonly uncompared: readonly { readonly documentId: string; readonly title: string }[];
  readonly sources: readonly StoredSource[];
};

type StoredExplanation = {
  readonly explanation: Explanation;
  readonly titles: ReadonlyMap<string, string>;
};

/** The reports' rows. Each method takes the connection or transaction that it runs on. */
export class ReportStore {
  async insert(transaction: Queryable, checkId: string, report: NewReport): Promise<void> {
    const { byMatchType: found } = report.figures;
    await transaction.query(
      prepared(`with report as (
         insert into reports (check_id, unique_passages, integrity_flags, checked_chunks, total_chunks, corpus_sources,
                              semantic_documents, semantic_reason, matched_by_type)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)),
       sources as (
         insert into report_sources (check_id, document_id, number, matched_chars, passages, exclusive)
         select $1, document_id, number, matched_chars, passages, exclusive
           from jsonb_to_recordset($10)
             as source (document_id uuid, number integer, matched_chars integer, passages jsonb, exclusive integer[]))
       insert into report_explanations (check_id, explanation) values ($1, $11)`),
      [
        checkId,
        toFlat(report.figures.uniquePassages),
        JSON.stringify(report.integrityFlags),
        report.checkedChunks,
        report.totalChunks,
        report.corpusSources,
        report.semanticDocuments,
        report.semanticReason,
        JSON.stringify(byMatchType((type) => toFlat(found[type]))),
        rowsAsJson(
          report.figures.sources.map((source, at) => ({
            ...source,
            number: at + 1,
            exclusive: toFlat(source.exclusive),
          })),
        ),
        asJson(report.explanation),
      ],
    );
  }

  async find(db: Queryable, checkId: string): Promise<StoredReport | undefined> {
    const [report] = await db.query<ReportRow>(
      `select ${REPORT_COLUMNS}, unique_passages as flat, json_build_object('leaveOut', leave_out, 'collections', collections) as scope,
              json_build_object('title', document_title, 'author', document_author) as properties, matched_by_type as "flatByType",
              (select coalesce(json_agg(json_build_object('documentId', document_id, 'title', title)
                                        order by array_position(uncompared_documents, document_id)), '[]')
                 from documents where document_id = any(uncompared_documents)) as uncompared
         from checks join reports using (check_id) where check_id = $1`,
      [checkId],
    );
    if (report === undefined) return undefined;
    const sources = await db.query<Omit<StoredSource, "exclusive"> & { exclusive: number[] }>(
      `select ${columns("document_id, number, title, language, filename, source_url, passages, exclusive, collection")}, tenant is not null as "isUploaded"
         from report_sources join documents using (document_id)
        where check_id = $1 order by number`,
      [checkId],
    );
    const { flat, flatByType, ...rest } = report;
    return {
      ...rest,
      pageMargins: fromFlat(rest.pageMargins),
      uniquePassages: fromFlat(flat),
      byMatchType: byMatchType((type) => fromFlat(flatByType[type])),
      sources: sources.map(({ exclusive, ...source }) => ({ ...source, exclusive: fromFlat(exclusive) })),
    };
  }

  /** The explanation without the unreported documents that are gone, and titles of those outside the report; undefined if the check is gone. */
  async findExplanation(db: Queryable, checkId: string): Promise<StoredExplanation | undefined> {
    const [row] = await db.query<{ explanation: Explanation }>(
      "select explanation from report_explanations where check_id = $1",
      [checkId],
    );
    if (row === undefined) return undefined;
    const { reported, unreported, candidateCount } = row.explanation;
    const documents = await db.query<{ document_id: string; title: string }>(
      "select document_id, title from documents where document_id = any($1)",
      [unreported.map(({ documentId }) => documentId)],
    );
    const titles = new Map(documents.map((document) => [document.document_id, document.title]));
    const stillThere = unreported.filter(({ documentId }) => titles.has(documentId));
    return { explanation: { reported, unreported: stillThere, candidateCount }, titles };
  }

  /** A document that is a source of the check's report and still in the corpus. */
  async findSource(db: Queryable, checkId: string, documentId: string): Promise<SourceFacts | undefined> {
    const [source] = await db.query<SourceFacts>(
      `select ${columns("document_id, title, source_url, language, char_count")}
         from report_sources join documents using (document_id)
        where check_id = $1 and document_id = $2`,
      [checkId, documentId],
    );
    return source;
  }

  async findStatus(db: Queryable, checkId: string): Promise<string | undefined> {
    const [row] = await db.query<{ status: string }>("select status from checks where check_id = $1", [
      checkId,
    ]);
    return row?.status;
  }
}

const REPORT_COLUMNS = columns(
  "check_id, title, language, language_origin, query_text, page_margins, hidden_text, page_notes, char_count, word_count, total_matched_chars, coverage, created_at, started_at, " +
    "completed_at, integrity_flags, checked_chunks, total_chunks, corpus_sources, documents_pending, semantic_documents, semantic_reason, review",
);

type ReportRow = Omit<StoredReport, "sources" | "uniquePassages" | "byMatchType" | "pageMargins"> & {
  readonly pageMargins: readonly number[];
  readonly flat: readonly number[];
  readonly flatByType: Readonly<Record<MatchType, readonly number[]>>;
};
