import type { GetReportQuery } from "../../../../client/index.ts";

/** The filters of a report, as the API takes them; what is not set is not there. */
export type Filters = Pick<
  GetReportQuery,
  "exclude_quotes" | "exclude_bibliography" | "min_words" | "exclude_sources" | "match_types"
>;

/** A passage that an address names, in code points of the submitted text. */
export type NamedPassage = { readonly start: number; readonly end: number; readonly documentId: string };

/** What the address of a report says beside the check. */
export type ReportAddress = {
  readonly filters: Filters;
  /** The document whose passages alone are emphasised. */
  readonly source: string | undefined;
  readonly passage: NamedPassage | undefined;
};

export const MATCH_TYPES = ["identical", "minor_changes", "paraphrased"] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** Reads an address; what is malformed in it counts as left out, so that an old or cut link still opens the report. */
export function readAddress({ search, hash }: Pick<URL, "search" | "hash">): ReportAddress {
  const query = new URLSearchParams(search);
  const list = (name: string) => (query.get(name) ?? "").split(",");
  const minWords = Number(query.get("min_words") ?? "");
  const types = MATCH_TYPES.filter((type) => list("match_types").includes(type));
  const source = query.get("source") ?? "";
  const filters = {
    exclude_quotes: query.get("exclude_quotes") === "true",
    exclude_bibliography: query.get("exclude_bibliography") === "true",
    min_words: Number.isInteger(minWords) && minWords <= MIN_WORDS_MAX ? minWords : undefined,
    exclude_sources: list("exclude_sources").filter((id) => UUID.test(id)),
    match_types: types.length > 0 ? types : undefined,
  };
  return {
    filters: changedFilters({}, filters),
    source: UUID.test(source) ? source : undefined,
    passage: readPassage(hash),
  };
}

/** The part of an address behind its path, such as `?exclude_quotes=true#q120-345-01a1…`. */
export function writeAddress({ filters, source, passage }: ReportAddress): string {
  const query = filterQuery(filters);
  if (source !== undefined) query.set("source", source);
  const search = query.size === 0 ? "" : `?${query}`;
  const hash = passage === undefined ? "" : `#q${passage.start}-${passage.end}-${passage.documentId}`;
  return search + hash;
}

/** Filters with other values; what is undefined, false, or a list of nothing is taken out. */
export function changedFilters(filters: Filters, changes: Filters): Filters {
  const { exclude_quotes, exclude_bibliography, min_words, exclude_sources, match_types } = {
    ...filters,
    ...changes,
  };
  return {
    ...(exclude_quotes === true && { exclude_quotes }),
    ...(exclude_bibliography === true && { exclude_bibliography }),
    ...(min_words !== undefined && min_words > 0 && { min_words }),
    ...(exclude_sources !== undefined &&
      exclude_sources.length > 0 && { exclude_sources: exclude_sources.toSorted() }),
    ...(match_types !== undefined && match_types.length < MATCH_TYPES.length && { match_types }),
  };
}

/** The filters as the API's parameters. */
export function filterQuery(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  return query;
}

export function isFiltered(filters: Filters): boolean {
  return Object.keys(filters).length > 0;
}

/** What the API takes at most. */
export const MIN_WORDS_MAX = 1_000_000;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readPassage(hash: string): NamedPassage | undefined {
  const [, start, end, documentId] = /^#q(\d{1,7})-(\d{1,7})-([0-9a-f-]{36})$/.exec(hash) ?? [];
  if (start === undefined || end === undefined || documentId === undefined) return undefined;
  return UUID.test(documentId) ? { start: Number(start), end: Number(end), documentId } : undefined;
}
