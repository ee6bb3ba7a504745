import type { z } from "zod";
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

export type Example = { readonly summary: string; readonly value: unknown };

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
export type JsonBody = {
  readonly contentType: "application/json";
  readonly schema: z.ZodType;
  readonly examples: Examples;
  /** Another limit than the usual 8 MiB. */
  readonly bytesMax?: number;
};

/** A form. The members of its schema are its parts: `files` names those that are files, the others are texts. */
export type FormBody = {
  readonly contentType: "multipart/form-data";
  readonly schema: z.ZodObject;
  readonly examples: Examples;
  /** `file` by default. */
  readonly files?: readonly string[];
  /** For a form with any number of files: each of `files` is then a list. */
  readonly many?: { readonly bytesMax: number; readonly filesMax: number };
  /** The text parts that hold the text of a document, and the limit of a text part in this form. */
  readonly texts?: { readonly fields: readonly string[]; readonly bytesMax: number };
  /** Accepted in place of the form; the client package sends the form. */
  readonly also?: JsonBody;
};

/** The description of an endpoint. Its schemas are those that validate; see `routesFor`. */
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
    readonly body?: JsonBody | FormBody;
  };
  readonly responses: { readonly [status: number]: ResponseDescription };
  /** The problems that it can answer with, except `internal`, which all can. */
  readonly errors: readonly ProblemCode[];
};
