import type { Texts } from "../http/languages/texts.ts";
import type { DropReason } from "../matching/words/dropped-matches.ts";
import { type PageNote, pageRanges } from "../text/page-notes.ts";
import { COUNTED_DOCUMENTS_MAX } from "./figures/report.ts";
import type { FILTER_NAMES, WirePassage, WireReport } from "./presented-report.ts";

// The wording of a report in the language of the given texts, shared by the exports and the pages in the browser: pure, and free of everything that only Node.js has.

type MatchType = WireReport["sources"][number]["passages"][number]["match_type"];
type FilterName = (typeof FILTER_NAMES)[number];
type FlagKind = WireReport["integrity_flags"][number]["kind"];

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
export function scoreInWords(report: Score, texts: Texts): string {
  const { batch, total_matched_chars: matched, sources, compared_chars: compared, filters } = report;
  if (batch !== null && isComparedWithMembersOnly(report)) return batchScoreInWords(batch, texts);
  if (matched === 0)
    return filters === null
      ? texts.say("score.none", { corpus: comparedInWords(report, texts) })
      : texts.say("score.noneLeft");
  const of = {
    characters: texts.sayCount("count.characters", compared),
    left: compared < report.char_count ? texts.say("score.left") : "",
  };
  if (sources.length === 0) return texts.sayCount("score.foundDeleted", matched, of);
  const orphaned = matched - sources.reduce((sum, source) => sum + source.exclusive_matched_chars, 0);
  return texts.sayCount("score.found", matched, {
    ...of,
    sources: texts.sayCount("count.sources", sources.length),
    deleted: orphaned > 0 ? texts.say("score.andDeleted", { count: texts.count(orphaned) }) : "",
  });
}

function batchScoreInWords(batch: NonNullable<OfBatch["batch"]>, texts: Texts): string {
  const { members_total: total, members, is_complete: isComplete } = batch;
  if (total === 0) return texts.say(isComplete ? "score.batchNone" : "score.batchNoneYet");
  const others = texts.sayCount("count.otherTexts", total);
  const shown = { count: texts.count(members.length), texts: others };
  return texts.say("score.batch", {
    texts: members.length < total ? texts.say("score.batchMost", shown) : others,
  });
}

/** How much was reused in one way. */
type ReuseKind = {
  readonly type: MatchType;
  readonly label: string;
  readonly chars: number;
  readonly pct: number;
};

/** The kinds of reuse that occur in a report, the closest first; their figures add up to the score. */
export function reuseKinds(
  { match_types: shares }: Pick<WireReport, "match_types">,
  texts: Texts,
): ReuseKind[] {
  return MATCH_TYPES_CLOSEST_FIRST.filter((type) => shares[type].matched_chars > 0).map((type) => ({
    type,
    label: matchTypeLabel(type, texts),
    chars: shares[type].matched_chars,
    pct: shares[type].similarity_pct,
  }));
}

/** The remark after the name of a language that the user did not state. */
export function languageOriginInWords(origin: WireReport["language_origin"], texts: Texts): string {
  return origin === "stated" ? "" : texts.say(`origin.${origin}`);
}

/** How similar a passage is to its source. */
export function matchTypeLabel(type: MatchType, texts: Texts): string {
  return texts.say(`type.${type}`);
}

/** The same, with the source's language for a translation: `translated from English`. */
export function matchInWords(type: MatchType, sourceLanguage: string, texts: Texts): string {
  return type === "translated"
    ? texts.say("type.translatedFrom", { language: texts.languageName(sourceLanguage) })
    : matchTypeLabel(type, texts);
}

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
export function passageInWords(passage: Reused, sourceLanguage: string, texts: Texts): string {
  const kinds = kindsOf(passage);
  const [only] = kinds;
  return only !== undefined && kinds.length === 1
    ? matchInWords(only, passage.meaning?.source_language ?? sourceLanguage, texts)
    : joined(kinds, texts);
}

function joined(kinds: readonly MatchType[], texts: Texts): string {
  return kinds.map((kind) => matchTypeLabel(kind, texts)).join(texts.say("join.and"));
}

