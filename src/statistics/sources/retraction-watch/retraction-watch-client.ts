import { downloadedPart } from "../fetching/downloaded-part.ts";
import type { FetchContext, FetchedPart } from "../fetching/fetch-context.ts";

/** Retraction Watch's file, which Crossref renews every working day; it is not sent again while it is the same. */
export function fetchRetractions(context: FetchContext): Promise<FetchedPart> {
  return downloadedPart(context, context.settings.retractionWatchUrl, "retraction_watch.csv");
}
