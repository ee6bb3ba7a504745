import type { Submission } from "./submission.ts";

/**
 * Whether a report of `query` must not show a document that came from the submission `source`: its own text, a text of another key,
 * and what its request leaves out, such as earlier drafts of the same owner.
 */
export function isHidden(query: Submission, source: Submission): boolean {
  const { request } = query;
  if (source.submissionId === query.submissionId || source.keyName !== query.keyName) return true;
  if (request === null) return false;
  if (request.withoutSubmittedWorks || request.leaveOut.includes(source.submissionId)) return true;
  return isOwnWork(query, source);
}

function isOwnWork(query: Submission, source: Submission): boolean {
  if (query.owner === null || query.owner !== source.owner) return false;
  switch (query.request?.selfMatchingScope) {
    case "ALL":
      return true;
    case "GROUP":
      return query.groupId !== null && query.groupId === source.groupId;
    case "GROUP_CONTEXT":
      return query.contextId !== null && query.contextId === source.contextId;
    default:
      return false;
  }
}
