import type { Context } from "koa";
import type { z } from "zod";
import { toCsv } from "../../http/csv.ts";
import { invalidInput } from "../../http/input/parse.ts";
import { PROBLEMS, type ProblemCode, ProblemSchema, toProblem } from "../../http/routing/problem.ts";
import { type Operation, type ResponseDescription, type Route, routesFor } from "../../http/routing/route.ts";
import { DomainError, type FieldError } from "../../platform/domain-error.ts";
import { type Country, findCountry } from "../facts/countries.ts";
import { CASE_TYPES } from "../facts/sources.ts";
import { NOT_KEPT } from "../read-model/kept-versions.ts";
import {
  CaseItem,
  CountryRow,
  DisciplineRow,
  InstitutionRow,
  NewsData,
  PaperRow,
  ReasonRow,
  TotalRow,
} from "../read-model/rows.ts";
import { normaliseRor } from "../sources/identifiers.ts";
import { type Answer, sendAnswer, type TableRow } from "./answer.ts";
import {
  buildCases,
  buildCitation,
  buildCountries,
  buildCountry,
  buildDataPackage,
  buildDiscipline,
  buildDisciplines,
  buildEverything,
  buildInstitution,
  buildInstitutions,
  buildNews,
  buildPapers,
  buildReasons,
  buildTotals,
  buildWindows,
  type Reading,
} from "./build-answers.ts";
import examples from "./examples.json" with { type: "json" };
import {
  CasesQuery,
  CountriesQuery,
  CountryData,
  CountryParams,
  DisciplineData,
  DisciplineParams,
  DisciplinesQuery,
  envelope,
  InstitutionData,
  InstitutionParams,
  InstitutionQuery,
  InstitutionsQuery,
  OverviewData,
  PapersAnswer,
  PapersQuery,
  PlaceQuery,
  ReasonsQuery,
  TotalsQuery,
  VersionQuery,
  WindowsData,
} from "./schema.ts";
import type { Asked, StatisticsAnswers } from "./statistics-answers.ts";
import { refusalOf } from "./unknown-name.ts";

const HEADERS = {
  ETag: "Identifies these bytes: send it as If-None-Match, and an unchanged answer comes as 304 without a body.",
  "Last-Modified": "When something in the answer last changed. It can be sent as If-Modified-Since.",
  "Cache-Control": "How long the answer may be kept.",
  Link: "The licence, with the attribution as its title.",
  RateLimit: "The number of remaining requests (`r`), and the seconds until the count starts again (`t`).",
  "RateLimit-Policy": "The number of requests (`q`) that a client may make in a number of seconds (`w`).",
  "Access-Control-Allow-Origin": "`*`: pages of any origin may read the answer.",
} as const;

const REFUSED_WINDOW = { field: "window", message: "must be one of 2013-2017, 2008-2017" } as const;

const REFUSED_TYPE = { field: "type", message: `must be one of ${CASE_TYPES.join(", ")}` } as const;

const REFUSED_NAME = {
  field: "window",
  message: "is no parameter of this endpoint, which takes none",
} as const;

function csvExample(rows: readonly TableRow[]): string {
  return toCsv(Object.keys(rows[0] ?? {}), rows);
}

const REFUSED_VERSION = { field: "dataset_version", message: NOT_KEPT } as const;

const route = routesFor<StatisticsAnswers>();

