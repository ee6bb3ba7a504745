/**
 * What a report says in words, in English: pure, without imports that run, for the exports and for the pages in the browser.
 */
import type { z } from "zod";
import type { Report } from "./api/schema.ts";

type WireReport = z.output<typeof Report>;
type MatchType = WireReport["sources"][number]["passages"][number]["match_type"];
type FlagKind = WireReport["integrity_flags"][number]["kind"];

/** Writes a count. The exports do so in English; a page does as its reader's own language does. */
type WriteCount = (value: number) => string;

const inEnglish: WriteCount = (value) => value.toLocaleString("en");

/** A count with its noun: `1 document`, `12,345 documents`. */
export function counted(value: number, one: string, many = `${one}s`, count = inEnglish): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A percentage with its two decimals: `12.30%`. */
export function percentage(value: number): string {
  return `${value.toFixed(2)}%`;
}

type Score = Pick<WireReport, "total_matched_chars" | "char_count" | "filters"> & {
  readonly sources: readonly unknown[];
};

/** What the score means. Where filters take text out of what is counted, the report does not say how much is left. */
export function scoreInWords(report: Score, count = inEnglish): string {
  const { total_matched_chars: matched, sources, char_count: length, filters } = report;
  if (matched === 0)
    return filters === null
      ? "Nothing of this text was found in the corpus."
      : "Nothing of this text is left with these filters.";
  const characters = (value: number) => counted(value, "character", undefined, count);
  const where =
    sources.length === 0
      ? "in sources that have since been deleted"
      : `in ${counted(sources.length, "source", undefined, count)}`;
  const found = `${matched === 1 ? "is" : "are"} found ${where}.`;
  const { exclude_quotes, exclude_bibliography } = filters?.applied ?? {};
  return exclude_quotes === true || exclude_bibliography === true
    ? `Of the text that is left, ${characters(matched)} ${found}`
    : `${count(matched)} of ${characters(length)} ${found}`;
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
export function passagesInWords(
  passages: readonly { readonly match_type: MatchType }[],
  count = inEnglish,
): string {
  const types = Map.groupBy(passages, ({ match_type }) => match_type);
  const present = MATCH_TYPES_CLOSEST_FIRST.filter((type) => types.has(type));
  const all = counted(passages.length, "passage", undefined, count);
  const [only] = present;
  if (only !== undefined && present.length === 1) return `${all}, ${matchTypeLabel(only)}`;
  const each = present.map((type) => `${count(types.get(type)?.length ?? 0)} ${matchTypeLabel(type)}`);
  return `${all}: ${each.join(", ")}`;
}

const MATCH_TYPES_CLOSEST_FIRST = ["identical", "minor_changes", "paraphrased"] as const;

/** What of the text was searched for; of a partial search why, and what that means. */
export function coverageInWords(
  report: Pick<WireReport, "coverage" | "checked_chunks" | "total_chunks">,
  count = inEnglish,
): { readonly title: string; readonly text: string } {
  if (report.coverage === "full")
    return { title: "Searched in full", text: "The whole text was searched for in the corpus." };
  const parts = counted(report.total_chunks, "part", undefined, count);
  return {
    title: "Not all of the text was searched for",
    text:
      `The time for this check ended when ${count(report.checked_chunks)} of ${parts} of the text had been searched for ` +
      "in the corpus. Every match shown is a match; in the rest of the text there may be more. To have all of it " +
      "searched for, submit the text again, or in smaller pieces.",
  };
}

/** Says that uploads could not be compared; undefined when there were none. */
export function pendingInWords(
  { documents_pending: pending }: Pick<WireReport, "documents_pending">,
  count = inEnglish,
): string | undefined {
  if (pending === 0) return undefined;
  const were = pending === 1 ? "was" : "were";
  return `${counted(pending, "uploaded document", undefined, count)} ${were} still being indexed and ${were} not compared. Submit the text again to compare it with all documents.`;
}

/** What kind of disguise a flag is about, with a number of them: `2 words with letters of another alphabet`. */
export function flagCount(kind: FlagKind, number: number, count = inEnglish): string {
  const [one, many] = FLAGS[kind];
  return counted(number, one, many, count);
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