/** The passages by kind, the closest first: `2 passages, identical`, `3 passages: 2 identical, 1 identical and paraphrased`. */
export function passagesInWords(passages: readonly Reused[], texts: Texts): string {
  const closest = (passage: Reused) => MATCH_TYPES_CLOSEST_FIRST.indexOf(kindsOf(passage)[0] ?? "identical");
  const byKind = Map.groupBy(
    passages.toSorted((a, b) => closest(a) - closest(b) || kindsOf(a).length - kindsOf(b).length),
    (passage) => joined(kindsOf(passage), texts),
  );
  const all = texts.sayCount("count.passages", passages.length);
  const [only] = byKind.keys();
  if (only !== undefined && byKind.size === 1) return `${all}, ${only}`;
  return `${all}: ${[...byKind].map(([kind, ofKind]) => `${texts.count(ofKind.length)} ${kind}`).join(", ")}`;
}

/** Why a passage that was found by its words is reported, in a sentence. `matchedWords`: with the same stem on both sides. */
export function reasonInWords(passage: Reused, matchedWords: number, texts: Texts): string {
  const [closest = "paraphrased"] = kindsOf(passage);
  const reason = kindsOf(passage).length > 1 ? "mixed" : closest === "translated" ? "paraphrased" : closest;
  return texts.say(`reason.${reason}`, { words: texts.sayCount("count.words", matchedWords) });
}

export const MATCH_TYPES_CLOSEST_FIRST = ["identical", "minor_changes", "paraphrased", "translated"] as const;

/** How much of the text was searched, and the meaning of a partial search. */
export function coverageInWords(
  report: Pick<WireReport, "coverage" | "coverage_reason" | "checked_chunks" | "total_chunks"> &
    Limited & {
      readonly page_notes?: readonly PageNote[] | undefined;
    },
  texts: Texts,
): { readonly title: string; readonly text: string } {
  const { page_notes: notes = [] } = report;
  const unread = pageNotesInWords(notes, texts);
  if (report.coverage_reason === "unread_pages") return { title: texts.say("coverage.unread"), text: unread };
  if (report.coverage === "full")
    return {
      title: texts.say("coverage.full"),
      text: `${texts.say("coverage.fullText", { corpus: comparedInWords(report, texts) })} ${unread}`.trim(),
    };
  const done = {
    done: texts.count(report.checked_chunks),
    parts: texts.sayCount("count.parts", report.total_chunks),
  };
  return {
    title: texts.say("coverage.partial"),
    text: `${texts.say("coverage.partialText", done)} ${unread}`.trim(),
  };
}

/** How the text of pages was read, a sentence for each kind. */
function pageNotesInWords(notes: readonly PageNote[], texts: Texts): string {
  return notes
    .map(({ kind, pages }) =>
      texts.say(PAGE_NOTES[kind], {
        pages: texts.sayCount("coverage.pages", pages.length, { pages: texts.list(pageRanges(pages)) }),
      }),
    )
    .join(" ");
}

const PAGE_NOTES = {
  no_text: "coverage.noText",
  unreadable_font: "coverage.unreadableFont",
  ocr: "coverage.ocr",
} as const satisfies Record<PageNote["kind"], string>;

/** A report whose check may have been limited to a part of the corpus. */
type Limited = {
  readonly scope?:
    | { readonly leave_out?: string | undefined; readonly collections?: readonly string[] | undefined }
    | undefined;
};

/** The part of the corpus that a check was limited to: `the collections “a” and “b”, without the documents of the same owner`. */
function comparedInWords({ scope = {} }: Limited, texts: Texts): string {
  const { collections, leave_out: leftOut } = scope;
  const compared =
    collections === undefined ? texts.say("scope.corpus") : collectionsInWords(collections, texts);
  return compared + leftOutInWords(leftOut, texts);
}

function collectionsInWords(collections: readonly string[], texts: Texts): string {
  return texts.sayCount("scope.collections", collections.length, {
    names: texts.list(collections.map(texts.quote)),
  });
}

function leftOutInWords(leftOut: string | undefined, texts: Texts): string {
  if (leftOut === undefined) return "";
  return texts.say(leftOut === "owner" ? "scope.withoutOwner" : "scope.withoutGroup");
}

