import { z } from "zod";
import { HttpFailure } from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import type { FetchContext, FetchedPart } from "../fetching/fetch-context.ts";
import { Journal } from "../fetching/journal.ts";
import { normaliseDoi } from "../identifiers.ts";
import { openAlexRequest } from "./openalex-request.ts";
import { Authorships, PrimaryTopic } from "./retracted-works.ts";

/** OpenAlex takes 100 in one filter; with 50 the address stays well below the 8,000 characters that servers put up with. */
const DOIS_PER_REQUEST = 50;

/**
 * A work's institutions and topic are seldom mended: each DOI is asked about once a month, and a new one at once. OpenAlex could
 * tell what has changed since a day, but only for DOIs that are listed again, which costs as many requests.
 */
const ANSWER_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** In a filter these separate values and conditions, and can't be written in any other way. */
const NOT_FOR_A_FILTER = /[|,"]/;

/**
 * What OpenAlex knows of the papers with these (normalised) DOIs. Answers are kept one by one: a fetch that was broken off
 * goes on where it stopped, and only what is new or a month old is asked about.
 * @throws HttpFailure; the signal's reason.
 */
export async function fetchWorks(context: FetchContext, dois: readonly string[]): Promise<FetchedPart> {
  const { folder, now } = context;
  const journal = new Journal(await folder.file("answers.jsonl"), AskedDoi);
  const known = new Map<string, AskedDoi>();
  for await (const asked of journal.read()) known.set(asked.doi, asked);

  const oldestMs = now().getTime() - ANSWER_KEPT_DAYS * DAY_MS;
  const open = dois.filter((doi) => Date.parse(known.get(doi)?.askedAt ?? "1970-01-01") <= oldestMs);
  const requests = inRequests(open);
  for (const [done, batch] of requests.entries()) {
    progress(context, done, requests.length);
    const found = await ask(context, batch);
    const askedAt = now().toISOString();
    const answers = batch.map((doi) => ({ doi, askedAt, works: found.get(doi) ?? [] }));
    await journal.append(...answers);
    for (const answer of answers) known.set(answer.doi, answer);
  }

  const wanted = dois.toSorted().flatMap((doi) => known.get(doi) ?? []);
  const file = await folder.file("works.jsonl");
  const works = wanted.flatMap((answer) => answer.works);
  await writeWhole(file, works.map((work) => `${JSON.stringify(work)}\n`).join(""));
  // Only the last answer about a paper matters, and none about a paper that is no longer wanted.
  await writeWhole(
    await folder.file("answers.jsonl"),
    wanted.map((one) => `${JSON.stringify(one)}\n`).join(""),
  );
  const missing = wanted.filter((answer) => answer.works.length === 0).length;
  return {
    file,
    retrievedAt: now(),
    notes: [
      `OpenAlex knows ${dois.length - missing} of ${dois.length} papers; ${open.length} were asked about`,
    ],
    refused: () => folder.clear(),
  };
}

/** DOIs that can't stand in a filter are asked about one by one, which OpenAlex does not even count. */
function inRequests(dois: readonly string[]): readonly (readonly string[])[] {
  const plain = dois.filter((doi) => !NOT_FOR_A_FILTER.test(doi));
  const batches = Array.from({ length: Math.ceil(plain.length / DOIS_PER_REQUEST) }, (_, index) =>
    plain.slice(index * DOIS_PER_REQUEST, (index + 1) * DOIS_PER_REQUEST),
  );
  return [...batches, ...dois.filter((doi) => NOT_FOR_A_FILTER.test(doi)).map((doi) => [doi])];
}

/** The works by DOI. When OpenAlex can't read a filter, its DOIs are asked about one by one: an odd one must not hide the others. */
async function ask(context: FetchContext, dois: readonly string[]): Promise<FoundWorks> {
  const [only, ...more] = dois;
  if (only === undefined || more.length === 0) return askApart(context, dois);
  try {
    return byDoi(await askBatch(context, dois));
  } catch (error) {
    if (!isBadRequest(error)) throw error;
    const found = await askApart(context, dois);
    // It was not the DOIs, then.
    if (found.size === 0) throw error;
    return found;
  }
}

type FoundWorks = ReadonlyMap<string, readonly ListedWork[]>;

/** DOIs that OpenAlex can't read are not in the result. */
async function askApart(context: FetchContext, dois: readonly string[]): Promise<FoundWorks> {
  const found = new Map<string, readonly ListedWork[]>();
  for (const doi of dois) {
    try {
      found.set(doi, await askOne(context, doi));
    } catch (error) {
      if (!isBadRequest(error)) throw error;
    }
  }
  return found;
}

const BAD_REQUEST = 400;

function isBadRequest(error: unknown): boolean {
  return error instanceof HttpFailure && error.status === BAD_REQUEST;
}

function byDoi(works: readonly ListedWork[]): FoundWorks {
  return Map.groupBy(works, ({ doi }) => normaliseDoi(doi ?? "") ?? "");
}

function progress({ onProgress }: FetchContext, done: number, total: number): void {
  onProgress({ done, total, totalIsFinal: true, failed: 0 }, "requests");
}

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
