import { Router } from "@koa/router";
import { z } from "zod";
import { parse } from "../../http/input/parse.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { type Country, findCountry } from "../facts/countries.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import {
  buildCases,
  buildCountries,
  buildCountry,
  buildDisciplines,
  buildInstitutions,
  buildNews,
  type Reading,
} from "./build-answers.ts";
import { statisticsOperations } from "./operations.ts";
import {
  CasesQuery,
  CountriesQuery,
  CountryParams,
  CountryQuery,
  DisciplinesQuery,
  InstitutionsQuery,
} from "./schema.ts";
import type { StatisticsAnswers } from "./statistics-answers.ts";

export function statisticsRouter(answers: StatisticsAnswers): Router {
  const router = new Router();
  const get = <Q extends z.ZodObject>(
    path: string,
    query: Q,
    build: (reading: Reading, asked: z.output<Q>) => Promise<Answer>,
  ) =>
    router.get(path, async (ctx) => {
      const asked = parse(query, ctx.query);
      sendAnswer(ctx, await answers.get(path, asked, (reading) => build(reading, asked)));
    });

  const endpoints = statisticsOperations.map(({ path, summary, request }) => ({
    path: path.replace(/:(\w+)/g, "{$1}"),
    description: summary,
    parameters: Object.keys(request?.query?.shape ?? {}),
  }));
  router.get("/v1/", async (ctx) => {
    sendAnswer(ctx, await answers.overview(endpoints, new Date()));
  });
  get("/v1/countries", CountriesQuery, buildCountries);
  get("/v1/institutions", InstitutionsQuery, buildInstitutions);
  get("/v1/disciplines", DisciplinesQuery, buildDisciplines);
  router.get("/v1/country/:code", async (ctx) => {
    const country = countryOf(parse(CountryParams, ctx.params).code);
    const asked = { ...parse(CountryQuery, ctx.query), code: country.code };
    sendAnswer(ctx, await answers.get("country", asked, (reading) => buildCountry(reading, country)));
  });
  get("/v1/cases", CasesQuery, buildCases);
  get("/v1/news", z.object({}), buildNews);
  return router;
}

/** Kosovo's XK is a code in use, but not in the standard. */
function countryOf(code: string): Country {
  const country = findCountry(code.toUpperCase());
  if (country?.isIso) return country;
  throw new DomainError(
    "country_not_found",
    `${code.toUpperCase()} is not the ISO 3166-1 code of any country.`,
  );
}