/** The texts that a text was compared with. */
export function corpusInWords(
  report: OfBatch & Limited & Pick<WireReport, "corpus_sources">,
  texts: Texts,
): string {
  if (isComparedWithMembersOnly(report)) return texts.say("scope.batchOnly");
  const { corpus_sources: all, scope: { collections, leave_out: leftOut } = {} } = report;
  const documents = about(all, texts.sayCount("count.documents", all), texts);
  const compared =
    collections === undefined
      ? documents
      : texts.say("scope.documentsOf", { documents, collections: collectionsInWords(collections, texts) });
  return compared + leftOutInWords(leftOut, texts);
}

/** Marks a number of documents that may be an estimate. */
function about(number: number, documents: string, texts: Texts): string {
  return number > COUNTED_DOCUMENTS_MAX ? texts.say("scope.about", { documents }) : documents;
}

type SemanticCoverage = Pick<
  WireReport,
  "semantic_coverage" | "semantic_coverage_reason" | "semantic_documents" | "corpus_sources"
>;

/** Says that the meaning of the text was not compared with all documents; undefined when it was, or when it has no sentence. */
export function semanticCoverageInWords(
  { semantic_coverage_reason: reason, semantic_documents: documents, corpus_sources: all }: SemanticCoverage,
  texts: Texts,
): string | undefined {
  switch (reason) {
    case null:
    case "no_sentences":
      return undefined;
    case "off":
      return texts.say("meaning.off");
    case "unavailable":
      return texts.say("meaning.unavailable");
    case "not_encoded":
      return texts.say("meaning.notEncoded", {
        compared: about(all, texts.count(documents), texts),
        documents: texts.sayCount("count.documents", all),
      });
    case "time_cap":
      return texts.say("meaning.timeCap");
  }
}

/** How alike two sentences are beyond what is usual, in words. */
export function marginInWords(margin: number, texts: Texts): string {
  if (margin >= MARGIN_FAR) return texts.say("margin.far");
  if (margin >= MARGIN_CLEAR) return texts.say("margin.clear");
  return texts.say(margin >= MARGIN_SOME ? "margin.some" : "margin.usual");
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
  texts: Texts,
): string | undefined {
  if (pending === 0) return undefined;
  const titles = named.slice(0, TITLES_NAMED_MAX).map(({ title }) => texts.quote(title));
  const more =
    pending > titles.length
      ? [texts.say("pending.more", { count: texts.count(pending - titles.length) })]
      : [];
  const which = titles.length === 0 ? "" : ` (${[...titles, ...more].join(", ")})`;
  return texts.sayCount("pending.text", pending, { which });
}

/** A number of flags of one kind: `2 words with letters from another alphabet`. */
export function flagCount(kind: FlagKind, number: number, texts: Texts): string {
  return texts.sayCount(`flag.${kind}`, number);
}

export type ReviewStatus = NonNullable<WireReport["review"]>["status"];

/** What the file of a text states for itself, each with its name: none, one or both. */
export function statedInFile(
  { document_title: title, document_author: author }: Pick<WireReport, "document_title" | "document_author">,
  { say }: Texts,
): { readonly name: string; readonly value: string }[] {
  return [
    ...(title === undefined ? [] : [{ name: say("properties.title"), value: title }]),
    ...(author === undefined ? [] : [{ name: say("properties.author"), value: author }]),
  ];
}

/** A decision on a report. */
export function reviewLabel(status: ReviewStatus, texts: Texts): string {
  return texts.say(`review.${status}`);
}

type Filtered = Pick<
  WireReport,
  "filters" | "overall_similarity_pct" | "total_matched_chars" | "compared_chars" | "char_count"
>;

/** Why the score is higher with filters than without; undefined unless it is. */
export function riseInWords(report: Filtered, texts: Texts): string | undefined {
  const { filters, overall_similarity_pct: pct, compared_chars: compared, char_count: all } = report;
  if (filters === null || pct <= filters.unfiltered_similarity_pct) return undefined;
  return texts.sayCount("score.rise", all - compared);
}

/** The filters of a report, a phrase each: `quotations excluded`. */
export function filtersInWords({ filters }: Pick<WireReport, "filters">, texts: Texts): string[] {
  return Object.entries(filters?.applied ?? {}).map(([name, value]) => filterInWords(name, value, texts));
}

