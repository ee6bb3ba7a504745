import { z } from "zod";
import { MEDIA_TYPES } from "../../extract/text/extracted-text.ts";
import { ScannedPage } from "../../extract/text/scanned-page.ts";
import { streamedData } from "../../http/event-stream.ts";
import { optionalMember } from "../../http/input/parse.ts";
import { FilePart, FilePartList, LIST_FILES_MAX } from "../../http/input/upload.ts";
import {
  CollectionName,
  Count,
  DisplayTitle,
  FileProperties,
  formPart,
  JoinedCollection,
  LANGUAGE_RULE,
  Language,
  LanguageOriginName,
  Name,
  PaginationQuery,
  Percentage,
  queryPercentage,
  sortingQuery,
  storableText,
  Timestamp,
  Title,
  titleSearch,
  Uuid,
  uuidParameter,
} from "../../http/input/wire-types.ts";
import { LEAVE_OUT } from "../../report/figures/report.ts";
import { checkNotFound, ReviewChanges, SharedSchemas, ShownReview } from "../../report/index.ts";
import { CHECK_STAGES, CHECK_STATUSES } from "../check.ts";
import { CHECK_SORTS } from "../check-store.ts";
import { QUERY_TEXT_CHARS_MAX } from "../submit-check.ts";

const QueryText = storableText({ charsMin: 1, charsMax: QUERY_TEXT_CHARS_MAX });

const SCOPE = {
  group: "What the text belongs to, such as an assignment or the drafts of a paper: any string.",
  owner: "Whose text it is: any string, such as a user's identifier.",
  leave_out:
    "Which documents are not compared: those of the same `owner`, or those of the same `group`, for example earlier drafts.",
  collections: "The only collections of the corpus that are compared; all without it.",
  templates: "that were handed out, such as the assignment: what comes from them is not compared",
} as const;

const LeaveOut = z.enum(LEAVE_OUT);
const Collections = z.array(CollectionName).min(1).max(20);
const TEMPLATES_MAX = 20;

type SentScope = { readonly group?: unknown; readonly owner?: unknown; readonly leave_out?: unknown };

function namesLeftOut({ group, owner, leave_out: leaveOut }: SentScope): boolean {
  return (leaveOut !== "owner" || owner !== undefined) && (leaveOut !== "group" || group !== undefined);
}

const UNNAMED = { path: ["leave_out"], error: "must come with the owner or the group that it names" };

export const SubmitCheckBody = z
  .object({
    query_text: QueryText.describe("The text to check, kept as it is."),
    language: optionalMember(Language).describe(
      `ISO 639-1 code of the text's language; it determines its words and sentences. ${LANGUAGE_RULE}`,
    ),
    title: optionalMember(Title),
    group: optionalMember(Name).describe(SCOPE.group),
    owner: optionalMember(Name).describe(SCOPE.owner),
    leave_out: optionalMember(LeaveOut).describe(SCOPE.leave_out),
    collections: optionalMember(Collections).describe(SCOPE.collections),
    templates: optionalMember(z.array(QueryText).max(TEMPLATES_MAX)).describe(`Texts ${SCOPE.templates}.`),
  })
  .refine(namesLeftOut, UNNAMED)
  .meta({ id: "SubmitCheckBody" });

export const UploadCheckForm = z
  .object({
    language: formPart(Language, `Language of the text, an ISO 639-1 code. ${LANGUAGE_RULE}`),
    title: formPart(
      Title,
      "Display name; the file's name by default. A title in the file itself is shown beside it, as `document_title`.",
    ),
    group: formPart(Name, SCOPE.group),
    owner: formPart(Name, SCOPE.owner),
    leave_out: formPart(LeaveOut, SCOPE.leave_out),
    collections: formPart(
      z
        .string()
        .transform((list) => list.split(",").flatMap((name) => name.trim() || []))
        .pipe(Collections),
      `${SCOPE.collections} Names are separated by commas.`,
    ),
    templates: FilePartList.optional().describe(`Up to ${LIST_FILES_MAX} files ${SCOPE.templates}.`),
    file: FilePart.describe("PDF, DOCX or TXT, at most 10 MiB."),
  })
  .refine(namesLeftOut, UNNAMED)
  .meta({ id: "UploadCheckForm" });

export const ChangeCheckBody = z
  .object({
    title: Title.nullable().optional().describe("Null removes the title."),
    review: ReviewChanges.nullable().optional().describe("What is kept of the report; null removes it."),
  })
  .refine(({ title, review }) => title !== undefined || review !== undefined, {
    path: ["title"],
    error: "is required",
  })
  .meta({ id: "ChangeCheckBody", minProperties: 1 });

export const CheckParams = z.object({
  check_id: uuidParameter("Identifier of the check.", "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf", checkNotFound),
});

