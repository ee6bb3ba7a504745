import { expect } from "chai";
import { pino } from "pino";
import { Registry } from "prom-client";
import { FILES_PATH, readBuiltPages } from "../../src/http/built-files.ts";
import { ASSETS_PATH } from "../../src/http/docs/docs.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import {
  statisticsApi,
  statisticsApiOperations,
  statisticsRouters,
} from "../../src/service/statistics-api.ts";
import { StatisticsAnswers } from "../../src/statistics/api/statistics-answers.ts";
import { StatisticsStore } from "../../src/statistics/read-model/statistics-store.ts";
import { documentationGaps } from "../support/documentation-gaps.ts";
import { keepsOpenApiLaws } from "./openapi-laws.ts";

/** Every endpoint of specification 4.2 and of the decisions, with each status that it can answer with. */
const ANSWERS: Readonly<Record<string, readonly number[]>> = {
  "get /v1/": [200, 304, 422, 429, 500, 503],
  "get /v1/papers": [200, 304, 422, 429, 500, 503],
  "get /v1/totals": [200, 304, 422, 429, 500, 503],
  "get /v1/reasons": [200, 304, 422, 429, 500, 503],
  "get /v1/windows": [200, 304, 422, 429, 500, 503],
  "get /v1/institution/{ror}": [200, 304, 422, 429, 500, 503],
  "get /v1/discipline/{field_id}": [200, 304, 422, 429, 500, 503],
  "get /v1/everything.zip": [200, 304, 422, 429, 500, 503],
  "get /v1/countries": [200, 304, 422, 429, 500, 503],
  "get /v1/institutions": [200, 304, 422, 429, 500, 503],
  "get /v1/disciplines": [200, 304, 422, 429, 500, 503],
  "get /v1/country/{code}": [200, 304, 404, 422, 429, 500, 503],
  "get /v1/cases": [200, 304, 422, 429, 500, 503],
  "get /v1/news": [200, 304, 422, 429, 500, 503],
  "get /datapackage.json": [200, 304, 422, 500, 503],
  "get /CITATION.cff": [200, 304, 422, 500, 503],
  "get /health": [200, 500],
  "get /ready": [200, 500, 503],
  "get /metrics": [200, 500],
  "get /openapi.json": [200, 500],
  "get /docs": [200, 500, 503],
  "get /redoc": [200, 500, 503],
  "get /": [200, 500],
  "get /story/{language}": [200, 404, 500],
  "get /countries/{code}": [200, 404, 500],
  "get /countries/{code}/{language}": [200, 404, 500],
  "get /institutions/{ror}": [200, 404, 500],
  "get /institutions/{ror}/{language}": [200, 404, 500],
  "get /disciplines/{field}": [200, 404, 500],
  "get /disciplines/{field}/{language}": [200, 404, 500],
  "get /cases": [200, 500],
  "get /cases/{language}": [200, 404, 500],
  "get /news": [200, 500],
  "get /news/{language}": [200, 404, 500],
  "get /developers": [200, 500],
  "get /developers/{language}": [200, 404, 500],
  "get /problems/{code}": [200, 404, 500],
};

describe("decisions, Statistics: OpenAPI 3.1 from the schemas that validate", () => {
  const document = JSON.parse(JSON.stringify(statisticsApi()));

  keepsOpenApiLaws(statisticsApi(), statisticsApiOperations);

  it("describes every route except the files of its pages and the short address of the index, and nothing else", async () => {
    const database = new Database("postgres://127.0.0.1:1/none", pino({ level: "silent" }));
    const parts = {
      answers: new StatisticsAnswers(database, new StatisticsStore()),
      readiness: () => Promise.reject(new Error("nothing is asked")),
      registry: new Registry(),
      isTrusted: () => false,
      pages: readBuiltPages(),
    };
    expect(documentationGaps(statisticsRouters(parts), statisticsApiOperations)).to.deep.equal({
      undocumented: [
        ...["GET /v1", `GET ${ASSETS_PATH}`, `GET ${FILES_PATH}:file`],
        ...["GET /picture.png", "GET /sitemap.xml", "GET /robots.txt"],
      ],
      unrouted: [],
    });
    await database.close();
  });

  it("has each endpoint of specification 4.2 with all its answers, errors included", () => {
    const answers = Object.entries<Record<string, { readonly responses: object }>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => [
          `${method} ${path}`,
          Object.keys(responses).map(Number),
        ]),
    );
    expect(Object.fromEntries(answers)).to.deep.equal(ANSWERS);
  });

  it("describes each table as CSV too, and every member of its rows", () => {
    for (const path of ["/v1/countries", "/v1/institutions", "/v1/disciplines"]) {
      const { content } = document.paths[path].get.responses[200];
      expect(Object.keys(content), path).to.deep.equal(["application/json", "text/csv"]);
    }
    for (const id of ["CountryRow", "InstitutionRow", "DisciplineRow", "Meta"]) {
      const { properties } = document.components.schemas[id];
      for (const [name, property] of Object.entries<{ readonly description?: string }>(properties)) {
        if (["name", "license", "license_url"].includes(name)) continue;
        expect(property, `${id}.${name}`).to.satisfy(
          (one: object) => "description" in one || "$ref" in one || "allOf" in one,
        );
      }
    }
  });

  it("documents parameters as clients write them", () => {
    const { parameters } = document.paths["/v1/countries"].get;
    const schemas = new Map(
      parameters.map(({ name, schema }: { name: string; schema: object }) => [name, schema]),
    );
    expect(schemas.get("below")).to.include({ type: "boolean", default: false });
    expect(schemas.get("format")).to.deep.include({ enum: ["json", "csv"], default: "json" });
    expect(schemas.get("region")).to.have.property("enum").that.includes.members(["asia", "eastern-asia"]);
    expect(schemas.get("window")).to.include({ type: "string" });
  });
});
