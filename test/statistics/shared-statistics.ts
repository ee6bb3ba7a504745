import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "mocha";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "shared", "data", "statistics");

/** Real records that are not part of the repository. */
export const SHARED = {
  folder: FOLDER,
  retractions: join(FOLDER, "retractions_sample.csv"),
  sixRetractions: join(FOLDER, "retraction_watch_6_rows.csv"),
  publications: join(FOLDER, "publications_by_country_2008_2017.csv"),
  organisations: join(FOLDER, "ror_sample.jsonl"),
  countryNames: join(FOLDER, "rw_country_to_iso2.csv"),
  regions: join(FOLDER, "m49_iso2.csv"),
  fields: join(FOLDER, "openalex_fields.json"),
  reasons: join(FOLDER, "plagiarism_reasons.tsv"),
};

/** Skips the tests of a `describe` where the shared data are not at hand; fails them where they have to be. */
export function needsSharedData(context: Context): void {
  if (existsSync(SHARED.retractions)) return;
  if (process.env.REQUIRE_SHARED_DATA === "1") throw new Error(`the shared data are missing: ${FOLDER}`);
  process.stderr.write(`    skipped: no shared data at ${FOLDER}\n`);
  context.skip();
}
