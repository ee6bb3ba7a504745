import type { DropReason } from "../matching/words/dropped-matches.ts";
import { languageName } from "../text/language-name.ts";
import { type PageNote, pageList } from "../text/page-notes.ts";
import { COUNTED_DOCUMENTS_MAX } from "./figures/report.ts";
import type { FILTER_NAMES, WireReport } from "./presented-report.ts";

export { languageName };

// The English wording of a report, shared by the exports and the pages in the browser: pure, and free of everything that only Node.js has.

type MatchType = WireReport["sources"][number]["passages"][number]["match_type"];
type FilterName = (typeof FILTER_NAMES)[number];
type FlagKind = WireReport["integrity_flags"][number]["kind"];

/** Formats a count: the exports in English, the pages in the reader's locale. */
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

/** The sentences of a report about the batch of its check. */
type OfBatch = {
  readonly batch:
    | (Pick<
        NonNullable<WireReport["batch"]>,
        "is_compared_with_corpus" | "is_complete" | "similarity_pct" | "members_total"
      > & { readonly members: readonly unknown[] })
    | null;
};

/** Whether a check is a member of a batch without the corpus: its figures about the corpus are then all 0, and say nothing. */
export function isComparedWithMembersOnly({ batch }: OfBatch): boolean {
  return batch?.is_compared_with_corpus === false;
}

/** The score to show: of a text that was compared with the other members of its batch only, how much of it these have too. */
export function shownScore(report: OfBatch & Pick<WireReport, "overall_similarity_pct">): number {
  return isComparedWithMembersOnly(report)
    ? (report.batch?.similarity_pct ?? 0)
    : report.overall_similarity_pct;
}

type Score = OfBatch &
  Limited &
  Pick<WireReport, "total_matched_chars" | "compared_chars" | "char_count" | "filters"> & {
    readonly sources: readonly Pick<WireReport["sources"][number], "exclusive_matched_chars">[];
  };

/** The meaning of the score, with the figures that it is computed from. */
export function scoreInWords(report: Score, count = inEnglish): string {
  const { batch, total_matched_chars: matched, sources, compared_chars: compared, filters } = report;
  if (batch !== null && isComparedWithMembersOnly(report)) return batchScoreInWords(batch, count);
  if (matched === 0)
    return filters === null
      ? `No matches found in ${comparedInWords(report)}.`
      : "No matches remain with these filters.";
  const characters = counted(compared, "character", undefined, count);
  const left = compared < report.char_count ? " left by the filters" : "";
  const match = matched === 1 ? "matches" : "match";
  const orphaned = matched - sources.reduce((sum, source) => sum + source.exclusive_matched_chars, 0);
  if (sources.length === 0)
    return `${count(matched)} of ${characters}${left} ${match} sources that have since been deleted.`;
  const found = `${count(matched)} of ${characters}${left} ${match} ${counted(sources.length, "source", undefined, count)}`;
  return orphaned > 0
    ? `${found} and others that have since been deleted, which ${count(orphaned)} of them matched.`
    : `${found}.`;
}

function batchScoreInWords(batch: NonNullable<OfBatch["batch"]>, count: (value: number) => string): string {
  const { members_total: total, members, is_complete: isComplete } = batch;
  if (total === 0)
    return `No passages in common with other texts of the batch${isComplete ? "" : " so far"}.`;
  const others = counted(total, "other text", undefined, count);
  const of = members.length < total ? `the ${count(members.length)} most similar of ${others}` : others;
  return `of this text is also in ${of} of the batch, with quotations and common text.`;
}

/** How much was reused in one way. */
type ReuseKind = {
  readonly type: MatchType;
  readonly label: string;
  readonly chars: number;
  readonly pct: number;
};

/** The kinds of reuse that occur in a report, the closest first; their figures add up to the score. */
export function reuseKinds({ match_types: shares }: Pick<WireReport, "match_types">): ReuseKind[] {
  return MATCH_TYPES_CLOSEST_FIRST.filter((type) => shares[type].matched_chars > 0).map((type) => ({
    type,
    label: matchTypeLabel(type),
    chars: shares[type].matched_chars,
    pct: shares[type].similarity_pct,
  }));
}

