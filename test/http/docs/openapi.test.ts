import { expect } from "chai";
import { z } from "zod";
import { openApiDocument } from "../../../src/http/docs/openapi.ts";
import { boundedText, optionalMember } from "../../../src/http/input/parse.ts";
import { FilePart } from "../../../src/http/input/upload.ts";
import { PaginationQuery, queryBoolean, uuidList } from "../../../src/http/input/wire-types.ts";
import { PROBLEMS } from "../../../src/http/routing/problem.ts";
import type { Operation } from "../../../src/http/routing/route.ts";

const Thing = z
  .object({ id: z.uuid(), title: z.string().nullable() })
  .meta({ id: "Thing", description: "A thing." });
const thing = { id: "018f3a52-6c1e-7b60-9d2a-5f0c4e8b7a11", title: null };

const operations: readonly Operation[] = [
  {
    method: "post",
    path: "/v1/things/:id/parts",
    operationId: "createPart",
    summary: "Makes a part",
    description: "Makes a part of a thing.",
    tags: ["Things"],
    request: {
      params: z.object({ id: z.uuid().describe("The thing.") }),
      query: PaginationQuery.extend({ deep: queryBoolean().optional(), ids: uuidList().optional() }),
      headers: z.object({
        "Idempotency-Key": z.string().max(255).optional().describe("Makes a retry safe."),
      }),
      body: {
        contentType: "application/json",
        schema: z.object({
          text: boundedText({ charsMin: 1, charsMax: 500_000 }).describe("The text."),
          language: optionalMember(z.string(), "en"),
          inner: Thing.optional(),
        }),
        examples: { short: { summary: "A short text", value: { text: "Hello" } } },
      },
    },
    responses: {
      201: { description: "Made.", schema: Thing, examples: { made: { summary: "A part", value: thing } } },
    },
    errors: [
      "check_not_found",
      "document_not_found",
      "invalid_input",
      "unreadable_file",
      "store_unavailable",
    ],
  },
  {
    method: "delete",
    path: "/v1/things/:id/parts",
    operationId: "deleteParts",
    summary: "Deletes the parts",
    description: "Deletes all parts.",
    tags: ["Things"],
    request: {
      params: z.object({ id: z.uuid() }),
      body: {
        contentType: "multipart/form-data",
        schema: z.object({ file: FilePart, title: z.string().optional() }),
        examples: { file: { summary: "A file", value: { file: "(bytes)" } } },
      },
    },
    responses: { 204: { description: "Gone." } },
    errors: [],
  },
];

describe("the OpenAPI document", () => {
  const document = JSON.parse(
    JSON.stringify(
      openApiDocument({
        title: "Things",
        version: "1.2.3",
        description: "About things.",
        tags: [{ name: "Things", description: "All things." }],
        operations,
      }),
    ),
  );
  const path = document.paths["/v1/things/{id}/parts"];

  it("has each operation under its path, with its method", () => {
    expect(document.openapi).to.equal("3.1.0");
    expect(Object.keys(document.paths)).to.deep.equal(["/v1/things/{id}/parts"]);
    expect(path).to.have.all.keys("post", "delete");
  });

  it("resolves every reference within itself", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, ref = ""]) => ref,
    );
    expect(references).to.include("#/components/schemas/Problem");
    for (const reference of references) {
      expect(reference.startsWith("#/"), reference).to.equal(true);
      let at = document;
      for (const name of reference.slice(2).split("/")) at = at?.[name];
      expect(at, reference).to.be.an("object");
    }
  });

  it("documents parameters as clients write them", () => {
    const parameters = new Map(path.post.parameters.map((one: { name: string }) => [one.name, one]));
    expect(parameters.get("limit")).to.deep.include({ in: "query" });
    expect(parameters.get("limit")).to.have.nested.property("schema.type", "integer");
    expect(parameters.get("limit")).to.have.nested.property("schema.maximum", 100);
    expect(parameters.get("limit")).to.have.nested.property("schema.default", 20);
    expect(parameters.get("limit")).to.have.property("description").that.contains("rows");
    expect(parameters.get("limit")).not.to.have.property("required", true);
    expect(parameters.get("deep")).to.have.nested.property("schema.type", "boolean");
    expect(parameters.get("ids")).to.have.nested.property("schema.type", "array");
    expect(parameters.get("ids")).to.include({ style: "form", explode: false });
    expect(parameters.get("id")).to.include({ in: "path", required: true });
    expect(parameters.get("Idempotency-Key")).to.include({ in: "header" });
  });

  it("documents the body by its schema, with examples", () => {
    const { schema, examples } = path.post.requestBody.content["application/json"];
    expect(schema.required).to.deep.equal(["text"]);
    expect(schema.properties.text).to.include({ type: "string", minLength: 1, maxLength: 500_000 });
    expect(schema.properties.language).to.include({ default: "en" });
    expect(examples.short.value).to.deep.equal({ text: "Hello" });
    expect(JSON.stringify(document)).not.to.contain('additionalProperties":false');
  });

  it("documents the file of a form as bytes", () => {
    const { schema } = path.delete.requestBody.content["multipart/form-data"];
    expect(schema.required).to.deep.equal(["file"]);
    expect(schema.properties.file).to.include({ type: "string", format: "binary" });
  });

  it("documents every error as a problem with an example of each code, and 500 always", () => {
    const { responses } = path.post;
    expect(Object.keys(responses)).to.have.members(["201", "404", "422", "500", "503"]);
    expect(responses[503].headers).to.have.property("Retry-After");
    for (const status of ["404", "422", "500", "503"]) {
      const { schema, examples } = responses[status].content["application/problem+json"];
      expect(schema.$ref).to.equal("#/components/schemas/Problem");
      for (const [code, example] of Object.entries<{ value: { status: number } }>(examples)) {
        expect(Object.keys(PROBLEMS)).to.include(code);
        expect(String(example.value.status)).to.equal(status);
      }
    }
    expect(responses[404].content["application/problem+json"].examples).to.have.all.keys(
      "check_not_found",
      "document_not_found",
    );
    expect(Object.keys(path.delete.responses)).to.have.members(["204", "500"]);
    expect(path.delete.responses[204]).not.to.have.property("content");
  });
});
