import type { Check, ReportExplanation } from "../../../../client/index.ts";

/** Why a passage is not counted, behind "left out: ". */
export function filterReason(filter: ReportExplanation["filtered_out"][number]["filter"]): string {
  return FILTER_REASONS[filter];
}

const FILTER_REASONS = {
  exclude_quotes: "in quotation marks",
  exclude_bibliography: "in a list of references",
  min_words: "too short",
  exclude_sources: "its source is left out",
  match_types: "of a kind that is left out",
} as const satisfies Record<ReportExplanation["filtered_out"][number]["filter"], string>;

/** Where a match was dropped, why. */
export function dropReason(reason: string): string {
  return DROP_REASONS[reason] ?? reason.replaceAll("_", " ");
}

const DROP_REASONS: Readonly<Record<string, string>> = {
  too_short: "too short to count as reuse",
  duplicate: "inside a better match",
  remainder_too_short: "too little was left beside a better match",
  set_phrase: "made of phrases that many documents share",
};

/** What a check is called at the top of its report. */
export function reportTitle({ title }: Pick<Check, "title">): string {
  return title ?? "Untitled check";
}
