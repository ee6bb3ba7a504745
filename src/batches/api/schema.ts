import { z } from "zod";
import { QUERY_TEXT_CHARS_MAX } from "../../checks/index.ts";
import { streamedData } from "../../http/event-stream.ts";
import { optionalMember } from "../../http/input/parse.ts";
import { FileParts } from "../../http/input/upload-files.ts";
import {
  Count,
  FileProperties,
  formPart,
  LANGUAGE_RULE,
  Language,
  Name,
  Offset,
  PaginationQuery,
  Percentage,
  queryBoolean,
  queryDefault,
  queryInteger,
  storableText,
  Timestamp,
  Title,
  titleSearch,
  Uuid,
  uuidParameter,
} from "../../http/input/wire-types.ts";
import { MemberPassage } from "../../report/index.ts";
import {
  BATCH_STATUSES,
  batchNotFound,
  COMMON_SHARE_DEFAULT,
  COMPARE_WITH,
  MEMBER_STATUSES,
  memberNotFound,
} from "../batch.ts";

const Text = storableText({ charsMin: 1, charsMax: QUERY_TEXT_CHARS_MAX });
const CompareWithName = z.enum(COMPARE_WITH);

const SETTINGS = {
  compare_with:
    "What the members are compared with: each other (`members`, the default), the `corpus`, or `both`.",
  add_to_corpus: "Whether the members become documents of the corpus once the batch is complete.",
  common_share: `Text that more than this share of the members has in common, and at least ten of them, is marked as common; from 0.01 to 1, by default ${COMMON_SHARE_DEFAULT}.`,
  language: `ISO 639-1 code of the language of all members. ${LANGUAGE_RULE}`,
} as const;

const CommonShare = z.number().min(0.01).max(1);

export const MemberText = z
  .object({
    text: Text.describe("The text, kept as it is."),
    name: optionalMember(Name).describe("Names the member; `text` and its number by default."),
    group: optionalMember(Name).describe("Members of one group are not compared with each other."),
  })
  .meta({ id: "MemberText" });

/** JSON bodies hold up to 8 MiB. */
const JSON_MEMBERS_MAX = 2_000;

export const SubmitBatchBody = z
  .object({
    members: z.array(MemberText).min(1).max(JSON_MEMBERS_MAX),
    templates: optionalMember(z.array(Text).max(20)).describe(
      "Texts that were handed out, such as the assignment: what comes from them is not compared.",
    ),
    title: optionalMember(Title),
    language: optionalMember(Language).describe(SETTINGS.language),
    compare_with: optionalMember(CompareWithName, "members").describe(SETTINGS.compare_with),
    add_to_corpus: optionalMember(z.boolean(), false).describe(SETTINGS.add_to_corpus),
    common_share: optionalMember(CommonShare, COMMON_SHARE_DEFAULT).describe(SETTINGS.common_share),
  })
  .meta({ id: "SubmitBatchBody" });

export const AddMembersBody = z
  .object({ members: z.array(MemberText).min(1).max(JSON_MEMBERS_MAX) })
  .meta({ id: "AddMembersBody" });

const Flag = z.enum(["true", "false"]);

export const AddMembersForm = z
  .object({
    files: FileParts.describe(
      "PDF, DOCX or text files of at most 10 MiB each, or ZIP archives of them. Names may be paths.",
    ),
    group: formPart(Name, "The group of all these files."),
    group_by_folder: formPart(
      Flag,
      "Whether files of one folder are a group, which has its path as its name. The folder that all paths have in common is no group.",
      "false",
    ),
  })
  .meta({ id: "AddMembersForm" });

export const SubmitBatchForm = AddMembersForm.extend({
  templates: FileParts.optional().describe(
    "Files that were handed out: what comes from them is not compared.",
  ),
  title: formPart(Title),
  language: formPart(Language, SETTINGS.language),
  compare_with: formPart(CompareWithName, SETTINGS.compare_with, "members"),
  add_to_corpus: formPart(Flag, SETTINGS.add_to_corpus, "false"),
  common_share: formPart(
    z.string().transform(Number).pipe(CommonShare),
    SETTINGS.common_share,
    COMMON_SHARE_DEFAULT,
  ),
}).meta({ id: "SubmitBatchForm" });

export const BatchParams = z.object({
  batch_id: uuidParameter("Identifier of the batch.", "01a1fdd3-1c40-7711-9d2a-8f0a4c1be201", batchNotFound),
});

export const PairParams = BatchParams.extend({
  a: uuidParameter("Identifier of a member.", "01a1fdd3-1c41-7001-8a52-0d9f7e34c001", memberNotFound),
  b: uuidParameter("Identifier of another member.", "01a1fdd3-1c41-7002-8a52-0d9f7e34c002", memberNotFound),
});