/** Explains the shares of sources: in the score, and each on its own. */
export const OVERVIEW_ADVICE =
  "Each character counts for the one source that explains it best, so the shares add up to the score, but for rounding.";
export const SHARES_ADVICE =
  "Share: all that this source has in common with the text. In the score: text that stands in several sources is counted once, for the best match.";
export const ALONE_ADVICE = "Each source counts all that it matches, also what others match too.";

/** Explains the marks in passages beside their sources. */
export const PAIRS_ADVICE =
  "Of copied text, the words that differ are underlined; of reworded text, the wording that both sides share is bold.";

export const JUDGEMENT_TITLE = "A match is not yet plagiarism";
export const JUDGEMENT_ADVICE =
  "A match means that the text also appears in another document. Whether that is plagiarism is for people to judge: " +
  "quotations, boilerplate and the author’s own earlier work match too.";

/** The remark after the name of a language that the user did not state. */
export function languageOriginInWords(origin: WireReport["language_origin"]): string {
  return LANGUAGE_ORIGINS[origin];
}

const LANGUAGE_ORIGINS = {
  stated: "",
  detected: " (detected)",
  default: " (assumed: the text is too short or too mixed to tell)",
} as const satisfies Record<WireReport["language_origin"], string>;

/** How similar a passage is to its source. */
export function matchTypeLabel(type: MatchType): string {
  return MATCH_TYPES[type];
}

/** The same, with the source's language for a translation: `translated from English`. */
export function matchInWords(type: MatchType, sourceLanguage: string): string {
  const label = matchTypeLabel(type);
  return type === "translated" ? `${label} from ${languageName(sourceLanguage)}` : label;
}

const MATCH_TYPES = {
  identical: "identical",
  minor_changes: "slightly changed",
  paraphrased: "paraphrased",
  translated: "translated",
} as const satisfies Record<MatchType, string>;

/** A passage, and its runs if it was reused in several ways. */
type Reused = {
  readonly match_type: MatchType;
  readonly runs?: readonly { readonly match_type: MatchType }[];
  readonly meaning?: { readonly source_language: string | null } | null;
};

function kindsOf({ match_type, runs = [] }: Reused): readonly MatchType[] {
  const own = MATCH_TYPES_CLOSEST_FIRST.filter((type) => runs.some((run) => run.match_type === type));
  return runs.length < 2 || own.length === 0 ? [match_type] : own;
}

/** How a passage was reused: `identical`, `identical and paraphrased`, `translated from English`. The language is the passage's, even if most of the source is in another one. */
export function passageInWords(passage: Reused, sourceLanguage: string): string {
  const kinds = kindsOf(passage);
  const [only] = kinds;
  return only !== undefined && kinds.length === 1
    ? matchInWords(only, passage.meaning?.source_language ?? sourceLanguage)
    : kinds.map(matchTypeLabel).join(" and ");
}

/** The passages by kind, the closest first: `2 passages, identical`, `3 passages: 2 identical, 1 identical and paraphrased`. */
export function passagesInWords(passages: readonly Reused[], count = inEnglish): string {
  const closest = (passage: Reused) => MATCH_TYPES_CLOSEST_FIRST.indexOf(kindsOf(passage)[0] ?? "identical");
  const byKind = Map.groupBy(
    passages.toSorted((a, b) => closest(a) - closest(b) || kindsOf(a).length - kindsOf(b).length),
    (passage) => kindsOf(passage).map(matchTypeLabel).join(" and "),
  );
  const all = counted(passages.length, "passage", undefined, count);
  const [only] = byKind.keys();
  if (only !== undefined && byKind.size === 1) return `${all}, ${only}`;
  return `${all}: ${[...byKind].map(([kind, ofKind]) => `${count(ofKind.length)} ${kind}`).join(", ")}`;
}

