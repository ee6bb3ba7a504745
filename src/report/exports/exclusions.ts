import type { Texts } from "../../http/languages/texts.ts";
import { overlapTextPreview } from "../../text/excerpt.ts";
import { overlapLength } from "../../text/span.ts";
import type { FILTER_NAMES, WireReport } from "../presented-report.ts";

/** Something that the filters excluded: a source by its title, or a part of the submitted text. */
export type Exclusion = {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly about: string;
  readonly note: string | undefined;
};

export type ExclusionGroup = {
  readonly title: string;
  readonly items: readonly Exclusion[];
  /** The number of further ones, which are not listed. */
  readonly more: number;
};

/** The text that a filtered report excludes, with the reasons. `advice` explains the effect on the score. */
export type Exclusions = { readonly advice: string; readonly groups: readonly ExclusionGroup[] };

type Filter = (typeof FILTER_NAMES)[number];

const GROUPS = {
  exclude_sources: "export.excludedSources",
  exclude_passages: "export.excludedPassages",
  exclude_quotes: "export.excludedQuotes",
  exclude_bibliography: "export.excludedBibliography",
  min_words: "export.excludedShort",
  match_types: "export.excludedTypes",
  match_groups: "export.excludedGroups",
  standing_exclusions: "standing.title",
} as const satisfies Record<Filter, string>;

/** A list of all quotations of a thesis with their matches takes three pages. */
const ITEMS_MAX = 200;

/**
 * The exclusions of a report that was read with `explain`, with the notes on the excluded passages.
 * @param report with UTF-16 offsets @param titles of the sources, by identifier, also of those left out
 */
export function exclusionsOf(
  report: WireReport,
  titles: ReadonlyMap<string, string>,
  texts: Texts,
): Exclusions {
  const parts = report.explanation?.filtered_out ?? [];
  const hidden = report.notes.filter((note) => !isShown(report, note));
  const titleOf = (id: string) => titles.get(id) ?? texts.say("export.deletedSource");
  const listed = new Set<Place>();
  const noteOn = (place: Place) => {
    const found = hidden.find((note) => !listed.has(note) && isSamePlace(note, place));
    if (found !== undefined) listed.add(found);
    return found?.note;
  };
  const quoted = (place: Place, about: string, note = noteOn(place)): Exclusion => ({
    text: excerpt(report.query_text, place),
    isQuoted: true,
    about,
    note,
  });
  const groups = FILTERS.map((filter) => {
    const own = parts.filter((part) => part.filter === filter);
    const passages = own.map((part) =>
      quoted(
        part,
        `${titleOf(part.source_document_id)} · ${texts.sayCount("count.characters", charsOf(report, part))}`,
      ),
    );
    const items =
      filter === "exclude_sources"
        ? [
            ...[...Map.groupBy(own, (part) => part.source_document_id)].map(([id, all]) => ({
              text: titleOf(id),
              isQuoted: false,
              about: texts.sayCount("count.passages", all.length),
              note: undefined,
            })),
            ...passages.filter(({ note }) => note !== undefined),
          ]
        : passages;
    return groupOf(texts.say(GROUPS[filter]), items);
  });
  const others = hidden.filter((note) => !listed.has(note));
  groups.push(
    groupOf(
      texts.say("export.otherNotes"),
      others.map((note) =>
        quoted(note, texts.say("export.onPassageOf", { title: titleOf(note.source_document_id) }), note.note),
      ),
    ),
  );
  return { advice: adviceOn(report, texts), groups: groups.filter(({ items }) => items.length > 0) };
}

const FILTERS = [
  "standing_exclusions",
  "exclude_sources",
  "exclude_passages",
  "exclude_quotes",
  "exclude_bibliography",
  "min_words",
  "match_types",
  "match_groups",
] as const satisfies readonly Filter[];

type Place = {
  readonly source_document_id: string;
  readonly query_start: number;
  readonly query_end: number;
};

/** Whether the note stands beside a passage of the report. */
function isShown({ sources }: WireReport, note: WireReport["notes"][number]): boolean {
  const source = sources.find(({ source_document_id: id }) => id === note.source_document_id);
  return source?.passages.some((one) => one.note === note.note && overlaps(note, one)) === true;
}

function isSamePlace(note: Place, part: Place): boolean {
  return note.source_document_id === part.source_document_id && overlaps(note, part);
}

type QueryRange = Pick<Place, "query_start" | "query_end">;

function overlaps(a: QueryRange, b: QueryRange): boolean {
  const span = ({ query_start: start, query_end: end }: QueryRange) => ({ start, end });
  return overlapLength(span(a), span(b)) > 0;
}

function charsOf({ query_text: text }: WireReport, { query_start, query_end }: Place): number {
  return [...text.slice(query_start, query_end)].length;
}

/** The beginning of a place on one line. */
export function excerpt(text: string, { query_start: start, query_end: end }: QueryRange): string {
  return overlapTextPreview(text.slice(start, end).toWellFormed());
}

function groupOf(title: string, items: readonly Exclusion[]): ExclusionGroup {
  return { title, items: items.slice(0, ITEMS_MAX), more: Math.max(0, items.length - ITEMS_MAX) };
}

function adviceOn({ filters, char_count: all, compared_chars: compared }: WireReport, texts: Texts): string {
  if (filters === null) return "";
  const without = texts.say("export.unfiltered", { pct: texts.percent(filters.unfiltered_similarity_pct) });
  if (compared === all) return without;
  const notCounted = {
    characters: texts.sayCount("count.characters", all - compared),
    compared: texts.sayCount("count.characters", compared),
  };
  return `${without} ${texts.say("export.notCounted", notCounted)}`;
}
