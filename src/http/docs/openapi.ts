import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiContentObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { PROBLEMS, type ProblemCode, ProblemSchema, toProblem } from "../routing/problem.ts";
import type { Examples, Operation, ResponseDescription } from "../routing/route.ts";

export type OpenApiDocument = ReturnType<typeof createDocument>;

type OpenApiOptions = {
  readonly title: string;
  readonly version: string;
  /** Markdown above the operations. */
  readonly description: string;
  /** Groups of operations, in display order. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: readonly Operation[];
  /** The errors of an operation, where they are not problem details. */
  readonly errorResponses?: (operation: Operation) => Operation["responses"];
  /** Components that descriptions mention only by name, such as the JSON inside the events of a stream. */
  readonly schemas?: Readonly<Record<string, z.ZodType>>;
};

/** Builds the OpenAPI 3.1 document of a listener. The documented schemas are those that validate requests. */
export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { title, version, description, tags, operations, schemas = {} } = options;
  const { errorResponses = problemResponses } = options;
  const paths: { [path: string]: { [method: string]: ZodOpenApiOperationObject } } = {};
  for (const operation of operations) {
    const path = openApiPath(operation.path);
    paths[path] = { ...paths[path], [operation.method]: operationObject(operation, errorResponses) };
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
        // Unknown members of a request are ignored, and later releases may add members to a response.
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

function operationObject(
  operation: Operation,
  errorResponses: NonNullable<OpenApiOptions["errorResponses"]>,
): ZodOpenApiOperationObject {
  const { operationId, summary, description, tags, request = {} } = operation;
  const { params, query, headers, body } = request;
  const also = body?.contentType === "multipart/form-data" ? body.also : undefined;
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
        required: !(body.contentType === "application/json" && body.isOptional === true),
        content: Object.assign(content(body), also && content(also)),
      },
    }),
    responses: responseObjects({ ...errorResponses(operation), ...operation.responses }),
  };
}

function responseObjects(responses: { readonly [status: number]: ResponseDescription }) {
  const objects: ZodOpenApiResponsesObject = {};
  for (const [status, response] of Object.entries(responses)) {
    objects[`${StatusClass.parse(status[0])}${status.slice(1)}`] = responseObject(response);
  }
  return objects;
}

/** The keys of a responses object are typed by their first digit. */
const StatusClass = z.enum(["1", "2", "3", "4", "5"]);

function responseObject(options: ResponseDescription): ZodOpenApiResponseObject {
  const { description, headers, also = [], ...response } = options;
  const described = {
    "X-Request-Id": "The identifier that the client sent, or one that the service made.",
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
    ...(Object.keys(response).length > 0 && {
      content: Object.assign(content(response), ...also.map(content)),
    }),
  };
}

type BodyDescription = Pick<ResponseDescription, "contentType" | "schema" | "examples">;

function content(body: BodyDescription): ZodOpenApiContentObject {
  const { contentType = "application/json", schema, examples = {} } = body;
  return { [contentType]: { ...(schema && { schema }), examples: exampleObjects(examples) } };
}

/** The document's types require mutable objects. */
function exampleObjects(examples: Examples) {
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, { ...example }]));
}

type PathItem = NonNullable<OpenApiDocument["paths"]>[string];
type DocumentedParameter = NonNullable<NonNullable<PathItem["get"]>["parameters"]>[number];

/** A list in a query is one comma-separated parameter. By default, tools would repeat the parameter. */
function joinListParameter(parameter: DocumentedParameter): void {
  if (!("in" in parameter) || parameter.in !== "query") return;
  const { schema } = parameter;
  if (typeof schema === "object" && "type" in schema && schema.type === "array")
    Object.assign(parameter, { style: "form", explode: false });
}

/** The error responses of an operation by status. Codes that share a status are examples of one response. */
function problemResponses(operation: Operation): { readonly [status: number]: ResponseDescription } {
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
      ...(RETRIABLE.has(status) && { headers: { "Retry-After": "Seconds to wait before a retry." } }),
    };
  }
  return responses;
}

/** Statuses after which the same request may succeed. */
const RETRIABLE: ReadonlySet<number> = new Set([429, 503]);

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
