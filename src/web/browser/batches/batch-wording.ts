import type { Batch, BatchProgressEvent } from "../../../client/index.ts";
import { count, date } from "../shared/wording.ts";
import type { MemberCluster } from "./batch-graph.ts";

const NAMES_LISTED = 4;

/** The title of a batch; one without a title is named by its time. */
export function batchName({ title, created_at }: Pick<Batch, "title" | "created_at">): string {
  return title ?? `Batch of ${date(created_at)}`;
}

export function isRunning({ status }: Pick<Batch, "status">): boolean {
  return status !== "complete";
}

/** The fraction of a batch that is done, from 0 to 1: reading a text and comparing it take about the same time. */
export function shareDone({ members_total, members_read, members_compared }: BatchProgressEvent): number {
  return members_total === 0 ? 0 : (members_read + members_compared) / (2 * members_total);
}

export function stateInWords(progress: BatchProgressEvent): string {
  const { status, members_total: all, members_read: read, members_compared: compared } = progress;
  if (status === "reading") return `${count(read)} of ${count(all)} read`;
  if (status === "comparing") return `${count(compared)} of ${count(all)} compared`;
  return "Complete";
}

export function comparedWithInWords({ compare_with }: Pick<Batch, "compare_with">): string {
  switch (compare_with) {
    case "members":
      return "each other";
    case "corpus":
      return "the corpus";
    case "both":
      return "each other and the corpus";
  }
}

/** Some of the members of a cluster. @param shortNamesOf by the members' names */
export function namesInWords({ members }: MemberCluster, shortNamesOf: ReadonlyMap<string, string>): string {
  const names = members.slice(0, NAMES_LISTED).map(({ name }) => shortNamesOf.get(name) ?? name);
  const more = members.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}
