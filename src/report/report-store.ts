import type { DocumentProperties } from "../extract/text/document-properties.ts";
import type { MatchType } from "../matching/words/match-type.ts";
import type { SourcePassage } from "../matching/words/source-passage.ts";
import { prepared, type Queryable } from "../platform/postgres/database.ts";
import { asJson, columns, rowsAsJson } from "../platform/postgres/sql.ts";
import type { HiddenText } from "../text/hidden-text.ts";
import type { LanguageOrigin } from "../text/languages.ts";
import type { Margins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { fromFlat, type Span, toFlat } from "../text/span.ts";
import { byMatchType } from "./figures/exclusive-spans.ts";
import type { Explanation } from "./figures/explanation.ts";
import type { PassageReference } from "./figures/filters.ts";
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

export const NOTE_CHARS_MAX = 2_000;

/** A reader's note on a passage of the report without filters. */
export type PassageNote = PassageReference & { readonly note: string };

/** Another member of the batch that a check belongs to, with the passages that both have in common. */
type MemberMatch = {
  readonly memberId: string;
  readonly checkId: string;
  readonly name: string;
  readonly group: string | null;
  readonly language: string;
  /** Whether the passages' query is the other member. */
  readonly isSource: boolean;
  /** The other member's text where it is needed to count its code points, that is where `isSource`. */
  readonly text: string | null;
  readonly passages: readonly SourcePassage[];
};

/** The passages that a check shares with the other members of its batch. */
export type BatchMatches = {
  readonly batchId: string;
  /** The member that the check is. */
  readonly memberId: string;
  /** Whether the check has been compared with all of them. */
  readonly isComplete: boolean;
  /** Otherwise the figures about the corpus are all 0, and say nothing. */
  readonly isComparedWithCorpus: boolean;
  readonly comparedChars: number;
  readonly total: number;
  readonly matches: readonly MemberMatch[];
};

/** Other members in one report; the batch's own report has all pairs. */
const MATCHES_MAX = 100;

type StoredExplanation = {
  readonly explanation: Explanation;
  readonly titles: ReadonlyMap<string, string>;
};

/** The rows of reports and of the notes on them. Each method takes the connection or transaction that it runs on. */
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

  /** The passages that a check shares with other members of its batch. Undefined for a check that belongs to no batch. */
  async findBatchMatches(db: Queryable, checkId: string): Promise<BatchMatches | undefined> {
    const [member] = await db.query<Omit<BatchMatches, "matches">>(
      `select ${columns("batch_id, member_id, compared_chars")}, completed_at is not null as "isComplete",
              compare_with <> 'members' as "isComparedWithCorpus",
              (select count(*) from batch_pairs where a_id = member_id or b_id = member_id) as total
         from batch_members join batches using (batch_id) where check_id = $1`,
      [checkId],
    );
    if (member === undefined) return undefined;
    const matches = await db.query<MemberMatch>(
      `select ${columns("member_id, check_id, name, language, is_source, passages")}, group_name as "group",
              case when is_source then query_text end as text
         from (select b_id as other_id, true as is_source, a_matched[1] as matched, passages from batch_pairs where a_id = $1
               union all select a_id, false, b_matched[1], passages from batch_pairs where b_id = $1) as pairs
         join batch_members on member_id = other_id join checks using (check_id)
        order by matched desc, ordinal limit $2`,
      [member.memberId, MATCHES_MAX],
    );
    return { ...member, matches };
  }

  /** The notes on a report, in the order of its text. */
  listNotes(db: Queryable, checkId: string): Promise<PassageNote[]> {
    return db.query<PassageNote>(
      `select ${columns("document_id, note")}, query_start as start, query_end as "end"
         from passage_notes where check_id = $1 order by query_start, query_end, document_id`,
      [checkId],
    );
  }

  async saveNote(
    db: Queryable,
    checkId: string,
    { documentId, start, end, note }: PassageNote,
  ): Promise<void> {
    await db.query(
      `insert into passage_notes (check_id, document_id, query_start, query_end, note) values ($1, $2, $3, $4, $5)
       on conflict (check_id, document_id, query_start, query_end) do update set note = excluded.note`,
      [checkId, documentId, start, end, note],
    );
  }

  /** @returns whether there was a note */
  async deleteNote(
    db: Queryable,
    checkId: string,
    { documentId, start, end }: PassageReference,
  ): Promise<boolean> {
    const deleted = await db.query(
      `delete from passage_notes where check_id = $1 and document_id = $2 and query_start = $3 and query_end = $4
       returning check_id`,
      [checkId, documentId, start, end],
    );
    return deleted.length > 0;
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
