import { z } from "zod";
import { optionalMember } from "../http/input/parse.ts";
import { PassageName, readPassageReference } from "../http/input/wire-types.ts";
import { MATCH_TYPES_CLOSEST_FIRST } from "./figures/exclusive-spans.ts";
import type { ReportFilters } from "./figures/filters.ts";
import { MATCH_GROUPS } from "./figures/match-groups.ts";

const KEPT_ITEMS_MAX = 1_000;

const FILTERS = {
  exclude_quotes: z.boolean(),
  exclude_bibliography: z.boolean(),
  min_words: z.int().min(0).max(1_000_000),
  exclude_sources: z.array(z.guid("must be a UUID").toLowerCase()).max(KEPT_ITEMS_MAX),
  exclude_passages: z.array(PassageName).max(KEPT_ITEMS_MAX),
  match_types: z.array(z.enum(MATCH_TYPES_CLOSEST_FIRST)).min(1).max(MATCH_TYPES_CLOSEST_FIRST.length),
  standing_exclusions: z.boolean(),
  match_groups: z.array(z.enum(MATCH_GROUPS)).min(1).max(MATCH_GROUPS.length),
} as const;

/** The filters of a report as they are kept, under the names of their parameters. */
export const KeptFilters = z.object(FILTERS).partial().meta({ id: "KeptFilters" });

export type KeptFilters = z.output<typeof KeptFilters>;

/** The filters to keep. Lists lose their repeats; an empty one is no filter. */
export const FiltersToKeep = z
  .object({
    exclude_quotes: optionalMember(FILTERS.exclude_quotes),
    exclude_bibliography: optionalMember(FILTERS.exclude_bibliography),
    min_words: optionalMember(FILTERS.min_words),
    exclude_sources: optionalMember(FILTERS.exclude_sources).transform(listToKeep),
    exclude_passages: optionalMember(FILTERS.exclude_passages).transform(listToKeep),
    match_types: optionalMember(FILTERS.match_types).transform(listToKeep),
    standing_exclusions: optionalMember(FILTERS.standing_exclusions),
    match_groups: optionalMember(FILTERS.match_groups).transform(listToKeep),
  })
  .meta({ id: "FiltersToKeep" });

function listToKeep<T>(list: readonly T[] | undefined): T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : [...new Set(list)];
}

/** The filters that are in effect, under their wire names; undefined if there are none. A filter set to `false` is not in effect. */
export function appliedFilters(asked: KeptFilters): Readonly<Record<string, unknown>> | undefined {
  const applied = Object.entries(asked).filter(
    ([name, value]) => value !== undefined && value !== false && name !== "standing_exclusions",
  );
  return applied.length === 0 ? undefined : Object.fromEntries(applied);
}

/** Whether a request names a filter, even one that filters nothing. */
export function namesFilter(asked: KeptFilters): boolean {
  return Object.values(asked).some((value) => value !== undefined);
}

export function toFilters(asked: KeptFilters): ReportFilters {
  return {
    excludeQuotes: asked.exclude_quotes,
    excludeBibliography: asked.exclude_bibliography,
    minWords: asked.min_words,
    excludeSources: asked.exclude_sources,
    excludePassages: asked.exclude_passages?.flatMap((one) => readPassageReference(one) ?? []),
    matchTypes: asked.match_types,
    matchGroups: asked.match_groups,
  };
}