const routes: readonly Route<StatisticsAnswers>[] = [
  route(
    describe({
      path: "/v1/",
      operationId: "getOverview",
      summary: "Index: windows, regions, freshness of the data, endpoints",
      description:
        "What you can request. `windows` and `regions` list the values of those parameters; `freshness` says when each source was loaded.",
      answer: "The index.",
      schema: envelope("Overview", OverviewData),
    }),
    async ({ ctx }, answers) => {
      await sendAnswer(ctx, await answers.overview(ENDPOINTS, new Date()));
    },
  ),
  route(
    describe({
      path: "/v1/windows",
      operationId: "listWindows",
      summary: "The years of the data, and how complete they are",
      description: `
The years that \`from\` and \`to\` may name, the last year that is settled, and how many retractions come later than a number of
years after the publication.
`.trim(),
      request: { query: VersionQuery },
      answer: "The years.",
      schema: envelope("Windows", WindowsData),
      refused: REFUSED_VERSION,
    }),
    answerTo("windows", buildWindows),
  ),
  route(
    describe({
      path: "/v1/countries",
      operationId: "listCountries",
      summary: "Rates per country",
      description: `
Retracted papers with plagiarism per 100,000 publications, for each country, by descending rate. A country is ranked if it has
at least 10,000 publications in the window. With \`region\`, only its countries are listed: \`rank\` stays global, and
\`rank_in_region\` is the rank within the region.
`.trim(),
      request: { query: CountriesQuery },
      answer: "The rows.",
      schema: envelope("Countries", CountryRow.array()),
      csv: csvExample(examples.listCountries.region.value.data),
      refused: REFUSED_WINDOW,
    }),
    answerTo("countries", buildCountries),
  ),
  route(
    describe({
      path: "/v1/institutions",
      operationId: "listInstitutions",
      summary: "Rates per institution",
      description: `
The same for research organisations, by their ROR identifiers. An institution is ranked if it has at least 1,000 publications in
the window. If ROR has withdrawn a record that has exactly one successor, its papers and publications go to the successor.
`.trim(),
      request: { query: InstitutionsQuery },
      answer: "The rows.",
      schema: envelope("Institutions", InstitutionRow.array()),
      csv: csvExample(examples.listInstitutions.row.value.data),
      refused: REFUSED_WINDOW,
    }),
    answerTo("institutions", buildInstitutions),
  ),
  route(
    describe({
      path: "/v1/disciplines",
      operationId: "listDisciplines",
      summary: "Rates per discipline",
      description: "The same for the 26 fields of OpenAlex. The answer always lists all of them.",
      request: { query: DisciplinesQuery },
      answer: "The rows.",
      schema: envelope("Disciplines", DisciplineRow.array()),
      csv: csvExample(examples.listDisciplines.row.value.data),
      refused: REFUSED_WINDOW,
    }),
    answerTo("disciplines", buildDisciplines),
  ),
  route(
    describe({
      path: "/v1/country/:code",
      operationId: "getCountry",
      summary: "One country, beside its sub-region and year by year",
      description: `
The country's row, its rank, a comparison with its UN M49 sub-region, and each year of the window. \`rate_ratio\` compares it with
all others of the sub-region together, with the exact conditional 95% interval. A country without data has nulls.
`.trim(),
      request: { params: CountryParams, query: PlaceQuery },
      answer: "The country.",
      schema: envelope("Country", CountryData),
      refused: REFUSED_WINDOW,
      errors: ["country_not_found"],
    }),
    async ({ ctx, params, query }, answers) => {
      const country = countryOf(params.code);
      const asked = { ...query, code: country.code };
      const build = (reading: Reading) => buildCountry(reading, country, query);
      await sendAnswer(ctx, await answers.get("country", asked, build));
    },
  ),
  route(
    describe({
      path: "/v1/institution/:ror",
      operationId: "getInstitution",
      summary: "One institution, year by year",
      description:
        "The institution's row, its rank, and each year of the window. An institution without data has nulls.",
      request: { params: InstitutionParams, query: InstitutionQuery },
      answer: "The institution.",
      schema: envelope("Institution", InstitutionData),
      refused: REFUSED_WINDOW,
    }),
    async ({ ctx, params, query }, answers) => {
      const ror = normaliseRor(params.ror) ?? "";
      const build = (reading: Reading) => buildInstitution(reading, ror, query);
      await sendAnswer(ctx, await answers.get("institution", { ...query, ror }, build));
    },
  ),
  route(
    describe({
      path: "/v1/discipline/:field_id",
      operationId: "getDiscipline",
      summary: "One discipline, year by year",
      description: "The discipline's row, its rank, and each year of the window.",
      request: { params: DisciplineParams, query: PlaceQuery },
      answer: "The discipline.",
      schema: envelope("Discipline", DisciplineData),
      refused: REFUSED_WINDOW,
    }),
    async ({ ctx, params: { field_id: field }, query }, answers) => {
      const build = (reading: Reading) => buildDiscipline(reading, field, query);
      await sendAnswer(ctx, await answers.get("discipline", { ...query, field }, build));
    },
  ),
  route(
    describe({
      path: "/v1/cases",
      operationId: "listCases",
      summary: "Documented notable cases",
      description:
        "Cases of plagiarism that an encyclopedia documents with a reference. Each has the sentence that says so, and names the page and the revision that it comes from. Entries about other misconduct are left out, and so are those that are not certain.",
      request: { query: CasesQuery },
      answer: "The cases.",
      schema: envelope("Cases", CaseItem.array()),
      refused: REFUSED_TYPE,
    }),
    answerTo("cases", buildCases),
  ),
  route(
    describe({
      path: "/v1/news",
      operationId: "getNews",
      summary: "Timeline of news mentions, and recent coverage",
      description:
        "How many of the monitored news articles mention plagiarism in research, by month, and the newest of them.",
      request: { query: VersionQuery },
      answer: "The timeline.",
      schema: envelope("News", NewsData),
      refused: REFUSED_VERSION,
    }),
    answerTo("news", buildNews),
  ),
];