export const ListBatchesQuery = PaginationQuery.extend({
  title: titleSearch("Only batches whose title contains this text, ignoring case."),
});

const PAGE_MAX = 1_000;
const PAGE_DEFAULT = 100;

const PageQuery = z.object({
  limit: queryDefault(queryInteger({ min: 1, max: PAGE_MAX }), PAGE_DEFAULT).describe(
    `The number of rows of each list, from 1 to ${PAGE_MAX}.`,
  ),
  offset: queryDefault(queryInteger({ min: 0 }), 0).describe("The number of rows of each list to skip."),
});

export const BatchQuery = PageQuery;

export const PairFiltersQuery = z.object({
  exclude_quotes: queryDefault(queryBoolean(), true).describe(
    "Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source.",
  ),
  exclude_common: queryDefault(queryBoolean(), true).describe(
    "Leaves out passages of which half or more is text that many members share.",
  ),
});

/** By default, pairs of at least this similarity are listed and clustered. Two texts that quote the same source share less. */
const SIMILARITY_PCT_MIN_DEFAULT = 3;

export const PairsQuery = PairFiltersQuery.extend({
  min_similarity: queryDefault(queryInteger({ min: 0, max: 100 }), SIMILARITY_PCT_MIN_DEFAULT).describe(
    "The lowest similarity of the pairs, in percent of the member that has more of the other.",
  ),
});

export const BatchReportQuery = PageQuery.extend(PairsQuery.shape);

export const GraphQuery = PairFiltersQuery.extend({
  min_similarity: queryDefault(queryInteger({ min: 0, max: 100 }), 0).describe(
    "The lowest similarity of the pairs, in percent of the member that has more of the other.",
  ),
});

export const PairQuery = PairFiltersQuery.extend({
  offset_unit: z
    .enum(["code_point", "utf16"])
    .default("code_point")
    .describe("The unit of offsets: Unicode code points, or UTF-16 units as in a JavaScript string."),
});

export const RenameBatchBody = z.object({ title: Title.nullable() }).meta({ id: "RenameBatchBody" });

const Urls = { status_url: z.string(), progress_url: z.string(), report_url: z.string() };

export const SubmittedBatch = z.object({ batch_id: Uuid, ...Urls }).meta({ id: "SubmittedBatch" });

export const AddedMembers = z
  .object({ batch_id: Uuid, members_added: Count, ...Urls })
  .meta({ id: "AddedMembers" });

const PROGRESS = {
  members_total: Count,
  members_read: Count.describe("Members that were read, also those that could not be."),
  members_compared: Count.describe("Members with which the work is done, also those that have failed."),
  members_failed: Count,
  pairs_found: Count,
};

export const BatchMetadata = z
  .object({
    batch_id: Uuid,
    status: z
      .enum(BATCH_STATUSES)
      .describe("Members that are added later make a complete batch `reading` again."),
    title: z.string().nullable(),
    language: z.string().nullable().describe("Null where it is detected in each member."),
    compare_with: CompareWithName,
    add_to_corpus: z.boolean(),
    common_share: z.number(),
    ...PROGRESS,
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: Timestamp.nullable(),
    ...Urls,
  })
  .meta({ id: "Batch" });

export const BatchMember = z
  .object({
    member_id: Uuid,
    ordinal: Count.describe("Members in the order of their arrival, from 0."),
    name: z.string(),
    group: z.string().nullable(),
    status: z
      .enum(MEMBER_STATUSES)
      .describe("`waiting` to be read, `read` and waiting to be compared, `compared`, or `failed`."),
    check_id: Uuid.nullable().describe("The check of the member, once it was read."),
    error_code: z.string().nullable(),
    error_message: z.string().nullable().describe("Why it failed; null for others."),
    ...FileProperties.shape,
  })
  .meta({ id: "BatchMember" });

export const BatchWithMembers = BatchMetadata.extend({
  members: z.array(BatchMember).describe("One page, in the order of arrival."),
}).meta({ id: "BatchWithMembers" });

export const BatchList = z
  .object({ items: z.array(BatchMetadata), total: Count, limit: Count, offset: Count })
  .meta({ id: "BatchList" });

export const BatchProgressEvent = z
  .object({ status: z.enum(BATCH_STATUSES), ...PROGRESS })
  .meta({ id: "BatchProgressEvent" });

export const BatchProgressEnd = z
  .object({ batch_id: Uuid, status: z.enum(["complete", "deleted"]), ...PROGRESS, report_url: z.string() })
  .meta({ id: "BatchProgressEnd" });

export const StreamedBatchEvent = z
  .object({
    event: z.enum(["message", "complete", "failed"]).optional(),
    data: streamedData("BatchProgressEvent", "BatchProgressEnd"),
  })
  .meta({ id: "StreamedBatchEvent" });

const MemberReference = z
  .object({ member_id: Uuid, ordinal: Count, name: z.string(), group: z.string().nullable() })
  .meta({ id: "MemberReference" });

