/**
 * What a report says in words, in English: pure, without imports that run, for the exports and for the pages in the browser.
 */
import type { z } from "zod";
import type { Report } from "./schema.ts";

type WireReport = z.output<typeof Report>;
type MatchType = WireReport["sources"][number]["passages"][number]["match_type"];
type FlagKind = WireReport["integrity_flags"][number]["kind"];

/** A count with its noun: `1 document`, `12,345 documents`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString("en")} ${value === 1 ? one : many}`;
}

/** A percentage with its two decimals: `12.30%`. */
export function percentage(value: number): string {
  return `${value.toFixed(2)}%`;
}

/** What the score means. */
export function scoreInWords(report: WireReport): string {
  const { total_matched_chars: matched, sources, char_count: length, filters } = report;
  if (matched === 0)
    return filters === null
      ? "Nothing of this text was found in the corpus."
      : "Nothing of this text is left with these filters.";
  const where =
    sources.length === 0
      ? "in sources that have since been deleted"
      : `in ${counted(sources.length, "source")}`;
  const applied = filters?.applied ?? {};
  const isShortened = applied.exclude_quotes === true || applied.exclude_bibliography === true;
  const share = isShortened
    ? `${counted(matched, "character")} of the text that is left`
    : `${matched.toLocaleString("en")} of ${counted(length, "character")}`;
  return `${share} ${matched === 1 ? "is" : "are"} found ${where}.`;
}

/** How close a passage is to its source. */
export function matchTypeLabel(type: MatchType): string {
  return MATCH_TYPES[type];
}

const MATCH_TYPES = {
  identical: "identical",
  minor_changes: "small changes",
  paraphrased: "reworded",
} as const satisfies Record<MatchType, string>;

/** How many passages of each kind, the closest kind first: `2 passages, identical`, `3 passages: 2 identical, 1 reworded`. */
export function passagesInWords(passages: readonly { readonly match_type: MatchType }[]): string {
  const types = Map.groupBy(passages, ({ match_type }) => match_type);
  const present = MATCH_TYPES_CLOSEST_FIRST.filter((type) => types.has(type));
  const all = counted(passages.length, "passage");
  const [only] = present;
  if (only !== undefined && present.length === 1) return `${all}, ${matchTypeLabel(only)}`;
  const each = present.map(
    (type) => `${(types.get(type)?.length ?? 0).toLocaleString("en")} ${matchTypeLabel(type)}`,
  );
  return `${all}: ${each.join(", ")}`;
}

const MATCH_TYPES_CLOSEST_FIRST = ["identical", "minor_changes", "paraphrased"] as const;

/** What of the text was searched for; of a partial search why, and what that means. */
export function coverageInWords(report: Pick<WireReport, "coverage" | "checked_chunks" | "total_chunks">): {
  readonly title: string;
  readonly text: string;
} {
  if (report.coverage === "full")
    return { title: "Searched in full", text: "The whole text was searched for in the corpus." };
  const { checked_chunks: checked, total_chunks: total } = report;
  return {
    title: "Searched in part only",
    text:
      `The time that a check may take ended when ${checked.toLocaleString("en")} of ${counted(total, "part")} of the ` +
      "text had been searched for. What was found is shown; the rest of the text may have matches too. Submit the " +
      "text again, or in smaller pieces, to have all of it searched for.",
  };
}

/** What kind of disguise a flag is about, with a number of them: `2 words with letters of another alphabet`. */
export function flagCount(kind: FlagKind, number: number): string {
  const [one, many] = FLAGS[kind];
  return counted(number, one, many);
}

const FLAGS = {
  homoglyphs: ["word with letters of another alphabet", "words with letters of another alphabet"],
  invisible_characters: ["place with invisible characters", "places with invisible characters"],
  bidi_controls: ["place that turns the reading direction", "places that turn the reading direction"],
  spaced_letters: ["place with letters set apart", "places with letters set apart"],
} as const satisfies Record<FlagKind, readonly [one: string, many: string]>;

/** The filters of a report, a phrase each: `without quotations`; none for a report without filters. */
export function filtersInWords({ filters }: Pick<WireReport, "filters">): string[] {
  return Object.entries(filters?.applied ?? {}).map(([name, value]) => filterInWords(name, value));
}

function filterInWords(name: string, value: unknown): string {
  if (name === "exclude_quotes") return "without quotations";
  if (name === "exclude_bibliography") return "without lists of references";
  if (name === "min_words") return `passages of at least ${counted(Number(value), "word")}`;
  const list = Array.isArray(value) ? value.map(String) : [String(value)];
  if (name === "exclude_sources") return `without ${counted(list.length, "chosen source")}`;
  if (name === "match_types") return `only ${list.map(typeInWords).join(" and ")}`;
  return `${name}: ${list.join(", ")}`;
}

function typeInWords(type: string): string {
  return Object.entries(MATCH_TYPES).find(([name]) => name === type)?.[1] ?? type;
}
