import type { Batch, BatchProgressEvent } from "../../../client/index.ts";
import { say, texts } from "../shared/texts.ts";
import { count, isolated } from "../shared/wording.ts";
import type { MemberCluster } from "./batch-graph.ts";

const NAMES_LISTED = 4;

export function isRunning({ status }: Pick<Batch, "status">): boolean {
  return status !== "complete";
}

/** The fraction of a batch that is done, from 0 to 1: reading a text and comparing it take about the same time. */
export function shareDone({ members_total, members_read, members_compared }: BatchProgressEvent): number {
  return members_total === 0 ? 0 : (members_read + members_compared) / (2 * members_total);
}

export function stateInWords(progress: BatchProgressEvent): string {
  const { status, members_total: all, members_read: read, members_compared: compared } = progress;
  if (status === "reading") return say("batch.readOf", { done: count(read), total: count(all) });
  if (status === "comparing") return say("batch.comparedOf", { done: count(compared), total: count(all) });
  return say("checks.complete");
}

export function comparedInWords({ compare_with: how }: Pick<Batch, "compare_with">): string {
  return say("batches.compared", { how: say(`batches.${how}`) });
}

/** Some of the members of a cluster. @param shortNamesOf by the members' names */
export function namesInWords({ members }: MemberCluster, shortNamesOf: ReadonlyMap<string, string>): string {
  const names = members.slice(0, NAMES_LISTED).map(({ name }) => isolated(shortNamesOf.get(name) ?? name));
  const more = members.length - names.length;
  return texts.list(more > 0 ? [...names, say("pending.more", { count: count(more) })] : names);
}

/**
 * The names of a batch's members, each in up to `charsMax` characters, by the full names. Beginnings and ends that all names have in
 * common, such as the folder of a course or a learning platform's suffix, are left out, unless all names fit.
 */
export function shortNames(names: readonly string[], charsMax: number): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)];
  const whole = distinct.map((name) => name.replace(/(?<=.)\.\w{1,5}$/, ""));
  const isFitting = whole.every((name) => [...name].length <= charsMax);
  const after = isFitting ? 0 : commonStart(whole);
  const rests = whole.map((name) => name.slice(after));
  const end = isFitting ? 0 : commonEnd(rests);
  const kept = rests.map((rest) => [...rest.slice(0, rest.length - end)]);
  const heads = kept.map((chars) =>
    chars.length <= charsMax ? chars : [...chars.slice(0, charsMax - 1), "…"],
  );
  const tails = kept.map((chars) => (chars.length <= charsMax ? chars : ["…", ...chars.slice(1 - charsMax)]));
  // Students' names are usually at the beginning. In paths of deep folders, only the ends may differ.
  const shown = countOf(heads) >= countOf(tails) ? heads : tails;
  return new Map(distinct.map((name, at) => [name, shown[at]?.join("") ?? name]));
}

/** Where parts of a name end: at folders, underscores and spaces. */
const BOUNDARY = /[/_\s]/;

/** The length of the common beginning of all names, up to and including a boundary. */
function commonStart(names: readonly string[]): number {
  const [first = "", ...others] = names;
  if (others.length === 0) return 0;
  let end = 0;
  for (let at = 0; others.every((name) => name[at] === first[at]) && at < first.length; at++)
    if (BOUNDARY.test(first[at] ?? "")) end = at + 1;
  // A name that is nothing but the common start has nothing else to be known by.
  return names.some((name) => name.length === end) ? 0 : end;
}

/** The length of the common end of all names, from a boundary on. */
function commonEnd(names: readonly string[]): number {
  return commonStart(names.map((name) => [...name].toReversed().join("")));
}

function countOf(names: readonly (readonly string[])[]): number {
  return new Set(names.map((chars) => chars.join(""))).size;
}

/** Similarities are drawn in five steps, which can be told apart; each begins at this percentage. */
const LEVEL_STARTS = [0, 10, 25, 50, 75] as const;
export const LEVELS = LEVEL_STARTS.map((from, at) => ({
  from,
  label: texts.percentRange(from, LEVEL_STARTS[at + 1] ?? 100),
}));

/** The number of the step, from 1. */
export function levelOf(pct: number): number {
  return LEVELS.findLastIndex(({ from }) => pct >= from) + 1;
}
