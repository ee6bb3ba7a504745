import type { Check, IntegrityFlag, Passage, Report, ReportExplanation } from "../../../../client/index.ts";
import { count, counted } from "../../frame/wording/numbers.ts";

/** What the score means. */
export function scoreInWords(report: Report): string {
  const { total_matched_chars: matched, char_count: all, sources } = report;
  if (matched === 0) return "Nothing of this text was found in the corpus.";
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

export function matchTypeLabel(type: Passage["match_type"]): string {
  return MATCH_TYPE_LABELS[type];
}

const MATCH_TYPE_LABELS = {
  identical: "identical",
  minor_changes: "small changes",
  paraphrased: "reworded",
} as const satisfies Record<Passage["match_type"], string>;

/** How many passages of each kind, the closest kind first: `3 identical · 1 reworded`. */
export function matchTypeCounts(passages: readonly Passage[]): string {
  const types = Map.groupBy(passages, ({ match_type }) => match_type);
  return (["identical", "minor_changes", "paraphrased"] as const)
    .flatMap((type) => {
      const found = types.get(type)?.length;
      return found === undefined ? [] : `${count(found)} ${matchTypeLabel(type)}`;
    })
    .join(" · ");
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

/** What kind of disguise a flag is about, with a number of them: `2 words with letters of another alphabet`. */
export function flagCount(kind: IntegrityFlag["kind"], number: number): string {
  const [one, many] = FLAG_NAMES[kind];
  return counted(number, one, many);
}

const FLAG_NAMES = {
  homoglyphs: ["word with letters of another alphabet", "words with letters of another alphabet"],
  invisible_characters: ["place with invisible characters", "places with invisible characters"],
  bidi_controls: ["place that turns the reading direction", "places that turn the reading direction"],
  spaced_letters: ["place with letters set apart", "places with letters set apart"],
} as const satisfies Record<IntegrityFlag["kind"], readonly [one: string, many: string]>;

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