/** Every endpoint of the API, in the order in which they are documented and listed. */
export const statisticsRoutes = routes.map(refusingUnknownNames);

/**
 * The papers behind the figures, and sums of them. The page for developers, which has every text in 14 languages, does not
 * describe them; the OpenAPI document does.
 */
export const papersRoutes: readonly Route<StatisticsAnswers>[] = [
  route(
    describe({
      path: "/v1/papers",
      operationId: "listPapers",
      summary: "The retracted papers behind a figure",
      description: `
Each paper that a list counts, with its retraction notices and their reasons. The papers of a country, an institution or a discipline in a
window are as many as \`papers\` in its row, and their shares (1 / number of places) add up to \`papers_fractional\`. \`meta.counts.total\` is the number
of papers on all pages.
`.trim(),
      request: { query: PapersQuery },
      answer: "The papers.",
      schema: PapersAnswer,
      csv: toCsv(PaperRow.keyof().options, examples.listPapers.paper.value.data),
      refused: REFUSED_WINDOW,
    }),
    answerTo("papers", buildPapers),
  ),
  route(
    describe({
      path: "/v1/totals",
      operationId: "listTotals",
      summary: "Totals of the world and of its regions",
      description: `
The world and each UN M49 region and sub-region. Papers and publications of several countries count once in \`papers\`, once for each
country in the members with \`by_country\`, and by shares in those with \`fractional\`.
`.trim(),
      request: { query: TotalsQuery },
      answer: "The totals.",
      schema: envelope("Totals", TotalRow.array()),
      csv: csvExample(examples.listTotals.world.value.data),
      refused: REFUSED_WINDOW,
    }),
    answerTo("totals", buildTotals),
  ),
  route(
    describe({
      path: "/v1/reasons",
      operationId: "listReasons",
      summary: "Rates by reason",
      description: `
The papers of the world, or of one country, institution or discipline, by the plagiarism reasons of their notices. Other reasons of
the same notices are not listed; \`/v1/papers\` has them.
`.trim(),
      request: { query: ReasonsQuery },
      answer: "The rows.",
      schema: envelope("Reasons", ReasonRow.array()),
      csv: csvExample(examples.listReasons.reason.value.data),
      refused: REFUSED_WINDOW,
    }),
    answerTo("reasons", buildReasons),
  ),
].map(refusingUnknownNames);

/** The index is also at `/v1`, which people type. */
export const indexAlias: readonly Route<StatisticsAnswers>[] = statisticsRoutes
  .slice(0, 1)
  .map(({ operation, answer }) => ({ operation: { ...operation, path: "/v1" }, answer }));

/** A file that describes the data set. */
function description(path: string, operationId: string, contentType: string, text: string) {
  return {
    ...{ method: "get" as const, path, operationId, tags: ["Statistics"] },
    ...{ summary: `The file ${path}`, description: text },
    responses: {
      200: { description: "The file.", contentType, examples: {}, headers: HEADERS },
      304: { description: "The file is the one whose ETag was sent as If-None-Match.", headers: HEADERS },
    },
    errors: ["invalid_input", "store_unavailable"] as const,
  };
}

/** Answers that are files: the page for developers links to them. */
export const fileRoutes: readonly Route<StatisticsAnswers>[] = [
  route(
    {
      ...{ method: "get", path: "/v1/everything.zip", operationId: "getEverything", tags: ["Statistics"] },
      summary: "All figures in one file",
      description:
        "A ZIP with the tables of all listed windows as CSV, the cases and the news as JSON, and the sources.",
      responses: {
        200: { description: "The file.", contentType: "application/zip", examples: {}, headers: HEADERS },
        304: { description: "The file is the one whose ETag was sent as If-None-Match.", headers: HEADERS },
      },
      errors: ["invalid_input", "rate_limited", "store_unavailable"],
    },
    async ({ ctx }, answers) => {
      await sendAnswer(ctx, await answers.get("everything", {}, buildEverything));
    },
  ),
  route(
    description(
      "/datapackage.json",
      "getDataPackage",
      "application/json",
      "The tables as a data package, with their columns, sources and licence (Data Package standard 2.0).",
    ),
    async ({ ctx }, answers) => {
      await sendAnswer(ctx, await answers.get("datapackage", {}, buildDataPackage));
    },
  ),
  route(
    description(
      "/CITATION.cff",
      "getCitation",
      "text/yaml",
      "How to cite the loaded data (Citation File Format 1.2).",
    ),
    async ({ ctx }, answers) => {
      await sendAnswer(ctx, await answers.get("citation", {}, buildCitation));
    },
  ),
].map(refusingUnknownNames);

