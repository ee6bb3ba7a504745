import { Client, errors } from "@opensearch-project/opensearch";
import { DomainError } from "../../core/domain-error.ts";
import { ConfigError } from "../config.ts";

/** Longer than any single search, bulk write or refresh may take; a store that is slower counts as down. */
const REQUEST_TIMEOUT_MS = 30_000;

export type OpenSearch = Client;

/** A client over one or more nodes; credentials may stand in the URLs. */
export function connectOpenSearch(nodes: readonly string[]): OpenSearch {
  return new Client({ nodes: [...nodes], requestTimeout: REQUEST_TIMEOUT_MS, maxRetries: 2 });
}

/** HTTP statuses of an overloaded or starting OpenSearch: the same request may succeed later. */
const UNAVAILABLE_STATUS = new Set([429, 502, 503, 504]);

/** True for errors that say "not now" rather than "never". */
export function isOpenSearchUnavailable(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return UNAVAILABLE_STATUS.has(error.statusCode ?? 0);
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
}

/**
 * Runs one call and turns an unreachable or overloaded OpenSearch into `store_unavailable`.
 * @throws DomainError `store_unavailable`; any other error as it is.
 */
export async function askOpenSearch<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isOpenSearchUnavailable(error)) throw error;
    throw new DomainError("store_unavailable", "OpenSearch does not answer; try again in a moment.", {
      cause: error,
    });
  }
}

/** What wrong credentials meet, and what another server than OpenSearch says to OpenSearch's requests. */
const REFUSED_STATUS = new Set([401, 403, 404, 405]);

/** For the first calls of a start: @throws ConfigError where the server answers but is not ours to use; other errors as they are. */
export function rethrowRefused(error: unknown): never {
  if (error instanceof errors.ResponseError && REFUSED_STATUS.has(error.statusCode ?? 0)) {
    const message = `OpenSearch refuses us with HTTP status ${error.statusCode}. Check the nodes, the user and the password in OPENSEARCH_URL.`;
    throw new ConfigError(message, { cause: error });
  }
  throw error;
}
