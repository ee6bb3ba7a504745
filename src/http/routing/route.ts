import { Router } from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { readJsonBody } from "../input/json-body.ts";
import { declaredBytes, parse } from "../input/parse.ts";
import { FILE_BYTES_MAX, readForm } from "../input/upload.ts";
import { readFiles } from "../input/upload-files.ts";
import type { ProblemCode } from "./problem.ts";

/** The problems of a request with a body. */
export const BODY_ERRORS = [
  "malformed_body",
  "request_timeout",
  "service_busy",
  "body_too_large",
  "unsupported_media_type",
  "invalid_input",
] as const satisfies readonly ProblemCode[];

/** The problems of a request with a file. */
export const FILE_ERRORS = [
  ...BODY_ERRORS,
  "unsupported_file_type",
  "unreadable_file",
  "no_extractable_text",
  "text_too_long",
] as const satisfies readonly ProblemCode[];

type Example = { readonly summary: string; readonly value: unknown };

export type Examples = { readonly [name: string]: Example };

export type ResponseDescription = {
  readonly description: string;
  /** `application/json` by default. Without a schema and examples, the response has no body. */
  readonly contentType?: string;
  readonly schema?: z.ZodType;
  readonly examples?: Examples;
  /** Other content types of the same response. */
  readonly also?: readonly { readonly contentType: string; readonly examples: Examples }[];
  /** Maps header names to descriptions. */
  readonly headers?: { readonly [name: string]: string };
};

/** A JSON body. */
type JsonBody = {
  readonly contentType: "application/json";
  readonly schema: z.ZodType;
  readonly examples: Examples;
  /** Another limit than the usual 8 MiB. */
  readonly bytesMax?: number;
  /** Whether a request without a body is valid, too. */
  readonly isOptional?: boolean;
};

/** Bytes that the handler reads itself, whatever the Content-Type says. */
type RawBody = { readonly contentType: "application/octet-stream"; readonly examples: Examples };

/** A form. The members of its schema are its parts: `files` names those that are files, the others are texts. */
type FormBody = {
  readonly contentType: "multipart/form-data";
  readonly schema: z.ZodObject;
  readonly examples: Examples;
  /** `file` by default. */
  readonly files?: readonly string[];
  /** Those of `files` that are lists of a few files. */
  readonly lists?: readonly string[];
  /** For a form with any number of files: each of `files` is then a list. */
  readonly many?: { readonly bytesMax: number; readonly filesMax: number };
  /** The text parts that hold the text of a document, and the limit of a text part in this form. */
  readonly texts?: { readonly fields: readonly string[]; readonly bytesMax: number };
  /** Accepted in place of the form; the client package sends the form. */
  readonly also?: JsonBody;
};

/** The description of an endpoint. Its schemas are those that validate. */
export type Operation = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** In the router's syntax: `/v1/checks/:check_id`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly request?: {
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly headers?: z.ZodObject;
    readonly body?: JsonBody | FormBody | RawBody;
  };
  readonly responses: { readonly [status: number]: ResponseDescription };
  /** The problems that it can answer with, except `internal`, which all can. */
  readonly errors: readonly ProblemCode[];
};

/** An endpoint: its description, and how it is answered from the parts that a feature's routes need. */
export type Route<Parts> = {
  readonly operation: Operation;
  readonly answer: (ctx: Context, parts: Parts, limits: Limits) => Promise<void>;
};

/** Limits that an installation may set. */
type Limits = { readonly fileBytesMax: number };

/** A request whose values were validated by the schemas of its operation. */
type ParsedRequest<O extends Operation> = {
  readonly ctx: Context;
  readonly params: Parsed<O, "params">;
  readonly query: Parsed<O, "query">;
  readonly headers: Parsed<O, "headers">;
  readonly body: Body<O>;
};

/** The body of a successful JSON response; undefined if the handler writes it itself. Other responses are always written by it. */
type HandlerResult<O extends Operation> = [JsonOf<O["responses"]>] extends [never]
  ? // biome-ignore lint/suspicious/noConfusingVoidType: it is the type of a return value
    void
  : JsonOf<O["responses"]> | undefined;

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;
type Parsed<O, Member extends string> = O extends { readonly request: { readonly [M in Member]: infer S } }
  ? Output<S>
  : undefined;
