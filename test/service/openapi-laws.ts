import { expect } from "chai";
import type { OpenApiDocument } from "../../src/http/docs/openapi.ts";
import type { Operation } from "../../src/http/routing/route.ts";
import { openApiFaults } from "../support/openapi-faults.ts";

/** The tests that the description of each listener has to pass. */
export function keepsOpenApiLaws(api: OpenApiDocument, operations: readonly Operation[]): void {
  const document = JSON.parse(JSON.stringify(api));

  it("is a valid OpenAPI 3.1 document whose references, parameters and examples hold", async () => {
    expect(document.openapi).to.match(/^3\.1\./);
    expect(await openApiFaults(document)).to.deep.equal([]);
  }).timeout(10_000);

  it("gives each endpoint a summary, a description and a described group", () => {
    const groups = document.tags.map(({ name, description }: { name: string; description: string }) => {
      expect(description, name).to.have.length.above(10);
      return name;
    });
    for (const { summary, description, tags, operationId } of operations) {
      expect(summary, operationId).to.have.length.above(5);
      expect(description, operationId).to.have.length.above(30);
      expect(groups, operationId).to.include.members([...tags]);
    }
    expect(operations.flatMap(({ tags }) => tags)).to.include.members(groups);
  });

  it("has only examples that fit the schemas, without additional members", () => {
    for (const { request, responses, operationId } of operations) {
      const body = request?.body;
      for (const { value } of Object.values(body?.examples ?? {})) {
        if (body !== undefined && "schema" in body)
          expect(body.schema.safeParse(value).error, operationId).to.equal(undefined);
      }
      for (const { schema, examples = {} } of Object.values(responses)) {
        for (const { value } of Object.values(examples)) {
          if (schema !== undefined) expect(schema.parse(value), operationId).to.deep.equal(value);
        }
      }
    }
  });

  it("has wire names in snake_case only", () => {
    const schemas = Object.values<{ properties?: object }>(document.components.schemas);
    const names = schemas.flatMap(({ properties = {} }) => Object.keys(properties));
    expect(names).to.have.length.above(80);
    expect(names.filter((name) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name))).to.deep.equal([]);
  });
}
