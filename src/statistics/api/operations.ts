import type { z } from "zod";
import type { FieldError } from "../../core/domain-error.ts";
import { ProblemSchema } from "../../http/docs/openapi.ts";
import type { Examples, Operation, ResponseDescription } from "../../http/docs/operation.ts";
import { PROBLEMS, toProblem } from "../../http/problem.ts";
import { CASE_TYPES } from "../sources/cases/case-type.ts";
import * as examples from "./examples.ts";
import { CaseItem } from "./schema/cases.ts";
import { CountryData } from "./schema/country.ts";
import { envelope } from "./schema/envelope.ts";
import { NewsData } from "./schema/news.ts";
import { OverviewData } from "./schema/overview.ts";
import {
  CasesQuery,
  CountriesQuery,
  CountryParams,
  CountryQuery,
  DisciplinesQuery,
  InstitutionsQuery,
} from "./schema/parameters.ts";
import { CountryRow, DisciplineRow, InstitutionRow } from "./schema/rows.ts";

const TAGS = ["Statistics"] as const;

const HEADERS = {
  ETag: "Names these bytes: send it as If-None-Match, and an answer that is still the same comes as 304 without a body.",
  "Cache-Control": "How long the answer may be kept.",
  Link: "The licence, with the attribution as its title.",
  RateLimit: "How many requests are left (`r`), and the seconds after which they are counted anew (`t`).",
  "RateLimit-Policy": "How many requests (`q`) a client may make in how many seconds (`w`).",
  "Access-Control-Allow-Origin": "`*`: pages of any origin may read the answer.",
} as const;

const NOT_MODIFIED: ResponseDescription = {
  description: "The answer is the one whose ETag was sent as If-None-Match.",
  headers: HEADERS,
};

type Described = {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly examples: Examples;
  /** An example of the rows as CSV, where there is that format. */
  readonly csv?: string;
  /** An example of a parameter that is refused, and how. */
  readonly refused?: FieldError;
};

function answers({ description, schema, examples: shown, csv, refused }: Described): Operation["responses"] {
  const asCsv = {
    contentType: "text/csv",
    examples: { csv: { summary: "format=csv", value: csv } },
  };
  return {
    200: {
      description,
      schema,
      examples: shown,
      headers: HEADERS,
      ...(csv !== undefined && { also: [asCsv] }),
    },
    304: NOT_MODIFIED,
    ...(refused !== undefined && { 422: invalidInput(refused) }),
  };
}

/** The general description of 422 with an example of this API's own. */
function invalidInput(refused: FieldError): ResponseDescription {
  const value = toProblem("invalid_input", `${refused.field} ${refused.message}.`, { errors: [refused] });
  return {
    description: PROBLEMS.invalid_input.meaning,
    contentType: "application/problem+json",
    schema: ProblemSchema,
    examples: { invalidInput: { summary: PROBLEMS.invalid_input.title, value } },
  };
}

const REFUSED_WINDOW = { field: "window", message: "must be one of 2013-2017, 2008-2017" } as const;

const REFUSED_TYPE = { field: "type", message: `must be one of ${CASE_TYPES.join(", ")}` } as const;

const overviewOperation = {
  method: "get",
  path: "/v1/",
  operationId: "getOverview",
  summary: "Index: windows, regions, freshness of the data, endpoints",
  description:
    "What can be asked for. `windows` and `regions` are the values of those parameters; `freshness` says when each source was loaded.",
  tags: TAGS,
  responses: answers({
    description: "The index.",
    schema: envelope("Overview", OverviewData),
    examples: examples.overviewExamples,
  }),
  errors: ["rate_limited", "store_unavailable"],
} as const satisfies Operation;