/** Why a passage that was found by its words is reported, in a sentence. `matchedWords`: with the same stem on both sides. */
export function reasonInWords(passage: Reused, matchedWords: number, count = inEnglish): string {
  const [closest] = kindsOf(passage);
  const words = counted(matchedWords, "word", undefined, count);
  if (kindsOf(passage).length > 1)
    return `The source has ${words} of this passage: some sentences as they stand here, others in other words.`;
  if (closest === "identical") return `The source has the same ${words} in the same order.`;
  if (closest === "minor_changes")
    return `The source has ${words} of this passage, nearly all in the same order: it was copied with small changes.`;
  return `The source has ${words} of this passage, in another order or form: more than two texts on the same subject share by chance.`;
}

export const MATCH_TYPES_CLOSEST_FIRST = ["identical", "minor_changes", "paraphrased", "translated"] as const;

/** How much of the text was searched, and the meaning of a partial search. */
export function coverageInWords(
  report: Pick<WireReport, "coverage" | "coverage_reason" | "checked_chunks" | "total_chunks"> &
    Limited & {
      readonly page_notes?: readonly PageNote[] | undefined;
    },
  count = inEnglish,
): { readonly title: string; readonly text: string } {
  const { page_notes: notes = [] } = report;
  const unread = pageNotesInWords(notes);
  if (report.coverage_reason === "unread_pages")
    return { title: "The text of some pages could not be read", text: unread };
  if (report.coverage === "full")
    return {
      title: "Searched in full",
      text: `The whole text was compared with ${comparedInWords(report)}. ${unread}`.trim(),
    };
  const parts = counted(report.total_chunks, "part", undefined, count);
  return {
    title: "Only part of the text was searched",
    text:
      `Time ran out after ${count(report.checked_chunks)} of ${parts} of the text. All matches shown are valid, but the rest ` +
      `of the text may contain more. To search all of it, submit the text again, whole or in smaller pieces. ${unread}`.trim(),
  };
}

/** How the text of pages was read, a sentence for each kind. */
function pageNotesInWords(notes: readonly PageNote[]): string {
  return notes.map(({ kind, pages }) => PAGE_NOTES[kind](pages)).join(" ");
}

const PAGE_NOTES = {
  no_text: (pages) =>
    `Without text, and so not compared: ${pageList(pages)}. What is written there is a picture, such as a scan. Run text recognition (OCR) over the file and submit it again.`,
  unreadable_font: (pages) =>
    `Not wholly readable: ${pageList(pages)}. The fonts there do not say which characters they show. Export the file again from the program that made it.`,
  ocr: (pages) => `Read by text recognition (OCR), which may mistake letters: ${pageList(pages)}.`,
} as const satisfies Record<PageNote["kind"], (pages: readonly number[]) => string>;

/** A report whose check may have been limited to a part of the corpus. */
type Limited = {
  readonly scope?:
    | { readonly leave_out?: string | undefined; readonly collections?: readonly string[] | undefined }
    | undefined;
};

/** The part of the corpus that a check was limited to: `the collections “a” and “b”, without the documents of the same owner`. */
function comparedInWords({ scope = {} }: Limited): string {
  const { collections, leave_out: leftOut } = scope;
  return `${collections === undefined ? "the corpus" : collectionsInWords(collections)}${leftOutInWords(leftOut)}`;
}

function collectionsInWords(collections: readonly string[]): string {
  const named = collections.map((name) => `“${name}”`);
  return `the collection${named.length === 1 ? "" : "s"} ${AND.format(named)}`;
}

const AND = new Intl.ListFormat("en");

function leftOutInWords(leftOut: string | undefined): string {
  return leftOut === undefined ? "" : `, without the documents of the same ${leftOut}`;
}

/** The texts that a text was compared with. */
export function corpusInWords(
  report: OfBatch & Limited & Pick<WireReport, "corpus_sources">,
  count: WriteCount = inEnglish,
): string {
  if (isComparedWithMembersOnly(report)) return "the other texts of its batch only, not with the corpus";
  const { corpus_sources: documents, scope: { collections, leave_out: leftOut } = {} } = report;
  const of = collections === undefined ? "" : ` of ${collectionsInWords(collections)}`;
  return `${aboutFor(documents)}${counted(documents, "document", undefined, count)}${of}${leftOutInWords(leftOut)}`;
}

