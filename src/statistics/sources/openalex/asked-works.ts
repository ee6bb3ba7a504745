import { z } from "zod";
import { normaliseDoi } from "../doi.ts";
import type { FetchContext } from "../fetching/fetch-context.ts";
import { openAlexRequest } from "./openalex-request.ts";
import { Authorships, PrimaryTopic } from "./work-members.ts";

/** What is kept of a work: all that is loaded of it, and none of the names and addresses of its authors. */
const ListedWork = z.object({
  doi: z.string().nullish(),
  publication_year: z.number().nullish(),
  authorships: Authorships,
  primary_topic: PrimaryTopic,
});
export type ListedWork = z.infer<typeof ListedWork>;

/** What was learned of a DOI, and when; several works may have it, or none. */
export const AskedDoi = z.object({
  doi: z.string(),
  askedAt: z.iso.datetime(),
  works: z.array(ListedWork).readonly(),
});
export type AskedDoi = z.infer<typeof AskedDoi>;

const FIELDS = "doi,publication_year,authorships,primary_topic";

/** The most that OpenAlex sends at once, at which a request costs the same as at 25. */
const WORKS_PER_PAGE = "100";

/** Lists of works are cut to so many authors each; a work that is asked for by itself is not. */
const LISTED_AUTHORS_MAX = 100;

const Page = z.object({
  meta: z.object({ next_cursor: z.string().nullish() }),
  results: z.array(ListedWork),
});

/** The works that have one of these DOIs. @throws HttpFailure, with status 400 for DOIs that a filter can't hold. */
export async function askBatch(
  context: FetchContext,
  dois: readonly string[],
): Promise<readonly ListedWork[]> {
  const works: ListedWork[] = [];
  const asked = { filter: `doi:${dois.join("|")}`, select: FIELDS, per_page: WORKS_PER_PAGE };
  let cursor: string | null = "*";
  while (cursor !== null) {
    const page: z.infer<typeof Page> | undefined = await openAlexRequest(
      context,
      "/works",
      { ...asked, cursor },
      Page,
    );
    works.push(...(page?.results ?? []));
    // The last page may name a cursor all the same: that of an empty one.
    cursor = page === undefined || page.results.length === 0 ? null : (page.meta.next_cursor ?? null);
  }
  return withAllAuthors(context, works);
}

/** The work with this DOI, of several the one that OpenAlex prefers. Such a request costs nothing of the day's allowance. */
export async function askOne(context: FetchContext, doi: string): Promise<readonly ListedWork[]> {
  const path = `/works/doi:${encodeURIComponent(doi).replaceAll("%2F", "/")}`;
  const work = await openAlexRequest(context, path, { select: FIELDS }, ListedWork);
  return work === undefined ? [] : [{ ...work, doi }];
}

async function withAllAuthors(context: FetchContext, works: readonly ListedWork[]): Promise<ListedWork[]> {
  const whole: ListedWork[] = [];
  for (const work of works) {
    const doi = normaliseDoi(work.doi ?? "");
    const isCut = doi !== undefined && (work.authorships ?? []).length >= LISTED_AUTHORS_MAX;
    whole.push(...(isCut ? await askOne(context, doi) : [work]));
  }
  return whole;
}