const PairSide = MemberReference.extend({
  matched_chars: Count.describe("Characters of this member that are in a passage."),
  similarity_pct: Percentage.describe("Their share of this member's text outside the templates."),
}).meta({ id: "PairSide" });

const Pair = z
  .object({
    a: PairSide,
    b: PairSide,
    similarity_pct: Percentage.describe("The greater similarity of both sides."),
    passage_count: Count,
    longest_passage_chars: Count,
  })
  .meta({ id: "BatchPair" });

const RankedMember = MemberReference.extend({
  check_id: Uuid.nullable(),
  char_count: Count,
  similarity_pct: Percentage.describe("The highest similarity to another member."),
  pairs: Count.describe("Members with passages in common."),
  nearest: MemberReference.nullable().describe("The member of that similarity."),
  common_pct: Percentage.describe(
    "The share of its text outside the templates that is common, as counted when it was compared. Text that more than 100 members share makes no pairs: only this figure shows it.",
  ),
  corpus_similarity_pct: Percentage.nullable().describe(
    "The score against the corpus; null if the batch is not compared with it.",
  ),
}).meta({ id: "RankedMember" });

export const BatchReportSchema = z
  .object({
    batch_id: Uuid,
    title: z.string().nullable(),
    status: z.enum(BATCH_STATUSES).describe("Until the batch is `complete`, pairs may be missing."),
    ...PROGRESS,
    min_similarity: Percentage,
    members: z
      .array(RankedMember)
      .describe("One page of the members that were read, by descending similarity."),
    pairs: z
      .array(Pair)
      .describe("One page of the pairs of at least `min_similarity`, by descending similarity."),
    pairs_total: Count.describe("The number of pairs of at least `min_similarity`, on all pages."),
    clusters: z
      .array(z.object({ members: z.array(MemberReference), pairs: Count }))
      .describe(
        "Members that are connected by these pairs, directly or through others; the largest cluster first.",
      ),
    histogram: z
      .array(z.object({ from_pct: Count, to_pct: Count, members: Count, pairs: Count }))
      .describe(
        "By similarity, in ranges of ten percent: members by their highest, pairs by the greater of both sides. The last range includes 100; members without a pair are in the first one.",
      ),
    unreadable: z.array(BatchMember).describe("Members that failed, with the reasons."),
    offset: Count,
    limit: Count,
  })
  .meta({ id: "BatchReport" });

export const BatchGraphSchema = z
  .object({
    batch_id: Uuid,
    status: z.enum(BATCH_STATUSES).describe("Until the batch is `complete`, pairs may be missing."),
    ...PROGRESS,
    min_similarity: Percentage,
    members: z
      .array(RankedMember.extend({ nearest: Count.nullable().describe("The ordinal of that member.") }))
      .describe("All members that were read, by descending similarity."),
    pairs: z
      .object({
        a: z.array(Count).describe("Ordinals of members."),
        b: z.array(Count).describe("Ordinals of the members that arrived later."),
        a_similarity_pct: z.array(Percentage),
        b_similarity_pct: z.array(Percentage),
        passage_count: z.array(Count),
        longest_passage_chars: z.array(Count),
      })
      .describe(
        "The pairs as columns of equal length, by descending similarity; at most the 50,000 most similar ones.",
      ),
    pairs_total: Count.describe(
      "The number of pairs of at least `min_similarity`, including those that are left out.",
    ),
  })
  .meta({ id: "BatchGraph" });

const Spans = z.array(z.array(Offset).length(2));

const PairText = PairSide.extend({
  check_id: Uuid,
  language: z.string(),
  text: z.string().describe("The whole text."),
  char_count: Count,
  compared_chars: Count.describe("Characters outside the templates."),
  template_text: Spans.describe("[start, end) pairs: text that comes from a template and is not compared."),
  common_text: Spans.describe("[start, end) pairs: text that many members share."),
  quotations: Spans.describe("[start, end) pairs: text in quotation marks, and block quotes."),
}).meta({ id: "PairText" });

const PairPassageSchema = MemberPassage.extend({
  is_quoted: z.boolean().describe("Whether half or more of it is in quotation marks, in either text."),
  is_common: z.boolean().describe("Whether half or more of it is text that many members share."),
}).meta({ id: "PairPassage" });

export const PairViewSchema = z
  .object({
    batch_id: Uuid,
    offset_unit: z.enum(["code_point", "utf16"]),
    a: PairText,
    b: PairText,
    similarity_pct: Percentage,
    longest_passage_chars: Count,
    passages: z
      .array(PairPassageSchema)
      .describe(
        "Ascending by their place in `b`, which arrived later: query offsets are those of `b`, source offsets those of `a`.",
      ),
  })
  .meta({ id: "BatchPairView" });