/** The word before a number of documents that may be an estimate; empty before other numbers. */
function aboutFor(documents: number): string {
  return documents > COUNTED_DOCUMENTS_MAX ? "about " : "";
}

type SemanticCoverage = Pick<
  WireReport,
  "semantic_coverage" | "semantic_coverage_reason" | "semantic_documents" | "corpus_sources"
>;

/** Says that the meaning of the text was not compared with all documents; undefined when it was, or when it has no sentence. */
export function semanticCoverageInWords(
  { semantic_coverage_reason: reason, semantic_documents: documents, corpus_sources: all }: SemanticCoverage,
  count = inEnglish,
): string | undefined {
  switch (reason) {
    case null:
    case "no_sentences":
      return undefined;
    case "off":
      return "Translated and strongly reworded text was not looked for, because comparing by meaning is switched off.";
    case "unavailable":
      return "Only words were compared: translated and strongly reworded text was not looked for, because the sentence encoder was not available. Submit the text again once it is.";
    case "not_encoded":
      return `Translated and strongly reworded text was looked for in ${aboutFor(all)}${count(documents)} of ${counted(all, "document", undefined, count)}: the sentences of the others are still being encoded. Submit the text again later to compare it with all.`;
    case "time_cap":
      return "Time ran out before the whole text was compared by its meaning: there may be more translated or strongly reworded passages.";
  }
}

/** How alike two sentences are beyond what is usual, in words. */
export function marginInWords(margin: number): string {
  if (margin >= MARGIN_FAR) return "far more alike than usual";
  if (margin >= MARGIN_CLEAR) return "clearly more alike than usual";
  return margin >= MARGIN_SOME ? "somewhat more alike than usual" : "about as alike as usual";
}

/** Half of the pairs of translated sentences are above the first, and hardly a pair by chance is above the second. */
export const MARGIN_FAR = 0.3;
export const MARGIN_CLEAR = 0.15;
const MARGIN_SOME = 0.05;

/** A sentence names no more titles. */
const TITLES_NAMED_MAX = 3;

/** Says that uploads could not be compared; undefined when there were none. */
export function pendingInWords(
  {
    documents_pending: pending,
    uncompared_documents: named = [],
  }: Pick<WireReport, "documents_pending"> & {
    readonly uncompared_documents?: readonly { readonly title: string }[] | undefined;
  },
  count = inEnglish,
): string | undefined {
  if (pending === 0) return undefined;
  const were = pending === 1 ? "was" : "were";
  const titles = named.slice(0, TITLES_NAMED_MAX).map(({ title }) => `“${title}”`);
  const more = pending > titles.length ? [`${count(pending - titles.length)} more`] : [];
  const which = titles.length === 0 ? "" : ` (${[...titles, ...more].join(", ")})`;
  return `${counted(pending, "uploaded document", undefined, count)}${which} ${were} still being indexed and ${were} not compared. Submit the text again to compare it with all documents.`;
}

/** A number of flags of one kind: `2 words with letters from another alphabet`. */
export function flagCount(kind: FlagKind, number: number, count = inEnglish): string {
  if (kind === "invisible_characters")
    return `invisible characters in ${counted(number, "place", undefined, count)}`;
  const [one, many] = FLAGS[kind];
  return counted(number, one, many, count);
}

const FLAGS = {
  homoglyphs: ["word with letters from another alphabet", "words with letters from another alphabet"],
  bidi_controls: ["place that changes the text direction", "places that change the text direction"],
  spaced_letters: ["place with spaced-out letters", "places with spaced-out letters"],
  garbled_text: ["place with garbled text", "places with garbled text"],
  hidden_text: [
    "piece of text that the file hides from its reader",
    "pieces of text that the file hides from its reader",
  ],
} as const satisfies Record<Exclude<FlagKind, "invisible_characters">, readonly [one: string, many: string]>;

export const DISGUISE_ADVICE =
  "Matching sees through most disguises, but not where blanks are missing or words are of no language. They may also come from the program that created the file.";

export type ReviewStatus = NonNullable<WireReport["review"]>["status"];

