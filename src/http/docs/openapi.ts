import { createHash } from "node:crypto";
import { Router } from "@koa/router";
import { z } from "zod";
import {
  createDocument,
  type oas31,
  type ZodOpenApiContentObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { PROBLEMS, type ProblemCode, toProblem } from "../problem.ts";
import type { Examples, Operation, ResponseDescription } from "./operation.ts";

export type OpenApiDocument = oas31.OpenAPIObject;

export type OpenApiOptions = {
  readonly title: string;
  readonly version: string;
  /** Markdown, shown before the operations. */
  readonly description: string;
  /** Groups of operations in the order in which they are shown. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
  /** Components that a description refers to only by name, as an event stream does to the JSON inside its events. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
};

/** The OpenAPI 3.1 document of a listener, from the descriptions of its operations and the schemas that validate. */
export function openApiDocument({
  title,
  version,
  description,
  tags,
  operations,
  schemas = {},
}: OpenApiOptions): OpenApiDocument {
  const paths: { [path: string]: { [method: string]: ZodOpenApiOperationObject } } = {};
  for (const operation of operations) {
    const path = openApiPath(operation.path);
    paths[path] = { ...paths[path], [operation.method]: operationObject(operation) };
  }
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: { title, version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
      servers: [{ url: "/", description: "This instance" }],
      tags: tags.map((tag) => ({ ...tag })),
      paths: paths satisfies ZodOpenApiPathsObject,
      components: { schemas: { ...schemas } },
    },
    {
      override({ jsonSchema }) {
        // Unknown members of a request are ignored, and an answer may gain members: neither is closed.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
  for (const { method, path } of operations) {
    const described = document.paths?.[openApiPath(path)]?.[method];
    for (const parameter of described?.parameters ?? []) joinListParameter(parameter);
  }
  return document;
}

function openApiPath(path: string): string {
  return path.replace(ROUTER_PARAMETER, "{$1}");
}

const ROUTER_PARAMETER = /:(\w+)/g;

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { operationId, summary, description, tags, request = {} } = operation;
  const { params, query, headers, body } = request;
  return {
    operationId,
    summary,
    description,
    tags: [...tags],
    requestParams: {
      ...(params !== undefined && { path: params }),
      ...(query !== undefined && { query }),
      ...(headers !== undefined && { header: headers }),
    },
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { [body.contentType]: { schema: body.schema, examples: exampleObjects(body.examples) } },
      },
    }),
    responses: responseObjects({ ...problemResponses(operation), ...operation.responses }),
  };
}

function responseObjects(responses: {
  readonly [status: number]: ResponseDescription;
}): ZodOpenApiResponsesObject {
  const objects: ZodOpenApiResponsesObject = {};
  for (const [status, response] of Object.entries(responses)) {
    objects[statusKey(status)] = responseObject(response);
  }
  return objects;
}

/** The type of a responses object wants to see that its keys are statuses. */
function statusKey(status: string): `${1 | 2 | 3 | 4 | 5}${string}` {
  const [first, rest] = [status.slice(0, 1), status.slice(1)];
  if (first === "1" || first === "2" || first === "3" || first === "4" || first === "5")
    return `${first}${rest}`;
  throw new Error(`${status} is no HTTP status`);
}

function responseObject({
  description,
  headers,
  also = [],
  ...response
}: ResponseDescription): ZodOpenApiResponseObject {
  const described = {
    "X-Request-Id": "The client's own identifier, or one made by the service.",
    ...headers,
  };
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(described).map(([name, text]) => [
        name,
        { description: text, schema: { type: "string" } },
      ]),
    ),
    ...(hasBody(response) && {
      content: Object.assign(content(response), ...also.map((other) => content(other))),
    }),
  };
}

type BodyDescription = Pick<ResponseDescription, "contentType" | "schema" | "examples">;

function hasBody({ contentType, schema, examples }: BodyDescription): boolean {
  return contentType !== undefined || schema !== undefined || examples !== undefined;
}

