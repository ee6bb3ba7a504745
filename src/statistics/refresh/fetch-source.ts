import { DomainError } from "../../core/domain-error.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { PartName } from "../load/part.ts";
import { fetchCases } from "../sources/cases/cases-client.ts";
import type { FetchContext, FetchedPart } from "../sources/fetching/fetch-context.ts";
import { fetchNews } from "../sources/news/gdelt-client.ts";
import { fetchWorks } from "../sources/openalex/works-client.ts";
import { fetchPublications } from "../sources/publications/publications-client.ts";
import { fetchRetractions } from "../sources/retraction-watch/retraction-watch-client.ts";
import { fetchOrganisations } from "../sources/ror/ror-client.ts";
import { retractedDois } from "./retracted-dois.ts";

/** The works are those of the papers, which must be loaded by then; the counts take longest, and nothing waits for them. */
export const FETCH_ORDER = [
  "retractions",
  "works",
  "organisations",
  "cases",
  "news",
  "publications",
] as const satisfies readonly PartName[];

/**
 * Fetches one part from its source.
 * @throws HttpFailure; DomainError `unreadable_file`, `invalid_input` when the works are wanted before there are papers; the
 * signal's reason.
 */
export async function fetchSource(
  part: PartName,
  context: FetchContext,
  db: Queryable,
): Promise<FetchedPart> {
  switch (part) {
    case "retractions":
      return fetchRetractions(context);
    case "works":
      return fetchWorks(context, await papersOf(db));
    case "organisations":
      return fetchOrganisations(context);
    case "cases":
      return fetchCases(context);
    case "news":
      return fetchNews(context);
    case "publications":
      return fetchPublications(context);
  }
}

async function papersOf(db: Queryable): Promise<readonly string[]> {
  const dois = await retractedDois(db);
  if (dois.length > 0) return dois;
  throw new DomainError(
    "invalid_input",
    "no retracted papers are loaded, whose works are to be asked about; fetch the retractions first",
  );
}