/** A decision on a report. */
export const REVIEW_LABELS = {
  open: "Open",
  cleared: "Cleared",
  to_be_discussed: "To be discussed",
  confirmed: "Confirmed",
} as const satisfies Record<ReviewStatus, string>;

type Filtered = Pick<
  WireReport,
  "filters" | "overall_similarity_pct" | "total_matched_chars" | "compared_chars" | "char_count"
>;

/** Why the score is higher with filters than without; undefined unless it is. */
export function riseInWords(report: Filtered, count = inEnglish): string | undefined {
  const { filters, overall_similarity_pct: pct, compared_chars: compared, char_count: all } = report;
  if (filters === null || pct <= filters.unfiltered_similarity_pct) return undefined;
  return `The score is higher than without filters, because ${counted(all - compared, "excluded character", undefined, count)} no longer count as text: the same matches are a larger share of the rest.`;
}

/** The filters of a report, a phrase each: `quotations excluded`. */
export function filtersInWords({ filters }: Pick<WireReport, "filters">): string[] {
  return Object.entries(filters?.applied ?? {}).map(([name, value]) => filterInWords(name, value));
}

function filterInWords(name: string, value: unknown): string {
  if (name === "exclude_quotes") return "quotations excluded";
  if (name === "exclude_bibliography") return "bibliography excluded";
  if (name === "min_words") return `only passages of at least ${counted(Number(value), "word")}`;
  const list = Array.isArray(value) ? value.map(String) : [String(value)];
  if (name === "exclude_sources") return `${counted(list.length, "source")} excluded`;
  if (name === "exclude_passages") return `${counted(list.length, "passage")} excluded, listed at the end`;
  if (name === "match_types") return `only ${list.map(typeInWords).join(" and ")} passages`;
  if (name === "match_groups")
    return `only passages that are ${list.map((group) => phraseOf(MATCH_GROUP_LABELS, group) ?? group).join(" or ")}`;
  return `${name}: ${list.join(", ")}`;
}

function typeInWords(type: string): string {
  return phraseOf(MATCH_TYPES, type) ?? type;
}

/** Why a filter excluded a passage. */
export function filterReason(filter: FilterName): string {
  return FILTER_REASONS[filter];
}

const FILTER_REASONS = {
  exclude_quotes: "in quotation marks",
  exclude_bibliography: "in the bibliography",
  min_words: "too short",
  exclude_sources: "from an excluded source",
  exclude_passages: "excluded",
  match_types: "of an excluded match type",
  match_groups: "of an excluded match group",
  standing_exclusions: "left out of all reports",
} as const satisfies Record<FilterName, string>;

type MatchGroup = NonNullable<PassageOfReport["match_group"]>;

/** How passages are acknowledged, in the order in which a reader has to look at them. */
export const MATCH_GROUP_LABELS = {
  neither: "neither quoted nor cited",
  quoted_without_source: "quoted without a source",
  cited_without_quotation_marks: "cited without quotation marks",
  unsure: "not clearly acknowledged",
  quoted_and_cited: "quoted and cited",
} as const satisfies Record<MatchGroup, string>;

const MATCH_GROUPS_IN_ORDER = [
  "neither",
  "quoted_without_source",
  "cited_without_quotation_marks",
  "unsure",
  "quoted_and_cited",
] as const satisfies readonly MatchGroup[];

type LeftOutOfAll = NonNullable<WireReport["standing_exclusions"]>;
type LeavingOut = {
  readonly standing_exclusions?:
    | (Omit<LeftOutOfAll, "sources" | "collections" | "phrases" | "sections"> & {
        readonly [kind in "sources" | "collections" | "phrases" | "sections"]: readonly string[];
      })
    | undefined;
};