type Body<O> = O extends { readonly request: { readonly body: infer B } }
  ?
      | BodyMember<B>
      | (B extends { readonly also: infer Also } ? BodyMember<Also> : never)
      | (B extends { readonly isOptional: true } ? undefined : never)
  : undefined;
type BodyMember<B> = B extends { readonly schema: infer S } ? Output<S> : never;
type JsonOf<Responses> = {
  [S in keyof Responses]: S extends 200 | 201 | 202 ? JsonBodyOf<Responses[S]> : never;
}[keyof Responses];
type JsonBodyOf<Response> = Response extends { readonly contentType: string } ? never : BodyMember<Response>;

/**
 * Makes the function that declares the routes of a feature: an operation and its handler, in one place. The router and the OpenAPI
 * document are made from the same list of routes.
 *
 * The handler gets the parameters, the query, the headers and the body as the operation's schemas parse them, in this order: the
 * first that is invalid is the answer. What it returns is the body, with the status of the operation's successful response.
 */
export function routesFor<Parts>() {
  return <const O extends Operation>(
    operation: O,
    handle: (request: ParsedRequest<O>, parts: Parts) => HandlerResult<O> | Promise<HandlerResult<O>>,
  ): Route<Parts> => ({
    operation,
    async answer(ctx, parts, limits) {
      const body = await handle(await parseRequest(ctx, operation, limits), parts);
      if (body !== undefined) ctx.body = body;
      const [status, ...others] = SUCCESSES.filter((one) => one in operation.responses);
      if (status !== undefined && others.length === 0 && status !== 200) ctx.status = status;
    },
  });
}

const SUCCESSES = [200, 201, 202, 204] as const;

/** A router of routes; see `routesFor`. */
export function routerOf<Parts>(
  routes: readonly Route<Parts>[],
  parts: Parts,
  limits: Limits = { fileBytesMax: FILE_BYTES_MAX },
): Router {
  const router = new Router();
  for (const { operation, answer } of routes)
    router[operation.method](operation.path, (ctx) => answer(ctx, parts, limits));
  return router;
}

/** The operations of routes, for the document. */
export function operationsOf(routes: readonly { readonly operation: Operation }[]): readonly Operation[] {
  return routes.map(({ operation }) => operation);
}

/** The overload relates each value to the schema that parses it. */
function parseRequest<O extends Operation>(
  ctx: Context,
  operation: O,
  limits: Limits,
): Promise<ParsedRequest<O>>;
async function parseRequest(ctx: Context, { request = {} }: Operation, limits: Limits): Promise<unknown> {
  const { params, query, headers, body } = request;
  return {
    ctx,
    params: params && parse(params, ctx.params),
    query: query && parse(query, ctx.query),
    headers: headers && parse(headers, sentHeaders(ctx, Object.keys(headers.shape))),
    body: body && (await parseBody(ctx, body, limits)),
  };
}

function sentHeaders(ctx: Context, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, ctx.req.headers[name.toLowerCase()]]));
}

async function parseBody(
  ctx: Context,
  body: JsonBody | FormBody | RawBody,
  limits: Limits,
): Promise<unknown> {
  if (body.contentType === "application/octet-stream") return undefined;
  if (body.contentType === "application/json" && body.isOptional === true && isEmpty(ctx)) return undefined;
  if (body.contentType === "application/json")
    return parse(body.schema, await readJsonBody(ctx, body.bytesMax));
  const { schema, files = ["file"], lists, many, texts, also } = body;
  if (also !== undefined && ctx.request.type !== "multipart/form-data") return parseBody(ctx, also, limits);
  const fields = Object.keys(schema.shape).filter((name) => !files.includes(name));
  const form =
    many === undefined
      ? await readForm(ctx, { ...limits, files, lists, fields, texts })
      : await readFiles(ctx, { ...many, files, fields });
  return parse(schema, {
    ...withoutBlanks(form.fields),
    ...form.files,
    ...("lists" in form && form.lists),
  });
}

function isEmpty({ req }: Context): boolean {
  return req.headers["transfer-encoding"] === undefined && declaredBytes(req) === 0;
}

/** Removes the empty strings that forms send for blank fields. */
function withoutBlanks(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}
