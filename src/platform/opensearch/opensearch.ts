import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { Client, errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { type Config, ConfigError } from "../config.ts";
import { type ObserveStore, UNOBSERVED } from "../metrics.ts";
import { observedTransport } from "./transport.ts";

/** Longer than any single search, bulk write or refresh may take; a store that is slower counts as down. */
const REQUEST_TIMEOUT_MS = 30_000;

export type OpenSearch = Client;

/** A client over one or more nodes. A user and password that stand in the URLs come before those of `access`. */
export function connectOpenSearch(
  nodes: readonly string[],
  access: OpenSearchAccess = {},
  observe: ObserveStore = UNOBSERVED,
): OpenSearch {
  const { username, password, ca } = access;
  return new Client({
    nodes: [...nodes],
    Transport: observedTransport(observe),
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxRetries: 2,
    ...(username !== undefined && password !== undefined && { auth: { username, password } }),
    ...(ca !== undefined && { ssl: { ca } }),
  });
}

/**
 * The attempts, beyond the first, that a request may take which is only worth repeating on another node: one where there
 * are several, and none where the same node would be asked again.
 */
export function attemptsElsewhere(client: OpenSearch): 0 | 1 {
  return client.connectionPool.connections.length > 1 ? 1 : 0;
}

/** HTTP statuses of an overloaded or starting OpenSearch, or of a load balancer before it: the same request may succeed later. */
const UNAVAILABLE_STATUS: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Of other statuses, and yet passing: a block on writes, which an operator or a free disk lifts; a node that shuts down; a
 * shard that recovers after a start: `_termvectors` answers 500 then, of the type `exception`, whose cause tells. Three of
 * these in a row had a check fail for good. Of a cluster also that the node which answers has lost another one.
 */
const PASSING_TYPE =
  /^((cluster_block|node_closed|node_disconnected|node_not_connected|already_closed|no_shard_available_action|shard_not_found|illegal_index_shard_state)_exception|index_shard_\w+_exception|(connect|send_request|receive_timeout)_transport_exception)$/;

/** Whether a refusal, of a request or of one item of it, says "not now" rather than "never". */
export function isPassingRefusal(status: number, error: unknown): boolean {
  const { type = "", root_cause = [] } = Refusal.safeParse(error).data ?? {};
  const types = [type, ...root_cause.map((cause) => cause.type)];
  return UNAVAILABLE_STATUS.has(status) || types.some((one) => PASSING_TYPE.test(one));
}

/** True for errors that say "not now" rather than "never". */
export function isOpenSearchUnavailable(error: unknown): boolean {
  if (error instanceof errors.ResponseError)
    return isPassingRefusal(error.statusCode ?? 0, errorIn(error.body));
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError ||
    // An answer that breaks off, or another program's.
    error instanceof errors.DeserializationError
  );
}

/** What OpenSearch says of a request, or of an item of it, that it does not do. */
const Refusal = z.object({
  type: z.string(),
  reason: z.string().nullish(),
  root_cause: z.array(z.object({ type: z.string() })).optional(),
});

/** Its reason in OpenSearch's words, where they are about the index and not about what was sent. */
export function blockReason(error: unknown): string | undefined {
  const { data } = Refusal.safeParse(error);
  return data?.type === "cluster_block_exception" ? (data.reason ?? undefined) : undefined;
}

function errorIn(body: unknown): unknown {
  return z.object({ error: z.unknown() }).safeParse(body).data?.error;
}

/**
 * Runs one call and turns an OpenSearch that is unreachable or overloaded, or that no longer lets us in, into
 * `store_unavailable`: whoever runs it can mend each of these, and the same call may succeed then.
 * @throws DomainError `store_unavailable`; any other error as it is.
 */
export async function askOpenSearch<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const message = refusal(error) ?? passingFault(error);
    if (message === undefined) throw error;
    throw new DomainError("store_unavailable", message, { cause: error });
  }
}

function passingFault(error: unknown): string | undefined {
  if (!isOpenSearchUnavailable(error)) return undefined;
  if (error instanceof errors.DeserializationError)
    return "What answers in the place of OpenSearch gave no whole JSON; try again in a moment.";
  const block = error instanceof errors.ResponseError ? blockReason(errorIn(error.body)) : undefined;
  return block === undefined ? "OpenSearch does not answer; try again in a moment." : writesBlocked(block);
}

/** @param reason why, in OpenSearch's words; it names the index and the kind of the block. */
export function writesBlocked(reason: string): string {
  return `OpenSearch takes no writes (${reason}). It lets them in again by itself once its disk has room; a block that somebody has set has to be lifted by hand.`;
}

/** For a creation that another process may be ahead of, or this one itself, by a request whose answer was lost. */
export function ignoreAlreadyExists(error: unknown): void {
  const exists =
    error instanceof errors.ResponseError && error.message.includes("resource_already_exists_exception");
  if (!exists) throw error;
}

