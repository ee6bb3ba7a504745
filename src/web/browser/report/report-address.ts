import { useCallback, useRef, useState } from "preact/hooks";
import type { Check, GetReportQuery } from "../../../client/index.ts";
import { MATCH_GROUPS_IN_ORDER } from "../../../report/wording.ts";
import type { HistoryMode } from "../shared/use-list.ts";
import { useWindowEvent } from "../shared/use-window-event.ts";

/** The filters of a report, as the API takes them. Unset filters are missing. */
export type Filters = Pick<
  GetReportQuery,
  | "exclude_quotes"
  | "exclude_bibliography"
  | "min_words"
  | "exclude_sources"
  | "exclude_passages"
  | "match_types"
  | "match_groups"
>;

/** A passage in an address, in code points of the submitted text. */
export type LinkedPlace = { readonly start: number; readonly end: number; readonly documentId: string };

type ReportAddress = {
  readonly filters: Filters;
  /** The document whose passages alone are emphasised. */
  readonly source: string | undefined;
  readonly passage: LinkedPlace | undefined;
  /** Shows the original file instead of its text. */
  readonly view?: "original" | undefined;
};

export type AddressState = {
  readonly address: ReportAddress;
  /** The filters of an address that names none; undefined without a review. */
  readonly kept: Filters | undefined;
  readonly change: (changes: Partial<ReportAddress>, mode: HistoryMode) => void;
};

/** The filters that were kept with the review of a check; undefined without a review. */
export function keptFilters({ review }: Pick<Check, "review">): Filters | undefined {
  if (review === undefined) return undefined;
  const { match_types: types, match_groups: groups, ...others } = review.filters;
  return changedFilters(
    {},
    {
      ...others,
      match_types: types && MATCH_TYPES.filter((type) => types.includes(type)),
      match_groups: groups && MATCH_GROUPS_IN_ORDER.filter((group) => groups.includes(group)),
    },
  );
}

export function areSameFilters(a: Filters, b: Filters): boolean {
  return filterQuery(a).toString() === filterQuery(b).toString();
}

/** The address of this page, which links to exactly this view. An address without filters shows the kept ones. */
export function useReportAddress(kept: Filters | undefined): AddressState {
  const latest = useRef(kept);
  latest.current = kept;
  const [address, setAddress] = useState(() => readAddress(location, kept));
  const follow = () => setAddress(readAddress(location, latest.current));
  useWindowEvent("popstate", follow);
  useWindowEvent("hashchange", follow);
  const change: AddressState["change"] = useCallback((changes, mode) => {
    const next = { ...readAddress(location, latest.current), ...changes };
    history[mode](null, "", location.pathname + writeAddress(next, latest.current));
    setAddress(next);
  }, []);
  return { address, kept, change };
}

export const MATCH_TYPES = ["identical", "minor_changes", "paraphrased", "translated"] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** Reads an address. Malformed parts are ignored, so that an old or truncated link still opens the report. */
export function readAddress(
  { search, hash }: Pick<URL, "search" | "hash">,
  kept: Filters = {},
): ReportAddress {
  const query = new URLSearchParams(search);
  const list = (name: string) => (query.get(name) ?? "").split(",");
  const minWords = Number(query.get("min_words") ?? "");
  const types = MATCH_TYPES.filter((type) => list("match_types").includes(type));
  const groups = MATCH_GROUPS_IN_ORDER.filter((group) => list("match_groups").includes(group));
  const source = query.get("source") ?? "";
  const filters = {
    exclude_quotes: query.get("exclude_quotes") === "true",
    exclude_bibliography: query.get("exclude_bibliography") === "true",
    min_words: Number.isInteger(minWords) && minWords <= MIN_WORDS_MAX ? minWords : undefined,
    exclude_sources: list("exclude_sources").filter((id) => UUID.test(id)),
    exclude_passages: list("exclude_passages").filter((one) => readReference(one) !== undefined),
    match_types: types.length > 0 ? types : undefined,
    match_groups: groups.length > 0 ? groups : undefined,
  };
  const named = changedFilters({}, filters);
  return {
    filters: isFiltered(named) || query.get("filters") === "none" ? named : kept,
    source: UUID.test(source) ? source : undefined,
    passage: readPassage(hash),
    ...(query.get("view") === "original" && { view: "original" }),
  };
}

/** The part of an address after its path: `?exclude_quotes=true#q120-345-01a1…`. */
export function writeAddress({ filters, source, passage, view }: ReportAddress, kept?: Filters): string {
  // Kept filters are written, too, and where there is a review, also that none are set: the kept ones may change, and a link shows
  // the same view afterwards.
  const query = filterQuery(filters);
  if (kept !== undefined && !isFiltered(filters)) query.set("filters", "none");
  if (source !== undefined) query.set("source", source);
  if (view !== undefined) query.set("view", view);
  const search = query.size === 0 ? "" : `?${query}`;
  const hash = passage === undefined ? "" : `#q${referenceTo(passage)}`;
  return search + hash;
}

/** Filters with other values; undefined, false and empty lists remove a filter. */
export function changedFilters(filters: Filters, changes: Filters): Filters {
  const all = { ...filters, ...changes };
  const { exclude_quotes, exclude_bibliography, min_words, exclude_sources, exclude_passages } = all;
  const { match_types, match_groups } = all;
  return {
    ...(exclude_quotes === true && { exclude_quotes }),
    ...(exclude_bibliography === true && { exclude_bibliography }),
    ...(min_words !== undefined && min_words > 0 && { min_words }),
    ...(exclude_sources !== undefined &&
      exclude_sources.length > 0 && { exclude_sources: exclude_sources.toSorted() }),
    ...(exclude_passages !== undefined &&
      exclude_passages.length > 0 && { exclude_passages: exclude_passages.toSorted() }),
    ...(match_types !== undefined && match_types.length < MATCH_TYPES.length && { match_types }),
    ...(match_groups !== undefined && match_groups.length < MATCH_GROUPS_IN_ORDER.length && { match_groups }),
  };
}

/** The filters as parameters of the API. */
export function filterQuery(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  return query;
}

export function isFiltered(filters: Filters): boolean {
  return Object.keys(filters).length > 0;
}

/** The API's limit. */
export const MIN_WORDS_MAX = 1_000_000;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readPassage(hash: string): LinkedPlace | undefined {
  return hash.startsWith("#q") ? readReference(hash.slice(2)) : undefined;
}

/** A passage as links and the filter name it: `120-345-01a1…`. */
export function referenceTo({ start, end, documentId }: LinkedPlace): string {
  return `${start}-${end}-${documentId}`;
}

export function readReference(reference: string): LinkedPlace | undefined {
  const [, start, end, documentId] = /^(\d{1,7})-(\d{1,7})-([0-9a-f-]{36})$/.exec(reference) ?? [];
  if (start === undefined || end === undefined || documentId === undefined) return undefined;
  return UUID.test(documentId) ? { start: Number(start), end: Number(end), documentId } : undefined;
}
