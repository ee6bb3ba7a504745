import { Router } from "@koa/router";
import { DomainError } from "../../core/domain-error.ts";
import { parse } from "../../http/input/parse.ts";
import { type Country, findCountry } from "../facts/countries.ts";
import { sendAnswer } from "./answer.ts";
import {
  buildCases,
  buildCountries,
  buildCountry,
  buildDisciplines,
  buildInstitutions,
  buildNews,
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
  const endpoints = statisticsOperations.map(({ path, summary, request }) => ({
    path: path.replace(/:(\w+)/g, "{$1}"),
    description: summary,
    parameters: Object.keys(request?.query?.shape ?? {}),
  }));

  router.get("/v1/", async (ctx) => {
    sendAnswer(ctx, await answers.overview(endpoints, new Date()));
  });

  router.get("/v1/countries", async (ctx) => {
    const { window, region, below, format } = parse(CountriesQuery, ctx.query);
    const variant = ["countries", region, below, format];
    const answer = await answers.get(window, variant, (reading) =>
      buildCountries(reading, { region, below, format }),
    );
    sendAnswer(ctx, answer);
  });

  router.get("/v1/institutions", async (ctx) => {
    const { window, below, format } = parse(InstitutionsQuery, ctx.query);
    const variant = ["institutions", below, format];
    const answer = await answers.get(window, variant, (reading) =>
      buildInstitutions(reading, { below, format }),
    );
    sendAnswer(ctx, answer);
  });

  router.get("/v1/disciplines", async (ctx) => {
    const { window, format } = parse(DisciplinesQuery, ctx.query);
    const variant = ["disciplines", format];
    sendAnswer(ctx, await answers.get(window, variant, (reading) => buildDisciplines(reading, { format })));
  });

  router.get("/v1/country/:code", async (ctx) => {
    const country = countryOf(parse(CountryParams, ctx.params).code);
    const { window } = parse(CountryQuery, ctx.query);
    const variant = ["country", country.code];
    sendAnswer(ctx, await answers.get(window, variant, (reading) => buildCountry(reading, country)));
  });

  router.get("/v1/cases", async (ctx) => {
    const { type } = parse(CasesQuery, ctx.query);
    sendAnswer(ctx, await answers.get(undefined, ["cases", type], (reading) => buildCases(reading, type)));
  });

  router.get("/v1/news", async (ctx) => {
    sendAnswer(ctx, await answers.get(undefined, ["news"], buildNews));
  });

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