/**
 * For the first calls of a start: @throws ConfigError, naming the settings to look at, where the server is there but
 * is not ours to use; other errors as they are.
 */
export function rethrowRefused(error: unknown): never {
  const answer = error instanceof DomainError ? error.cause : error;
  const message = refusal(answer) ?? noOpenSearch(answer);
  if (message === undefined) throw error;
  throw new ConfigError(message, { cause: answer });
}

function refusal(error: unknown): string | undefined {
  if (error instanceof errors.ConnectionError) return tlsFault(error.message);
  if (!(error instanceof errors.ResponseError)) return undefined;
  if (error.statusCode === 401)
    return "OpenSearch does not accept the user or the password (HTTP status 401). Check OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD, or those in OPENSEARCH_URL.";
  // Whether something is there is asked with HEAD, and the answer has no body. With one, the status alone says nothing: that
  // of a write block is 403 as well.
  if (error.statusCode === 403 && !error.body) return forbidden();
  return securityRefusal(JSON.stringify(error.body));
}

/** Among names and values in quotes: a text that an answer quotes has its quotes escaped. */
const SECURITY_EXCEPTION = '"type":"security_exception"';

/**
 * Where an answer of OpenSearch tells of a refusal by its security plugin, what is to be done: the name of the right that
 * is missing, and where all of them are listed.
 * @param said the answer as JSON, also that of a task whose requests were refused one by one.
 */
export function securityRefusal(said: string): string | undefined {
  if (!said.includes(SECURITY_EXCEPTION)) return undefined;
  const missing = /no permissions for \[.*?\](?= and )/.exec(said)?.[0];
  return forbidden(missing === undefined ? "" : ` (${missing})`);
}

function forbidden(detail = ""): string {
  return `OpenSearch forbids its user what the service needs${detail}. The role in index-templates/security-role.json holds all of it.`;
}

/** The client hands on nothing but the message of OpenSSL or Node.js; these name a cause that trying again won't mend. */
function tlsFault(message: string): string | undefined {
  if (/Hostname\/IP does not match/.test(message))
    return `The certificate of OpenSearch is for another name: ${message}. Name the nodes in OPENSEARCH_URL as their certificate does.`;
  if (/certificate|unable to get (local )?issuer|unsuitable/i.test(message))
    return `The certificate of OpenSearch is not trusted: ${message}. Set OPENSEARCH_CA to a PEM file of the authority that signed it.`;
  if (/wrong version number|packet length too long/.test(message))
    return "OpenSearch does not speak TLS at this address: check whether OPENSEARCH_URL should begin with http://.";
  return undefined;
}

/** What another server says to OpenSearch's requests. */
function noOpenSearch(error: unknown): string | undefined {
  if (!(error instanceof errors.ResponseError)) return undefined;
  const status = error.statusCode;
  if (status !== 404 && status !== 405) return undefined;
  return `There is no OpenSearch at OPENSEARCH_URL: it answers with HTTP status ${status}. Check the nodes.`;
}

/** How a client gets in. `ca` is PEM text: it replaces the public authorities that Node.js trusts. */
export type OpenSearchAccess = {
  readonly username?: string;
  readonly password?: string;
  readonly ca?: string;
};

type AccessSettings = Partial<Pick<Config, "opensearchUsername" | "opensearchPassword" | "opensearchCa">>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The settings as a client takes them, with the certificate authority read from its file.
 * @throws ConfigError naming the setting: a user without a password or the reverse, a file that can't be read or
 * holds no certificate.
 */
export function openSearchAccess(settings: AccessSettings): OpenSearchAccess {
  const { opensearchUsername: username, opensearchPassword: password, opensearchCa: caFile } = settings;
  if ((username === undefined) !== (password === undefined)) {
    const [given, missing] =
      username === undefined ? ["PASSWORD", "USERNAME"] : (["USERNAME", "PASSWORD"] as const);
    throw new ConfigError(
      `OPENSEARCH_${given} is set and OPENSEARCH_${missing} is not: set both or neither.`,
    );
  }
  return {
    ...(username !== undefined && password !== undefined && { username, password }),
    ...(caFile !== undefined && { ca: readAuthority(caFile) }),
  };
}

function readAuthority(file: string): string {
  const text = readText(file);
  const certificates = text.match(CERTIFICATE) ?? [];
  // TLS itself would pass over a block that it can't read, and fail at the first connection with another reason.
  if (certificates.length === 0 || !certificates.every(isCertificate)) {
    throw new ConfigError(`OPENSEARCH_CA: ${file} is not a PEM file with a certificate in it.`);
  }
  return text;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`OPENSEARCH_CA: the file can't be read (${reason}).`, { cause: error });
  }
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
