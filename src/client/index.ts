// The package `similarity-check-client`: imports nothing but this folder, so that browsers can load it.
export {
  type CheckOptions,
  createEngineClient,
  type EngineClient,
  type TogetherOptions,
} from "./engine-client.ts";
export type * from "./engine-operations.ts";
export type * from "./generated/engine-api.ts";
export type { ClientOptions, RequestOptions } from "./transport.ts";
export { CheckFailedError, ProblemError, UnreachableError } from "./transport.ts";
