import { Router } from "@koa/router";
import { DomainError } from "../../core/domain-error.ts";
import { parse } from "../../http/input/parse.ts";
import { type Country, findCountry } from "../facts/countries.ts";
import { sendAnswer } from "./answer.ts";
import { listEndpoints } from "./endpoints.ts";
import { statisticsOperations } from "./operations.ts";
import {
  CasesQuery,
  CountriesQuery,
  CountryParams,
  CountryQuery,
  DisciplinesQuery,
  InstitutionsQuery,
} from "./schema/parameters.ts";
import type { StatisticsAnswers } from "./statistics-answers.ts";

export function statisticsRouter(answers: StatisticsAnswers): Router {
  const router = new Router();
  const endpoints = listEndpoints(statisticsOperations);

  router.get("/v1/", async (ctx) => {
    sendAnswer(ctx, await answers.overview(endpoints, new Date()));
  });

  router.get("/v1/countries", async (ctx) => {
    const { window, region, below, format } = parse(CountriesQuery, ctx.query);
    sendAnswer(ctx, await answers.countries({ window, region, below, format }));
  });

  router.get("/v1/institutions", async (ctx) => {
    const { window, below, format } = parse(InstitutionsQuery, ctx.query);
    sendAnswer(ctx, await answers.institutions({ window, below, format }));
  });

  router.get("/v1/disciplines", async (ctx) => {
    const { window, format } = parse(DisciplinesQuery, ctx.query);
    sendAnswer(ctx, await answers.disciplines({ window, format }));
  });

  router.get("/v1/country/:code", async (ctx) => {
    const { code } = parse(CountryParams, ctx.params);
    const { window } = parse(CountryQuery, ctx.query);
    sendAnswer(ctx, await answers.country(countryOf(code), window));
  });

  router.get("/v1/cases", async (ctx) => {
    const { type } = parse(CasesQuery, ctx.query);
    sendAnswer(ctx, await answers.cases(type));
  });

  router.get("/v1/news", async (ctx) => {
    sendAnswer(ctx, await answers.news());
  });

  return router;
}

/** Kosovo's XK is a code in use, but none of the standard. */
function countryOf(code: string): Country {
  const country = findCountry(code.toUpperCase());
  if (country?.isIso) return country;
  throw new DomainError("country_not_found", `${code.toUpperCase()} is the ISO 3166-1 code of no country.`);
}
