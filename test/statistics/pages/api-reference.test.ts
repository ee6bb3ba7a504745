import { expect } from "chai";
import { operationsOf } from "../../../src/http/routing/route.ts";
import { statisticsRoutes } from "../../../src/statistics/api/routes.ts";
import { describeApi } from "../../../src/statistics/pages/api-reference.ts";

describe("the reference of the developer page, from the schemas", () => {
  const reference = describeApi(operationsOf(statisticsRoutes));
  const schemas = [
    ...reference.envelope,
    reference.problem,
    ...reference.endpoints.flatMap((endpoint) => endpoint.schemas),
  ];
  const pathsOf = (name: string) =>
    schemas.find((schema) => schema.name === name)?.fields.map(({ path }) => path);

  it("has every endpoint with its parameters", () => {
    const shown = reference.endpoints.map(({ path, parameters }) => [
      path,
      parameters.map(({ name }) => name),
    ]);
    const table = ["format", "from", "to", "sort", "stable", "limit", "offset", "dataset_version"];
    expect(Object.fromEntries(shown)).to.deep.equal({
      "/v1/": [],
      "/v1/windows": ["dataset_version"],
      "/v1/countries": ["window", "region", "below", ...table],
      "/v1/institutions": ["window", "below", ...table, "country"],
      "/v1/disciplines": ["window", ...table],
      "/v1/country/{code}": ["code", "window", "from", "to", "sort", "dataset_version"],
      "/v1/institution/{ror}": ["ror", "window", "from", "to", "sort"],
      "/v1/discipline/{field_id}": ["field_id", "window", "from", "to", "sort", "dataset_version"],
      "/v1/cases": ["type", "dataset_version"],
      "/v1/news": ["dataset_version"],
    });
  });

  it("gives the place, the values and the default of a parameter", () => {
    const [code] =
      reference.endpoints.find(({ operationId }) => operationId === "getCountry")?.parameters ?? [];
    expect(code).to.include({ name: "code", isInPath: true, isRequired: true, example: "DE" });
    const countries = reference.endpoints.find(({ operationId }) => operationId === "listCountries");
    const format = countries?.parameters.find(({ name }) => name === "format");
    expect(format).to.deep.include({
      isInPath: false,
      isRequired: false,
      values: ["json", "csv"],
      defaultValue: "json",
    });
  });

  it("has each schema once, and a target for the link of every type that is a schema", () => {
    const names = schemas.map(({ name }) => name);
    expect(names).to.deep.equal([...new Set(names)]);
    const linked = schemas.flatMap(({ fields }) => fields).flatMap(({ types }) => types);
    const targets = linked.filter(({ isSchema }) => isSchema).map(({ name }) => name);
    expect(targets).to.have.length.above(10);
    expect(targets.filter((name) => !names.includes(name))).to.deep.equal([]);
  });

  it("shows members of unnamed objects by their path, also in lists", () => {
    expect(pathsOf("Thresholds")).to.include.members(["min_publications", "min_publications.countries"]);
    expect(pathsOf("Problem")).to.include.members(["errors", "errors[].field"]);
  });

  it("names every type that a value may have", () => {
    const field = (schema: string, path: string) =>
      schemas.find(({ name }) => name === schema)?.fields.find((one) => one.path === path);
    expect(field("CountryRow", "rate")?.types.map(({ name }) => name)).to.deep.equal(["number", "null"]);
    expect(field("OverviewData", "windows")?.types).to.deep.equal([
      { name: "Window", isSchema: true, isList: true },
    ]);
    expect(field("SourceEntry", "retrieved_at")?.types.map(({ name }) => name)).to.deep.equal([
      "date-time",
      "null",
    ]);
  });

  it("gives fields with the same name and description one key, so that they are translated once", () => {
    const rank = (schema: string) =>
      schemas.find(({ name }) => name === schema)?.fields.find(({ path }) => path === "papers")?.key;
    expect([rank("CountryRow"), rank("InstitutionRow"), rank("DisciplineRow")]).to.deep.equal(
      Array.from({ length: 3 }, () => "CountryRow.papers"),
    );
    expect(rank("YearPoint")).to.equal("YearPoint.papers");
  });

  it("has one description for all parameters and headers of one name, because they are translated by name", () => {
    const parameters = reference.endpoints.flatMap((endpoint) => endpoint.parameters);
    const described = new Set(parameters.map(({ name, description }) => `${name}: ${description}`));
    expect(described.size).to.equal(new Set(parameters.map(({ name }) => name)).size);
    const headers = operationsOf(statisticsRoutes).flatMap(({ responses }) =>
      Object.entries(responses[200]?.headers ?? {}),
    );
    const meanings = new Set(headers.map(([name, meaning]) => `${name}: ${meaning}`));
    expect(meanings.size).to.equal(reference.headers.length);
  });

  it("lists the errors that any request may meet, by status", () => {
    const statuses = reference.problems.map(({ status }) => status);
    expect(statuses).to.deep.equal(statuses.toSorted((one, other) => one - other));
    expect(statuses).to.include.members([404, 405, 422, 429, 500, 503]);
  });
});
