import { z } from "zod";
import { storableText, Timestamp, Uuid, uuidParameter } from "../../http/input/wire-types.ts";
import { submissionNotFound } from "../core-api-error.ts";
import { ERROR_CODES, SELF_MATCHING_SCOPES } from "../submission.ts";
import { EVENT_TYPES } from "../webhooks/event-store.ts";

const EXAMPLE_ID = "3f9a1c52-6c1e-4b60-9d2a-5f0c4e8b7a11";

const TEXT = storableText({ charsMin: 0, charsMax: 2_000 });

/** Some clients never repeat a request, so no title is refused; those of long names of files are percent-encoded. */
const TITLE_CHARS_MAX = 10_000;
const Title = z
  .string()
  .transform((title) => title.slice(0, TITLE_CHARS_MAX).replaceAll("\0", "").toWellFormed())
  .describe(`Cut after ${TITLE_CHARS_MAX.toLocaleString("en")} characters.`);

/** Some clients send numbers. */
const Id = z
  .union([storableText({ charsMin: 1, charsMax: 255 }), z.number()])
  .transform(String)
  .describe("An identifier of the client's.");

const IdParameter = uuidParameter("The submission.", EXAMPLE_ID, submissionNotFound);

export const SubmissionParams = z.object({ id: IdParameter });
export const PdfParams = z.object({ id: IdParameter, pdf_id: IdParameter.describe("The PDF.") });
export const WebhookParams = z.object({ id: IdParameter.describe("The webhook.") });
const GroupId = TEXT.describe("The group, as submissions name it.");
export const GroupParams = z.object({ group_id: GroupId });
export const AttachmentParams = z.object({
  group_id: GroupId,
  id: IdParameter.describe("The attachment."),
});
export const EulaParams = z.object({ version: TEXT.describe("A version, or `latest`.") });
export const AcceptanceParams = EulaParams.extend({ user_id: TEXT.describe("The user.") });

/** An answer whose members are those of the protocol. */
const Answer = z.record(z.string(), z.unknown());

export const Message = z.object({ message: z.string() });

export const Failure = z.object({
  status: z.int().describe("The HTTP status."),
  message: z.string().describe("The reason; where the protocol has a code for it, the code alone."),
});

export const Features = Answer.describe("What the service does, and whether terms have to be accepted.");

export const EulaVersion = Answer.describe("The version, with the address of its text.");

export const AcceptBody = z.object({
  user_id: Id,
  accepted_timestamp: z.string().nullish(),
  language: TEXT.nullish(),
});

export const AcceptedEula = Answer.describe("Who accepted which version, and when.");

const Named = z.object({ id: Id.nullish() });

export const SubmissionBody = z.object({
  owner: Id.nullish().describe("Whose text it is."),
  submitter: Id.nullish().describe("Who hands it in; the owner without it."),
  title: Title.nullish(),
  metadata: z
    .object({
      owners: z.array(Named).nullish(),
      submitter: Named.nullish(),
      group: Named.nullish().describe("Such as an assignment."),
      group_context: Named.nullish().describe("Such as a course."),
    })
    .nullish()
    .describe("Only identifiers are kept, no names and addresses of people."),
  eula: z.object({ version: TEXT.nullish(), language: TEXT.nullish() }).nullish(),
});

export const SubmissionAnswer = z.object({
  id: Uuid,
  owner: z.string().optional(),
  title: z.string(),
  status: z.enum(["CREATED", "PROCESSING", "COMPLETE", "ERROR"]),
  error_code: z
    .string()
    .optional()
    .describe(`One of ${ERROR_CODES.join(", ")}.`),
  message: z.string().optional().describe("The same code."),
  content_type: z.string().optional(),
  page_count: z.int().optional().describe("Estimated from the words."),
  word_count: z.int().optional(),
  character_count: z.int().optional(),
  created_time: Timestamp,
  capabilities: z.array(z.string()),
});

const Flag = z.boolean().nullish();