/** A misspelt parameter must not be ignored: the answer would look like the wanted one, with other figures. */
function refusingUnknownNames(route: Route<StatisticsAnswers>): Route<StatisticsAnswers> {
  const known = parametersOf(route);
  return {
    ...route,
    async answer(ctx, ...rest) {
      const unknown = Object.keys(ctx.query).filter((name) => !known.includes(name));
      const refused = unknown.flatMap((field): FieldError[] => {
        const message = refusalOf(field, known, ALL_PARAMETERS);
        return message === undefined ? [] : [{ field, message }];
      });
      if (refused.length > 0) throw invalidInput(refused);
      return route.answer(ctx, ...rest);
    },
  };
}

function parametersOf({ operation }: Route<StatisticsAnswers>): string[] {
  return Object.keys(operation.request?.query?.shape ?? {});
}

/** The handler of an endpoint whose answer depends on the query alone. */
function answerTo<Q extends Asked>(endpoint: string, build: (reading: Reading, asked: Q) => Promise<Answer>) {
  return async ({ ctx, query }: { readonly ctx: Context; readonly query: Q }, answers: StatisticsAnswers) => {
    await sendAnswer(ctx, await answers.get(endpoint, query, (reading) => build(reading, query)));
  };
}

const tables = [...statisticsRoutes, ...papersRoutes];

/** The parameters of all endpoints. */
const ALL_PARAMETERS = [...new Set(tables.flatMap(parametersOf))];

/** The endpoints as the overview lists them. */
const ENDPOINTS = tables.map((one) => ({
  path: one.operation.path.replace(/:(\w+)/g, "{$1}"),
  description: one.operation.summary,
  parameters: parametersOf(one),
}));

/** Kosovo's XK is a code in use, but not in the standard. */
function countryOf(code: string): Country {
  const country = findCountry(code.toUpperCase());
  if (country?.isIso) return country;
  throw new DomainError(
    "country_not_found",
    `${code.toUpperCase()} is not the ISO 3166-1 code of any country.`,
  );
}

type Description = Pick<Operation, "path" | "summary" | "description" | "request"> & {
  readonly operationId: keyof typeof examples;
  /** Describes the body of a 200. */
  readonly answer: string;
  readonly schema: z.ZodType;
  /** An example of the rows as CSV, where that format exists. */
  readonly csv?: string;
  /** An example of a refused parameter, where the endpoint has one. */
  readonly refused?: FieldError;
  readonly errors?: readonly ProblemCode[];
};

function describe<const D extends Description>(description: D) {
  const { answer, schema, csv, refused = REFUSED_NAME, errors = [], ...rest } = description;
  const asCsv = {
    contentType: "text/csv",
    examples: { csv: { summary: "format=csv", value: csv } },
  };
  const responses: Operation["responses"] = {
    200: {
      ...{ description: answer, schema, examples: examples[description.operationId], headers: HEADERS },
      ...(csv !== undefined && { also: [asCsv] }),
    },
    304: {
      description: "The answer is the one whose ETag was sent as If-None-Match.",
      headers: HEADERS,
    },
    422: refusedInput(refused),
  };
  const problems: readonly ProblemCode[] = [
    ...errors,
    ...(["invalid_input", "rate_limited", "store_unavailable"] as const),
  ];
  return { ...rest, method: "get" as const, tags: ["Statistics"], responses, errors: problems };
}

/** The general description of 422 with an example of this API's own. */
function refusedInput(refused: FieldError): ResponseDescription {
  const value = toProblem("invalid_input", `${refused.field} ${refused.message}.`, { errors: [refused] });
  return {
    description: PROBLEMS.invalid_input.meaning,
    contentType: "application/problem+json",
    schema: ProblemSchema,
    examples: { invalidInput: { summary: PROBLEMS.invalid_input.title, value } },
  };
}
