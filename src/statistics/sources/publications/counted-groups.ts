import { z } from "zod";
import { HttpFailure } from "../../../platform/http-client/polite-request.ts";
import { findCountry } from "../../facts/countries.ts";
import type { FetchContext, SourceSettings } from "../fetching/fetch-context.ts";
import { readFieldId } from "../openalex/field-id.ts";
import { openAlexRequest } from "../openalex/openalex-request.ts";
import { normaliseRor } from "../ror/ror-id.ts";
import { DIMENSIONS, type Dimension } from "./publication-counts.ts";

/** One page of the counts of a dimension in a year. */
export const CountedPage = z.object({
  dimension: z.enum(DIMENSIONS),
  year: z.int(),
  /** The cursor of the page that follows; null after the last one. */
  next: z.string().nullable(),
  groups: z.array(z.tuple([z.string(), z.int()])),
  /** Keys that no list of ours has, such as codes of countries that have ceased to be. */
  unknown: z.array(z.string()),
});
export type CountedPage = z.infer<typeof CountedPage>;

const Answer = z.object({
  meta: z.object({ next_cursor: z.string().nullish() }),
  group_by: z.array(z.object({ key: z.union([z.string(), z.number()]).nullable(), count: z.int().min(0) })),
});

/**
 * OpenAlex's filter of the works that count as publications. Front matter is none of any type's. Retracted works stay: they are
 * what rates are about.
 */
export function countedWorks({ openalexCountedTypes }: SourceSettings): string {
  return `type:${openalexCountedTypes.join("|")},is_paratext:false`;
}

/** What works are grouped by, and how a group's key is read. */
const GROUPS = {
  country: {
    by: "authorships.countries",
    read: (key: string) => findCountry(lastSegment(key).toUpperCase())?.code,
  },
  institution: { by: "authorships.institutions.ror", read: normaliseRor },
  discipline: { by: "primary_topic.field.id", read: (key: string) => readFieldId(key)?.toString() },
} as const satisfies Record<
  Dimension,
  { readonly by: string; readonly read: (key: string) => string | undefined }
>;

/**
 * One page of OpenAlex's counts; with a cursor they are exact and complete, without one only the largest 200 groups. A page that
 * is not full is padded with groups of other pages and a count of 0, which say nothing.
 * @param cursor `*` for the first page.
 */
export async function countGroups(
  context: FetchContext,
  dimension: Dimension,
  year: number,
  cursor: string,
): Promise<CountedPage> {
  const { by, read } = GROUPS[dimension];
  const filter = `${countedWorks(context.settings)},publication_year:${year}`;
  const answer = await openAlexRequest(context, "/works", { filter, group_by: by, cursor }, Answer);
  if (answer === undefined)
    throw new HttpFailure("OpenAlex does not know the address of its works", { status: 404 });
  const counted = answer.group_by
    .filter(({ count }) => count > 0)
    .map(({ key, count }) => ({ key: String(key), count }));
  // A cursor is given as long as a page has groups; the one that leads nowhere would be asked for again and again.
  const next = counted.length === 0 ? null : (answer.meta.next_cursor ?? null);
  return {
    dimension,
    year,
    next: next === cursor ? null : next,
    groups: counted.flatMap(({ key, count }): [string, number][] => {
      const known = read(key);
      return known === undefined ? [] : [[known, count]];
    }),
    unknown: counted.flatMap(({ key }) => (read(key) === undefined && !NOT_STATED.has(key) ? [key] : [])),
  };
}

/** How OpenAlex names the group of works that have no country, institution or field. */
const NOT_STATED: ReadonlySet<string> = new Set(["unknown", "null", "-111"]);

/** Keys of countries are bare codes or addresses that end in one. */
function lastSegment(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}