const countriesOperation = {
  method: "get",
  path: "/v1/countries",
  operationId: "listCountries",
  summary: "Rates per country",
  description: `
Retracted papers with plagiarism per 100,000 publications, for each country, by descending rate. A country is ranked from
10,000 publications in the window on. With \`region\` only its countries are listed: \`rank\` stays the global one, and
\`rank_in_region\` is the one within the region.
`.trim(),
  tags: TAGS,
  request: { query: CountriesQuery },
  responses: answers({
    description: "The rows.",
    schema: envelope("Countries", CountryRow.array()),
    examples: examples.countriesExamples,
    csv: examples.countriesCsv,
    refused: REFUSED_WINDOW,
  }),
  errors: ["invalid_input", "rate_limited", "store_unavailable"],
} as const satisfies Operation;

const institutionsOperation = {
  method: "get",
  path: "/v1/institutions",
  operationId: "listInstitutions",
  summary: "Rates per institution",
  description: `
The same for research organisations, by their ROR identifiers. An institution is ranked from 1,000 publications on. Papers and
publications of a record that ROR has withdrawn go to its successor, when it has exactly one.
`.trim(),
  tags: TAGS,
  request: { query: InstitutionsQuery },
  responses: answers({
    description: "The rows.",
    schema: envelope("Institutions", InstitutionRow.array()),
    examples: examples.institutionsExamples,
    csv: examples.institutionsCsv,
    refused: REFUSED_WINDOW,
  }),
  errors: ["invalid_input", "rate_limited", "store_unavailable"],
} as const satisfies Operation;

const disciplinesOperation = {
  method: "get",
  path: "/v1/disciplines",
  operationId: "listDisciplines",
  summary: "Rates per discipline",
  description: "The same for the 26 fields of OpenAlex. All of them are always listed.",
  tags: TAGS,
  request: { query: DisciplinesQuery },
  responses: answers({
    description: "The rows.",
    schema: envelope("Disciplines", DisciplineRow.array()),
    examples: examples.disciplinesExamples,
    csv: examples.disciplinesCsv,
    refused: REFUSED_WINDOW,
  }),
  errors: ["invalid_input", "rate_limited", "store_unavailable"],
} as const satisfies Operation;

const countryOperation = {
  method: "get",
  path: "/v1/country/:code",
  operationId: "getCountry",
  summary: "One country, beside its sub-region and year by year",
  description: `
The country's row, its rank, a comparison with its UN M49 sub-region, and each year of the window. \`rate_ratio\` compares it with
all others of the sub-region together, with the exact conditional 95% interval. A country without data has nulls.
`.trim(),
  tags: TAGS,
  request: { params: CountryParams, query: CountryQuery },
  responses: answers({
    description: "The country.",
    schema: envelope("Country", CountryData),
    examples: examples.countryExamples,
    refused: REFUSED_WINDOW,
  }),
  errors: ["country_not_found", "invalid_input", "rate_limited", "store_unavailable"],
} as const satisfies Operation;

const casesOperation = {
  method: "get",
  path: "/v1/cases",
  operationId: "listCases",
  summary: "Documented notable cases",
  description:
    "Cases of plagiarism that an encyclopedia documents with a reference. Each names the page and the revision that it comes from.",
  tags: TAGS,
  request: { query: CasesQuery },
  responses: answers({
    description: "The cases.",
    schema: envelope("Cases", CaseItem.array()),
    examples: examples.casesExamples,
    refused: REFUSED_TYPE,
  }),
  errors: ["invalid_input", "rate_limited", "store_unavailable"],
} as const satisfies Operation;

const newsOperation = {
  method: "get",
  path: "/v1/news",
  operationId: "getNews",
  summary: "Timeline of news mentions, and recent coverage",
  description:
    "How many of the monitored news articles mention plagiarism in research, by month, and the newest of them.",
  tags: TAGS,
  responses: answers({
    description: "The timeline.",
    schema: envelope("News", NewsData),
    examples: examples.newsExamples,
  }),
  errors: ["rate_limited", "store_unavailable"],
} as const satisfies Operation;

/** Every endpoint of the API, in the order in which they are documented and listed. */
export const statisticsOperations: readonly Operation[] = [
  overviewOperation,
  countriesOperation,
  institutionsOperation,
  disciplinesOperation,
  countryOperation,
  casesOperation,
  newsOperation,
];
