import type { Check, Report, ReportExplanation } from "../../../../client/index.ts";
import { count, counted } from "../../frame/wording/numbers.ts";

/** What the score means, with numbers as the reader's own language writes them; the exports say it in English. */
export function scoreInWords(report: Report): string {
  const { total_matched_chars: matched, char_count: all, sources } = report;
  if (matched === 0)
    return report.filters === null
      ? "Nothing of this text was found in the corpus."
      : "Nothing of this text is left with these filters.";
  const where =
    sources.length === 0
      ? "in sources that have since been deleted"
      : `in ${counted(sources.length, "source")}`;
  const found = cutsText(report)
    ? `${counted(matched, "character")} of the text that counts`
    : `${count(matched)} of ${counted(all, "character")}`;
  return `${found} ${matched === 1 ? "is" : "are"} found ${where}.`;
}

/** Whether filters take text out of what is counted; how much, the report does not say. */
function cutsText({ filters }: Report): boolean {
  return filters?.applied.exclude_quotes === true || filters?.applied.exclude_bibliography === true;
}

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
