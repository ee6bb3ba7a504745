import { z } from "zod";
import { HttpFailure } from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import type { FetchContext, FetchedPart } from "../fetching/fetch-context.ts";
import { Journal } from "../fetching/journal.ts";
import { normaliseDoi } from "../identifiers.ts";
import { openAlexRequest } from "./openalex-request.ts";
import { Authorships, PrimaryTopic } from "./retracted-works.ts";

/** OpenAlex accepts 100 in one filter; with 50 the address stays well below the 8,000 characters that servers accept. */
const DOIS_PER_REQUEST = 50;

/**
 * A work's institutions and topic seldom change: each DOI is requested once a month, and a new one at once. OpenAlex could
 * list the changes since a day, but only of DOIs that are named again, which costs as many requests.
 */
const ANSWER_KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The members of a work that are loaded. The names and addresses of its authors are not kept. */
const ListedWork = z.object({
  doi: z.string().nullish(),
  publication_year: z.number().nullish(),
  authorships: Authorships,
  primary_topic: PrimaryTopic,
});
type ListedWork = z.infer<typeof ListedWork>;

const MEMBERS = Object.keys(ListedWork.shape).join(",");

/** The answer about a DOI: one work, several or none. */
const AskedDoi = z.object({
  doi: z.string(),
  askedAt: z.iso.datetime(),
  works: z.array(ListedWork).readonly(),
});
type AskedDoi = z.infer<typeof AskedDoi>;

/**
 * OpenAlex's records of the papers with these (normalised) DOIs. Each answer is kept: an interrupted fetch resumes where it
 * stopped, and only DOIs that are new or a month old are requested.
 * @throws HttpFailure; the signal's reason.
 */
export async function fetchWorks(context: FetchContext, dois: readonly string[]): Promise<FetchedPart> {
  const { folder, now, onProgress } = context;
  const journalFile = await folder.file("answers.jsonl");
  const journal = new Journal(journalFile, AskedDoi);
  const known = new Map<string, AskedDoi>();
  for await (const asked of journal.read()) known.set(asked.doi, asked);

  const oldestMs = now().getTime() - ANSWER_KEPT_DAYS * DAY_MS;
  const open = dois.filter((doi) => Date.parse(known.get(doi)?.askedAt ?? "1970-01-01") <= oldestMs);
  const requests = inRequests(open);
  for (const [done, batch] of requests.entries()) {
    onProgress({ done, total: requests.length, totalIsFinal: true, failed: 0 }, "requests");
    const found = await worksOf(context, batch);
    const askedAt = now().toISOString();
    const answers = batch.map((doi) => ({ doi, askedAt, works: found.get(doi) ?? [] }));
    await journal.append(...answers);
    for (const answer of answers) known.set(answer.doi, answer);
  }

  const wanted = dois.toSorted().flatMap((doi) => known.get(doi) ?? []);
  const file = await folder.file("works.jsonl");
  await writeWhole(file, jsonLines(wanted.flatMap((answer) => answer.works)));
  // Only the last answer about a paper matters, and none about a paper that is no longer wanted.
  await writeWhole(journalFile, jsonLines(wanted));
  const found = dois.length - wanted.filter((answer) => answer.works.length === 0).length;
  return {
    file,
    retrievedAt: now(),
    notes: [`OpenAlex has ${found} of ${dois.length} papers; ${open.length} were requested`],
  };
}

function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** These separate values and conditions in a filter, and can't be escaped. */
const NOT_FOR_A_FILTER = /[|,"]/;

/** DOIs that can't be part of a filter are requested one by one, which OpenAlex does not count. */
function inRequests(dois: readonly string[]): readonly (readonly string[])[] {
  const plain = dois.filter((doi) => !NOT_FOR_A_FILTER.test(doi));
  const batches = Array.from({ length: Math.ceil(plain.length / DOIS_PER_REQUEST) }, (_, index) =>
    plain.slice(index * DOIS_PER_REQUEST, (index + 1) * DOIS_PER_REQUEST),
  );
  return [...batches, ...dois.filter((doi) => NOT_FOR_A_FILTER.test(doi)).map((doi) => [doi])];
}

type FoundWorks = ReadonlyMap<string, readonly ListedWork[]>;

/** The works by DOI. When OpenAlex rejects a filter, its DOIs are requested one by one: an odd one must not hide the others. */
async function worksOf(context: FetchContext, dois: readonly string[]): Promise<FoundWorks> {
  if (dois.length < 2) return worksOneByOne(context, dois);
  try {
    const works = await requestBatch(context, dois);
    return Map.groupBy(works, ({ doi }) => normaliseDoi(doi ?? "") ?? "");
  } catch (error) {
    if (!isBadRequest(error)) throw error;
    const found = await worksOneByOne(context, dois);
    // Then the DOIs were not the reason.
    if (found.size === 0) throw error;
    return found;
  }
}

/** DOIs that OpenAlex rejects are not in the result. */
async function worksOneByOne(context: FetchContext, dois: readonly string[]): Promise<FoundWorks> {
  const found = new Map<string, readonly ListedWork[]>();
  for (const doi of dois) {
    try {
      found.set(doi, await requestOne(context, doi));
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

/** The most that OpenAlex sends at once; such a request costs the same as one for 25. */
const WORKS_PER_PAGE = "100";

const Page = z.object({
  meta: z.object({ next_cursor: z.string().nullish() }),
  results: z.array(ListedWork),
});

/** Lists of works show only this many authors of each; a work that is requested by itself shows all. */
const LISTED_AUTHORS_MAX = 100;

/** The works that have one of these DOIs. @throws HttpFailure, with status 400 for DOIs that a filter can't contain. */
async function requestBatch(context: FetchContext, dois: readonly string[]): Promise<readonly ListedWork[]> {
  const works: ListedWork[] = [];
  const asked = { filter: `doi:${dois.join("|")}`, select: MEMBERS, per_page: WORKS_PER_PAGE };
  let cursor: string | null = "*";
  while (cursor !== null) {
    const parameters: Record<string, string> = { ...asked, cursor };
    const page = await openAlexRequest(context, "/works", parameters, Page);
    for (const work of page?.results ?? []) {
      const doi = normaliseDoi(work.doi ?? "");
      const isCut = doi !== undefined && (work.authorships ?? []).length >= LISTED_AUTHORS_MAX;
      works.push(...(isCut ? await requestOne(context, doi) : [work]));
    }
    // The last page may name the cursor of an empty one.
    cursor = page === undefined || page.results.length === 0 ? null : (page.meta.next_cursor ?? null);
  }
  return works;
}

/** The work with this DOI: of several, the one that OpenAlex prefers. Such a request is free. */
async function requestOne(context: FetchContext, doi: string): Promise<readonly ListedWork[]> {
  const path = `/works/doi:${encodeURIComponent(doi).replaceAll("%2F", "/")}`;
  const work = await openAlexRequest(context, path, { select: MEMBERS }, ListedWork);
  return work === undefined ? [] : [{ ...work, doi }];
}
