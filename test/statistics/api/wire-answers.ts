import { expect } from "chai";
import type { z } from "zod";
import { CountryData, envelope, OverviewData } from "../../../src/statistics/api/schema.ts";
import {
  CaseItem,
  CountryRow,
  DisciplineRow,
  InstitutionRow,
  NewsData,
} from "../../../src/statistics/read-model/rows.ts";
import type { TestStatistics } from "../../support/use-statistics.ts";

/** What each endpoint answers, as its schemas say. */
export const WireAnswers = {
  overview: envelope("Overview", OverviewData),
  countries: envelope("Countries", CountryRow.array()),
  country: envelope("Country", CountryData),
  institutions: envelope("Institutions", InstitutionRow.array()),
  disciplines: envelope("Disciplines", DisciplineRow.array()),
  cases: envelope("Cases", CaseItem.array()),
  news: envelope("News", NewsData),
};

/** Every JSON endpoint, with a query where it takes one. */
export const PATHS = [
  "/v1/",
  "/v1/countries?below=true",
  "/v1/institutions",
  "/v1/disciplines",
  "/v1/country/DE",
  "/v1/cases",
  "/v1/news",
];

/** The answer at a path; it must be 200 and hold no member that is not documented. */
export async function readAnswer<S extends z.ZodType>(
  statistics: Pick<TestStatistics, "request">,
  schema: S,
  path: string,
): Promise<z.output<S>> {
  const response = await statistics.request(path);
  expect(response.status, path).to.equal(200);
  const body: unknown = await response.json();
  const parsed = schema.parse(body);
  expect(parsed, "no member that is not documented").to.deep.equal(body);
  return parsed;
}

/** Waits until a load is heard of: the notification comes a moment after the load's end. Mocha's limit ends the waiting. */
export async function untilServed(
  statistics: Pick<TestStatistics, "request">,
  datasetVersion: string,
): Promise<void> {
  for (;;) {
    const { meta } = await readAnswer(statistics, WireAnswers.overview, "/v1/");
    if (meta.dataset_version === datasetVersion) return;
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
}

const TURN_MS = 50;