function filterInWords(name: string, value: unknown, texts: Texts): string {
  if (name === "exclude_quotes") return texts.say("filter.quotes");
  if (name === "exclude_bibliography") return texts.say("filter.bibliography");
  if (name === "min_words")
    return texts.say("filter.minWords", { words: texts.sayCount("count.words", Number(value)) });
  const list = Array.isArray(value) ? value.map(String) : [String(value)];
  if (name === "exclude_sources") return texts.sayCount("filter.sources", list.length);
  if (name === "exclude_passages") return texts.sayCount("filter.passages", list.length);
  if (name === "match_groups") {
    const groups = list.flatMap((name) => MATCH_GROUPS_IN_ORDER.filter((group) => group === name));
    return texts.say("filter.groups", {
      groups: texts.list(groups.map((group) => texts.say(`group.${group}`))),
    });
  }
  if (name !== "match_types") return `${name}: ${list.join(", ")}`;
  const types = list.flatMap((name) => MATCH_TYPES_CLOSEST_FIRST.filter((type) => type === name));
  return texts.say("filter.types", { types: joined(types, texts) });
}

/** Why a filter excluded a passage. */
export function filterReason(filter: FilterName, texts: Texts): string {
  return texts.say(`filtered.${filter}`);
}

type MatchGroup = NonNullable<WirePassage["match_group"]>;

/** In the order in which a reader has to look at them. */
export const MATCH_GROUPS_IN_ORDER = [
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
export function standingInWords({ standing_exclusions: left }: LeavingOut, texts: Texts): string | undefined {
  if (left === undefined) return undefined;
  const { sources, collections, phrases, sections } = left;
  const names = sections.map((name) => texts.quote(name.replaceAll("_", " ")));
  const kinds = texts.list([
    ...(sources.length > 0 ? [texts.sayCount("count.sources", sources.length)] : []),
    ...(collections.length > 0 ? [collectionsInWords(collections, texts)] : []),
    ...(phrases.length > 0 ? [texts.sayCount("standing.phrases", phrases.length)] : []),
    ...(sections.length > 0
      ? [texts.sayCount("standing.sections", sections.length, { names: texts.list(names) })]
      : []),
  ]);
  if (!left.is_applied) return texts.say("standing.notApplied", { kinds });
  return texts.say("standing.applied", {
    kinds,
    passages: texts.sayCount("count.passages", left.excluded_passages),
    characters: texts.sayCount("count.characters", left.excluded_chars),
    pct: texts.percent(left.similarity_pct_without),
  });
}

/** The groups that occur in a report, with their passages and their share of the text. */
export function matchGroupsOf({ match_groups: shares }: Pick<WireReport, "match_groups">) {
  return MATCH_GROUPS_IN_ORDER.flatMap((group) => {
    const share = shares?.[group];
    return share === undefined || share.passages === 0
      ? []
      : [{ group, passages: share.passages, pct: share.similarity_pct }];
  });
}

type UnsureReason = NonNullable<NonNullable<WirePassage["acknowledgement"]>["unsure_reason"]>;
type Acknowledged = Pick<WirePassage, "match_group" | "match_type"> & {
  readonly acknowledgement?: { readonly unsure_reason: UnsureReason | null } | undefined;
};

/** Why a passage is in its group, in a sentence; undefined for a passage without one. */
export function matchGroupReason(
  { match_group: group, acknowledgement, match_type: type }: Acknowledged,
  texts: Texts,
): string | undefined {
  if (group === undefined) return undefined;
  if (group === "unsure") return texts.say(`unsure.${acknowledgement?.unsure_reason ?? "possible_citation"}`);
  const reason = texts.say(`groupReason.${group}`);
  const isReworded = type === "paraphrased" || type === "translated";
  return group === "cited_without_quotation_marks" && isReworded
    ? `${reason} ${texts.say("groupReason.ownWords")}`
    : reason;
}

/** Why a match is not reported; reasons that a later release of the service has added are shown as they are. */
export function dropReason(reason: string, texts: Texts): string {
  const known = KNOWN_DROP_REASONS.find((one) => one === reason);
  return known === undefined ? reason.replaceAll("_", " ") : texts.say(`drop.${known}`);
}

const KNOWN_DROP_REASONS = [
  "too_short",
  "duplicate",
  "remainder_too_short",
  "set_phrase",
  "weak_meaning",
] as const satisfies readonly DropReason[];
