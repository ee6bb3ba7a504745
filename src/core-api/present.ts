import type { Submission } from "./submission.ts";
import type { KnownSubmission } from "./submissions.ts";

/** Pages are estimated from words, since most files have none. */
const WORDS_PER_PAGE = 300;

/** A submission, in answers and in events. In case of an error clients read its code from either of two members. */
export function presentSubmission(submission: KnownSubmission) {
  const { submissionId, owner, title, status, errorCode, createdAt } = submission;
  const { contentType = null, wordCount = null, charCount = null } = submission;
  return {
    id: submissionId,
    ...(owner !== null && { owner }),
    title,
    status,
    ...(errorCode !== null && { error_code: errorCode, message: errorCode }),
    ...(contentType !== null && { content_type: contentType }),
    ...(wordCount !== null && {
      page_count: Math.max(1, Math.ceil(wordCount / WORDS_PER_PAGE)),
      word_count: wordCount,
    }),
    ...(charCount !== null && { character_count: charCount }),
    created_time: createdAt.toISOString(),
    capabilities: status === "COMPLETE" ? ["INDEX", "VIEWER", "SIMILARITY"] : [],
  };
}

/** A file that was handed out to a group. */
export function presentAttachment({ submissionId, title, status, errorCode }: KnownSubmission) {
  return {
    id: submissionId,
    title,
    status,
    template: true,
    ...(errorCode !== null && { error_code: errorCode, message: errorCode }),
  };
}

/** A requested report. There is no state for a failed one: the submission has the error then. */
export function presentSimilarity({ submissionId, similarity, requestedAt, errorCode }: Submission) {
  if (similarity !== null) return similarity;
  return {
    submission_id: submissionId,
    status: "PROCESSING" as const,
    ...(errorCode !== null && { message: errorCode }),
    ...(requestedAt !== null && { time_requested: requestedAt.toISOString() }),
  };
}
