import type { z } from "zod";
import type { ProblemCode } from "../problem.ts";

export type Example = { readonly summary: string; readonly value: unknown };

export type Examples = { readonly [name: string]: Example };

export type RequestBody = {
  readonly contentType: "application/json" | "multipart/form-data";
  readonly schema: z.ZodType;
  readonly examples: Examples;
};

export type ResponseDescription = {
  readonly description: string;
  /** `application/json` unless it says otherwise. Without schema and examples the answer has no body. */
  readonly contentType?: string;
  readonly schema?: z.ZodType;
  readonly examples?: Examples;
  /** The other content types in which the same answer can be had. */
  readonly also?: readonly { readonly contentType: string; readonly examples: Examples }[];
  /** Header names, each with what it holds. */
  readonly headers?: { readonly [name: string]: string };
};

/** One endpoint as its documentation tells it; its schemas are those that validate. Lies beside its route. */
export type Operation = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** In the router's own syntax, so that route and description share it: `/v1/checks/:check_id`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly request?: {
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly headers?: z.ZodObject;
    readonly body?: RequestBody;
  };
  readonly responses: { readonly [status: number]: ResponseDescription };
  /** Every problem it can answer with, but `internal`, which any can. */
  readonly errors: readonly ProblemCode[];
};