export const SimilarityBody = z.object({
  indexing_settings: z
    .object({ add_to_index: Flag.describe("Whether later texts are compared with this one.") })
    .nullish(),
  generation_settings: z
    .object({
      search_repositories: z.array(z.string()).nullish().describe("Unknown names are ignored."),
      auto_exclude_self_matching_scope: z
        .enum(SELF_MATCHING_SCOPES)
        .nullish()
        .catch(null)
        .describe("Where earlier submissions of the same owner are left out; `ALL` without it."),
      submission_auto_excludes: z
        .array(z.guid("must be a UUID").toLowerCase())
        .max(1_000, "must be at most 1,000 submissions")
        .nullish()
        .describe("Submissions that are left out."),
      priority: z.string().nullish().describe("Ignored."),
    })
    .nullish(),
  view_settings: z
    .object({
      exclude_quotes: Flag,
      exclude_bibliography: Flag,
      exclude_small_matches: z
        .union([z.int().min(0).max(100_000), z.boolean()])
        .nullish()
        .describe("The fewest words of a match that counts."),
      exclude_submitted_works: Flag,
    })
    .nullish()
    .describe("Other settings are ignored."),
});

const Share = z.int().min(0).max(100);

export const SimilarityAnswer = z.object({
  submission_id: Uuid,
  status: z.enum(["PROCESSING", "COMPLETE"]),
  message: z.string().optional().describe("The code of the submission's error, if it has one."),
  overall_match_percentage: Share.optional(),
  internet_match_percentage: Share.optional(),
  publication_match_percentage: Share.optional(),
  submitted_works_match_percentage: Share.optional(),
  top_source_largest_matched_word_count: z.int().optional(),
  top_matches: z
    .array(
      z.object({
        name: z.string(),
        percentage: z.number(),
        source_type: z.enum(["INTERNET", "PUBLICATION", "SUBMITTED_WORK"]),
        matched_word_count_total: z.int(),
        submission_id: Uuid.optional(),
        submitted_date: Timestamp.optional(),
      }),
    )
    .readonly()
    .optional(),
  time_requested: Timestamp.optional(),
  time_generated: Timestamp.optional(),
});

export const ViewerBody = z.object({
  viewer_user_id: Id.nullish(),
  locale: z.string().nullish(),
  viewer_default_permission_set: z.string().nullish().describe("Such as `LEARNER` or `INSTRUCTOR`."),
  viewer_permissions: z
    .object({
      may_view_submission_full_source: Flag,
      may_view_match_submission_info: Flag,
      may_view_save_viewer_changes: Flag,
    })
    .nullish(),
  similarity: z.object({ view_settings: z.object({ save_changes: Flag }).nullish() }).nullish(),
});

export const ViewerAnswer = z.object({ viewer_url: z.string() });
export const PdfBody = z.object({ locale: z.string().nullish() });
export const PdfAnswer = z.object({ id: Uuid });
export const PdfStatus = z.object({ status: z.enum(["PENDING", "SUCCESS", "FAILED"]) });
export const IndexState = z.object({ is_indexed: z.boolean() });

export const AttachmentBody = z.object({ title: Title.nullish(), template: z.boolean().nullish() });
export const AttachmentAnswer = z.object({
  id: Uuid,
  title: z.string(),
  status: z.enum(["CREATED", "PROCESSING", "COMPLETE", "ERROR"]),
  template: z.boolean(),
  error_code: z.string().optional(),
  message: z.string().optional(),
});
export const AttachmentList = z.object({ attachments: z.array(AttachmentAnswer) });

const EventTypes = z
  .array(z.string())
  .transform((types) => EVENT_TYPES.filter((type) => types.includes(type)))
  .describe(`Some of ${EVENT_TYPES.join(", ")}; others are ignored.`);

const Secret = z
  .string()
  .min(1)
  .max(1_000)
  .describe("In base64. Events are signed with the bytes that it stands for.");

export const WebhookBody = z.object({
  signing_secret: Secret,
  url: z.string().max(2_000).describe("An address on a host that the operator lists."),
  description: TEXT.nullish(),
  event_types: EventTypes,
  allow_insecure: Flag.describe("Whether the address may begin with `http:`."),
});

export const WebhookChange = WebhookBody.partial();

export const WebhookAnswer = z.object({
  id: Uuid,
  url: z.string(),
  description: z.string().optional(),
  created_time: Timestamp,
  event_types: z.array(z.string()).readonly(),
  allow_insecure: z.boolean(),
});