const Selection = z.object({
  title: titleSearch(
    "Only checks whose title, or the title in their file, contains this text, ignoring case; without a title, the first 120 characters of their text count.",
  ),
  status: z.enum(CHECK_STATUSES).optional().describe("Only checks with this status."),
  score_min: queryPercentage()
    .optional()
    .describe("Only complete checks with at least this `overall_similarity_pct`."),
  score_max: queryPercentage()
    .optional()
    .describe("Only complete checks with at most this `overall_similarity_pct`."),
  review_status: ShownReview.shape.status
    .optional()
    .describe("Only complete checks with this status of their review; a check without a review is `open`."),
  ...sortingQuery(
    CHECK_SORTS,
    "`date`: by time of submission, which is the default; `score`: by `overall_similarity_pct`, those without one last; `words`: by `word_count`.",
  ),
});

export const ListChecksQuery = PaginationQuery.extend(Selection.shape);

export const ExportChecksQuery = Selection;

export const Submitted = z
  .object({
    check_id: Uuid,
    status_url: z.string(),
    progress_url: z.string(),
    report_url: z.string(),
  })
  .meta({ id: "SubmittedCheck" });

export const CheckMetadata = z
  .object({
    check_id: Uuid,
    status: z.enum(CHECK_STATUSES),
    stage: z.enum(CHECK_STAGES).nullable().describe("Null unless the check is running."),
    title: z.string().nullable(),
    display_title: DisplayTitle,
    language: z.string(),
    language_origin: LanguageOriginName,
    overall_similarity_pct: Percentage.nullable().describe("Null until the check is complete."),
    original: z
      .object({ filename: z.string(), media_type: z.enum(MEDIA_TYPES), size_bytes: Count })
      .meta({ id: "Original" })
      .nullable()
      .describe("The uploaded file, which can be downloaded; null if there was none or it was not kept."),
    char_count: Count,
    word_count: Count,
    chunks_done: Count.describe("Chunks of the text for which the corpus has been searched."),
    chunks_total: Count,
    coverage: z.enum(["full", "partial"]).nullable().describe("Null until the check is complete."),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    completed_at: Timestamp.nullable(),
    updated_at: Timestamp,
    error_message: z.string().nullable().describe("Null unless the check has failed."),
    status_url: z.string(),
    progress_url: z.string(),
    report_url: z.string(),
    group: z.string().optional().describe("As given; missing if there was none."),
    owner: z.string().optional().describe("As given; missing if there was none."),
    ...SharedSchemas.ShownScope.shape,
    ...FileProperties.shape,
    review: ShownReview.optional().describe("What was kept of the report; missing if nothing was."),
  })
  .meta({ id: "Check" });

export const AddToCorpusQuery = z.object({
  collection: JoinedCollection.optional().describe("The collection of the new document."),
});

export const AddedToCorpus = z
  .object({
    document_id: Uuid,
    document_url: z.string(),
    is_new: z.boolean().describe("False if the corpus had the same bytes already."),
  })
  .meta({ id: "AddedToCorpus" });

export const CheckRow = CheckMetadata.extend({
  review: SharedSchemas.ListedReview.optional().describe("As of the check, without its filters."),
  query_text_preview: z.string().describe("The first 120 characters of the text."),
}).meta({ id: "CheckRow" });

export const CheckList = z
  .object({ items: z.array(CheckRow), total: Count, limit: Count, offset: Count })
  .meta({ id: "CheckList" });

export const CheckStats = z
  .object({
    total_checks: Count,
    checks_this_month: Count.describe("Since the beginning of the current month in UTC."),
    avg_similarity_pct: Percentage.nullable().describe(
      "Mean over the last checks to complete; null if there are none.",
    ),
    avg_window_size: Count.describe("Number of checks in the average, at most 100."),
    total_words: Count.describe("Over all checks."),
    total_sources: Count.describe("Documents in the corpus."),
  })
  .meta({ id: "CheckStats" });

export const ProgressEvent = z
  .object({
    stage: z.enum(CHECK_STAGES).nullable().describe("Null only before the first stage."),
    chunks_done: Count,
    chunks_total: Count,
  })
  .meta({ id: "ProgressEvent" });

export const ProgressEnd = z
  .object({
    check_id: Uuid,
    status: z.enum(["complete", "failed", "deleted"]),
    overall_similarity_pct: Percentage.nullable().describe("Null unless the check is complete."),
    error_message: z.string().nullable().describe("Null unless the check has failed."),
    report_url: z.string(),
  })
  .meta({ id: "ProgressEnd" });

/** One event of the stream. */
export const StreamedEvent = z
  .object({
    event: z
      .enum(["message", "complete", "failed"])
      .optional()
      .describe("The name of the final event. Others have none, which parsers report as `message`."),
    data: streamedData("ProgressEvent", "ProgressEnd"),
  })
  .meta({ id: "StreamedEvent" });

export const OcrPages = z
  .object({ pages: z.array(ScannedPage.meta({ id: "OcrPage" })).describe("Ascending.") })
  .meta({ id: "OcrPages" });
