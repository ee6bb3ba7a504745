import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { GENERATED_FILE, generatedClient } from "../../tools/client-generator/client-source.ts";
import { operationMethod } from "../../tools/client-generator/operation-method.ts";
import type { ApiSchema } from "../../tools/client-generator/schema-type.ts";
import { docComment, schemaType } from "../../tools/client-generator/schema-type.ts";

describe("the generated part of the client", () => {
  it("is what the OpenAPI document gives", async () => {
    const checkedIn = await readFile(
      fileURLToPath(new URL(`../../${GENERATED_FILE}`, import.meta.url)),
      "utf8",
    );
    expect(checkedIn, "stale: run npm run generate:client").to.equal(generatedClient());
  });
});

describe("the type of a JSON Schema", () => {
  const cases: readonly (readonly [ApiSchema, string])[] = [
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "string", format: "binary" }, "Blob"],
    [{ $ref: "#/components/schemas/Check" }, "Check"],
    [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
    [{ anyOf: [{ type: "string", const: "x" }, { type: "null" }] }, '"x" | null'],
    [{ allOf: [{ $ref: "#/A" }, { $ref: "#/B" }] }, "(A) & (B)"],
    [{ type: "array", items: { type: ["integer", "null"] } }, "readonly (number | null)[]"],
    [{ type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 }, "readonly [number, number]"],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }] }, "readonly [string, boolean]"],
    [{ type: "object", additionalProperties: { type: "number" } }, "{ readonly [name: string]: number }"],
    [
      { type: "object", propertyNames: { type: "string", enum: ["a"] }, additionalProperties: {} },
      '{ readonly [name in "a"]?: unknown }',
    ],
    [
      { type: "object", properties: { a: { type: "number" }, b: {} }, required: ["a"] },
      '{\nreadonly "a": number;\nreadonly "b"?: unknown;\n}',
    ],
  ];
  for (const [schema, type] of cases) {
    it(`is ${JSON.stringify(type)} for ${JSON.stringify(schema)}`, () => {
      expect(schemaType(schema)).to.equal(type);
    });
  }

  it("is refused where a keyword is not known", () => {
    const schema: ApiSchema = JSON.parse('{"type":"string","not":{}}');
    expect(() => schemaType(schema)).to.throw("no type is known for the keyword not");
  });

  it("has a comment that its own text can't end", () => {
    expect(docComment("ends */ here").match(/\*\//g)).to.have.length(1);
  });
});

describe("the function of an operation", () => {
  const operation = {
    path: "/v1/things/{thing_id}/rows",
    method: "get",
    operationId: "getRows",
    summary: "Rows",
    description: "The rows.",
    tags: [],
    responses: {},
  };

  it("gives text for CSV and HTML, and the answer itself for what is neither JSON nor text", () => {
    const giving = (contentType: string) =>
      operationMethod(
        { ...operation, responses: { 200: { content: { [contentType]: {} } } } },
        { schemas: {} },
      );
    expect(giving("text/csv")).to.contain(": Promise<string> => text(");
    expect(giving("text/html")).to.contain(": Promise<string> => text(");
    expect(giving("application/pdf")).to.contain(": Promise<Response> => open(");
  });

  it("asks for what the operation requires, and encodes what stands in the path", () => {
    const source = operationMethod(
      {
        ...operation,
        parameters: [
          { in: "path", name: "thing_id", required: true, schema: { type: "string" } },
          { in: "query", name: "window", required: true, schema: { type: "string" } },
        ],
      },
      { schemas: {} },
    );
    expect(source).to.contain("getRows: (thingId: string, query: GetRowsQuery, options");
    expect(source).to.contain("path`/v1/things/$" + "{thingId}/rows`");
  });
});