/** What the operator leaves out of all reports, and what that took away; undefined where nothing is left out. */
export function standingInWords({ standing_exclusions: left }: LeavingOut): string | undefined {
  if (left === undefined) return undefined;
  const { sources, collections, phrases, sections } = left;
  const kinds = [
    ...(sources.length > 0 ? [counted(sources.length, "source")] : []),
    ...(collections.length > 0 ? [collectionsInWords(collections)] : []),
    ...(phrases.length > 0 ? [counted(phrases.length, "phrase")] : []),
    ...(sections.length > 0
      ? [
          `the section${sections.length === 1 ? "" : "s"} ${AND.format(sections.map((name) => `“${name.replaceAll("_", " ")}”`))}`,
        ]
      : []),
  ];
  if (!left.is_applied)
    return `The operator leaves ${AND.format(kinds)} out of all reports; this one has them.`;
  return `The operator leaves ${AND.format(kinds)} out of all reports. Here that took away ${counted(left.excluded_passages, "match", "matches")} with ${counted(left.excluded_chars, "character")}; the score was ${percentage(left.similarity_pct_without)} with them.`;
}

export const MATCH_GROUPS_TITLE = "How matches are acknowledged";

/** The groups that occur in a report, with their passages and their share of the text. */
export function matchGroupsOf({ match_groups: shares }: Pick<WireReport, "match_groups">) {
  return MATCH_GROUPS_IN_ORDER.flatMap((group) => {
    const share = shares?.[group];
    return share === undefined || share.passages === 0
      ? []
      : [{ group, label: MATCH_GROUP_LABELS[group], passages: share.passages, pct: share.similarity_pct }];
  });
}

type PassageOfReport = WireReport["sources"][number]["passages"][number];
type UnsureReason = NonNullable<NonNullable<PassageOfReport["acknowledgement"]>["unsure_reason"]>;
type Acknowledged = Pick<PassageOfReport, "match_group" | "match_type"> & {
  readonly acknowledgement?: { readonly unsure_reason: UnsureReason | null } | undefined;
};

/** Why a passage is in its group, in a sentence; undefined for a passage without one. */
export function matchGroupReason({
  match_group: group,
  acknowledgement,
  match_type: type,
}: Acknowledged): string | undefined {
  if (group === undefined) return undefined;
  if (group === "unsure")
    return UNSURE_REASONS_IN_WORDS[acknowledgement?.unsure_reason ?? "possible_citation"];
  const isReworded = type === "paraphrased" || type === "translated";
  return group === "cited_without_quotation_marks" && isReworded
    ? `${GROUP_REASONS[group]} Text in the author’s own words needs none.`
    : GROUP_REASONS[group];
}

const GROUP_REASONS = {
  neither:
    "No quotation marks enclose the passage, and nothing in or near its sentences reads like a citation.",
  quoted_without_source:
    "The passage is in quotation marks or a block quote, but nothing in or near its sentences reads like a citation.",
  cited_without_quotation_marks:
    "A citation belongs to the sentences of the passage, but no quotation marks enclose it.",
  quoted_and_cited:
    "The passage is in quotation marks or a block quote, and a citation belongs to its sentences.",
} as const satisfies Record<Exclude<MatchGroup, "unsure">, string>;

const UNSURE_REASONS_IN_WORDS = {
  partly_quoted: "Only a part of the passage is in quotation marks.",
  possible_citation:
    "Something in or near the sentences of the passage may be a citation of this source: its form is uncertain, or it stands up to two sentences away.",
  other_work_cited:
    "The sentences of the passage cite a work, but by the bibliography it is not this source.",
  possible_block_quote: "The passage is a paragraph behind a colon, and may have been set as a block quote.",
  in_bibliography: "The passage is part of the bibliography.",
} as const satisfies Record<UnsureReason, string>;

/** Why a match is not reported; unknown reasons are shown as they are. */
export function dropReason(reason: string): string {
  return phraseOf(DROP_PHRASES, reason) ?? reason.replaceAll("_", " ");
}

/** The phrase for a name that a later release of the service may have added; undefined for such a name. */
function phraseOf(phrases: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(phrases).find(([known]) => known === name)?.[1];
}

const DROP_PHRASES = {
  too_short: "too short to count as reuse",
  duplicate: "covered by a better match",
  remainder_too_short: "too little left beside a better match",
  set_phrase: "boilerplate",
  weak_meaning: "similar in meaning, but not enough to count as reuse",
} as const satisfies Record<DropReason, string>;