function content({
  contentType = "application/json",
  schema,
  examples = {},
}: BodyDescription): ZodOpenApiContentObject {
  return {
    [contentType]: { ...(schema !== undefined && { schema }), examples: exampleObjects(examples) },
  };
}

/** The document's own types want what they hold to be writable. */
function exampleObjects(examples: Examples) {
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, { ...example }]));
}

/** A list in a query is one parameter with commas; the tools would repeat the parameter. */
function joinListParameter(parameter: oas31.ParameterObject | oas31.ReferenceObject): void {
  if ("in" in parameter && parameter.in === "query" && parameter.schema && "type" in parameter.schema) {
    if (parameter.schema.type === "array") Object.assign(parameter, { style: "form", explode: false });
  }
}

/** Serves the document at `/openapi.json`, with an ETag, as it changes with each release. */
export function openApiRouter(document: OpenApiDocument): Router {
  const json = JSON.stringify(document);
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;
  const router = new Router();
  router.get(openApiOperation.path, (ctx) => {
    ctx.status = 200;
    ctx.set({ ETag: etag, "Cache-Control": "no-cache" });
    if (ctx.fresh) ctx.status = 304;
    else {
      ctx.type = "application/json";
      ctx.body = json;
    }
  });
  return router;
}

export const openApiOperation = {
  method: "get",
  path: "/openapi.json",
  operationId: "getOpenApiDocument",
  summary: "This description",
  description:
    "The OpenAPI 3.1 document of the running instance, for generators of clients and for /docs and /redoc.",
  tags: ["Documentation"],
  responses: {
    200: {
      description: "The document.",
      contentType: "application/json",
      examples: { start: { summary: "Its first member", value: { openapi: "3.1.0" } } },
    },
  },
  errors: [],
} as const satisfies Operation;

/** RFC 9457, as every error of the product is answered. */
export const ProblemSchema = z
  .object({
    type: z
      .string()
      .describe("Where this kind of problem is explained, as a reference relative to the service."),
    title: z.string().describe("The kind of problem, always in the same words."),
    status: z.number().int().describe("The HTTP status."),
    detail: z.string().describe("What happened this time, and what to do about it."),
    errors: z
      .array(
        z.object({
          field: z.string().describe("The wire name; members of members are joined with dots."),
          message: z.string().describe("What is expected there."),
        }),
      )
      .optional()
      .describe("For invalid input: one entry for each fault."),
    request_id: z.string().optional().describe("For internal errors: what to look for in the service's log."),
  })
  .meta({ id: "Problem", description: "An error, as RFC 9457 defines it." });

/** The error answers of an operation by status; codes that share a status are examples of one answer. */
export function problemResponses(operation: Operation): { readonly [status: number]: ResponseDescription } {
  const codes: readonly ProblemCode[] = [...operation.errors, "internal"];
  const responses: { [status: number]: ResponseDescription } = {};
  for (const [status, sameStatus] of Map.groupBy(codes, (code) => PROBLEMS[code].status)) {
    responses[status] = {
      description: sameStatus
        .map((code) => `**${PROBLEMS[code].title}.** ${PROBLEMS[code].meaning}`)
        .join("\n\n"),
      contentType: "application/problem+json",
      schema: ProblemSchema,
      examples: problemExamples(sameStatus),
      ...(ASK_AGAIN.has(status) && { headers: { "Retry-After": "Seconds after which to ask again." } }),
    };
  }
  return responses;
}

/** The statuses after which the same request may well be answered. */
const ASK_AGAIN: ReadonlySet<number> = new Set([429, 503]);

function problemExamples(codes: readonly ProblemCode[]): Examples {
  return Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleProblem(code) }]),
  );
}

function exampleProblem(code: ProblemCode) {
  const { meaning } = PROBLEMS[code];
  if (code === "invalid_input") {
    const message = "must be a whole number from 1 to 100";
    return toProblem(code, `limit ${message}.`, { errors: [{ field: "limit", message }] });
  }
  const requestId = "018f3a52-6c1e-7b60-9d2a-5f0c4e8b7a11";
  return code === "internal" ? toProblem(code, meaning, { requestId }) : toProblem(code, meaning);
}
