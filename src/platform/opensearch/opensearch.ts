import { Client, errors, Transport } from "@opensearch-project/opensearch";
import { AwsSigv4Signer } from "@opensearch-project/opensearch/aws";
import { z } from "zod";
import { ConfigError, DomainError, storeUnavailable } from "../domain-error.ts";
import { type ObserveStore, UNOBSERVED } from "../metrics.ts";
import type { OpenSearchAccess } from "./access.ts";
import { CredentialsUnavailable } from "./credentials.ts";
import { RenewingAgent } from "./renewing-agent.ts";
import { observedTransport } from "./transport.ts";

/** Longer than any search, bulk write or refresh may take; a slower store counts as down. */
const REQUEST_TIMEOUT_MS = 30_000;

export type OpenSearch = Client;

/** A client over one or more nodes. A user and password in the URLs take precedence over `access`. */
export function connectOpenSearch(
  nodes: readonly string[],
  access: OpenSearchAccess = {},
  observe: ObserveStore = UNOBSERVED,
): OpenSearch {
  const { username, password, ca, token, sigv4, clientCertificate } = access;
  const signer =
    sigv4 &&
    AwsSigv4Signer({ region: sigv4.region, service: SIGNED_SERVICE, getCredentials: sigv4.credentials });
  return new Client({
    nodes: [...nodes],
    Transport: observedTransport(observe, signer?.Transport ?? Transport, token),
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxRetries: 2,
    ...(signer !== undefined && { Connection: signer.Connection }),
    ...(username !== undefined && password !== undefined && { auth: { username, password } }),
    ...(ca !== undefined && { ssl: { ca } }),
    ...(clientCertificate !== undefined && { agent: () => new RenewingAgent(clientCertificate, ca) }),
  });
}

/** AWS's name of managed domains in signatures. */
const SIGNED_SERVICE = "es";

/** Retries for a request that is worth repeating only on another node: one if there are several nodes, else none. */
export function attemptsElsewhere(client: OpenSearch): 0 | 1 {
  return client.connectionPool.connections.length > 1 ? 1 : 0;
}

/** HTTP statuses of an overloaded or starting OpenSearch or of its load balancer: the same request may succeed later. */
const UNAVAILABLE_STATUS: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Temporary errors with other statuses: a write block; a closed index; a node that shuts down; a shard that recovers, for which
 * `_termvectors` answers 500 and only the cause tells. Three of these in a row made a check fail for good.
 */
const PASSING_TYPE =
  /^((cluster_block|index_closed|node_closed|node_disconnected|node_not_connected|already_closed|no_shard_available_action|shard_not_found|illegal_index_shard_state)_exception|index_shard_\w+_exception|(connect|send_request|receive_timeout)_transport_exception)$/;

/** Whether the error of a request, or of one of its items, is temporary. */
export function isPassingRefusal(status: number, error: unknown): boolean {
  const { type = "", root_cause = [] } = Refusal.safeParse(error).data ?? {};
  const types = [type, ...root_cause.map((cause) => cause.type)];
  return UNAVAILABLE_STATUS.has(status) || types.some((one) => PASSING_TYPE.test(one));
}

/** Whether an error is temporary. */
export function isOpenSearchUnavailable(error: unknown): boolean {
  if (error instanceof errors.ResponseError)
    return isPassingRefusal(error.statusCode ?? 0, errorIn(error.body));
  return (
    error instanceof CredentialsUnavailable ||
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError ||
    // The answer broke off, or came from another program.
    error instanceof errors.DeserializationError
  );
}

/** OpenSearch's error for a request or for one of its items. */
const Refusal = z.object({
  type: z.string(),
  reason: z.string().nullish(),
  index: z.string().optional(),
  root_cause: z.array(z.object({ type: z.string() })).optional(),
});

/**
 * A message for a write block or a closed index, which may last until somebody acts; else undefined. OpenSearch's words name
 * the index and not the data that was sent.
 */
export function blockMessage(error: unknown): string | undefined {
  const { type, reason, index } = Refusal.safeParse(error).data ?? {};
  if (type === "index_closed_exception") return closedIndex(index ?? "of the chunks");
  if (type !== "cluster_block_exception") return undefined;
  return `OpenSearch accepts no writes (${reason}). It accepts them again once its disk has room; a block that was set by hand has to be removed by hand.`;
}

/** @param index its name or its alias. */
export function closedIndex(index: string): string {
  return `The index ${index} is closed in OpenSearch. Open it with POST /${index}/_open.`;
}

function errorIn(body: unknown): unknown {
  return z.object({ error: z.unknown() }).safeParse(body).data?.error;
}

/** An OpenSearch that is unreachable, overloaded or refuses access becomes `store_unavailable`: its operator can fix that. */
export async function askOpenSearch<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const message = gatewayFault(error) ?? refusal(error) ?? passingFault(error);
    if (message === undefined) throw error;
    throw storeUnavailable(message, error);
  }
}

/** Shown to callers of the API, so without the account, role and files that the log names. */
function gatewayFault(error: unknown): string | undefined {
  const isRefused =
    error instanceof CredentialsUnavailable ||
    (error instanceof errors.ResponseError && gatewayRefusal(error) !== undefined);
  return isRefused ? "OpenSearch, or a gateway before it, refuses access; the log says why." : undefined;
}

function passingFault(error: unknown): string | undefined {
  if (!isOpenSearchUnavailable(error)) return undefined;
  if (error instanceof errors.DeserializationError)
    return "OpenSearch or a proxy before it answered without complete JSON; try again in a moment.";
  const block = error instanceof errors.ResponseError ? blockMessage(errorIn(error.body)) : undefined;
  return block ?? "OpenSearch does not answer; try again in a moment.";
}

/** Whether a write block stopped a request, as on a full disk. */
export function isBlocked(error: unknown): boolean {
  const answer = error instanceof DomainError ? error.cause : error;
  if (!(answer instanceof errors.ResponseError)) return false;
  return Refusal.safeParse(errorIn(answer.body)).data?.type === "cluster_block_exception";
}

/** For a creation that another process, or a request of ours whose answer was lost, may have done already. */
export function ignoreAlreadyExists(error: unknown): void {
  const exists =
    error instanceof errors.ResponseError && error.message.includes("resource_already_exists_exception");
  if (!exists) throw error;
}

/** For the first calls of a start: @throws ConfigError naming the settings to check if the server refuses access. */
export function rethrowRefused(error: unknown): never {
  const answer = error instanceof DomainError ? error.cause : error;
  const message = refusal(answer) ?? noOpenSearch(answer);
  if (message === undefined) throw error;
  throw new ConfigError(message, { cause: answer });
}

function refusal(error: unknown): string | undefined {
  if (error instanceof CredentialsUnavailable) return error.message;
  if (error instanceof errors.ConnectionError) return tlsFault(error.message);
  if (!(error instanceof errors.ResponseError)) return undefined;
  if (error.statusCode === 401)
    return "OpenSearch rejects the user or the password (HTTP status 401). Check OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD, or the user and password in OPENSEARCH_URL; with OPENSEARCH_TOKEN_FILE, the token.";
  // The answer to a HEAD request has no body. With a body the status says too little: a write block is 403 as well.
  if (error.statusCode === 403 && !error.body) return forbidden();
  const said = JSON.stringify(error.body);
  return securityRefusal(said) ?? unbalanced(said) ?? templateClash(said) ?? gatewayRefusal(error);
}

/** OpenSearch rejects a template if another of the same priority matches an index that it matches. */
function templateClash(said: string): string | undefined {
  const [, names, priority] =
    /from existing templates \[(.*?)\] with patterns .*? that have the same priority \[(\d+)\]/.exec(said) ??
    [];
  if (names === undefined) return undefined;
  return `OpenSearch refuses an index template of the service, because ${names} has the same priority (${priority}) and matches the same indices. Give ${names} another priority, below ${priority}.`;
}

/** With `cluster.routing.allocation.awareness.balance`, the copies of an index must be a multiple of the zones. */
function unbalanced(said: string): string | undefined {
  const [, zones] = /to be a multiple of total awareness attributes \[(\d+)\]/.exec(said) ?? [];
  if (zones === undefined) return undefined;
  return `OpenSearch spreads the copies of each index evenly over ${zones} zones: set INDEX_REPLICAS=${Number(zones) - 1}.`;
}

/** AWS's answer to a wrong signature or a missing right. The lines after the first repeat the request. */
function gatewayRefusal(error: errors.ResponseError): string | undefined {
  const { data } = GatewayMessage.safeParse(error.body);
  if (error.statusCode !== 403 || data === undefined) return undefined;
  const [said = ""] = data.split("\n");
  return `The gateway before OpenSearch refuses the request (HTTP status 403): ${said} Check OPENSEARCH_REGION, the AWS credentials, the clock and the access policy of the domain.`;
}

const GatewayMessage = z
  .union([z.object({ message: z.string() }), z.object({ Message: z.string() })])
  .transform((body) => ("message" in body ? body.message : body.Message));

/** Safe to search for: quotes inside a quoted text are escaped. */
const SECURITY_EXCEPTION = '"type":"security_exception"';

/** A message for a refusal by the security plugin, given as JSON, with the missing permission; else undefined. */
function securityRefusal(said: string): string | undefined {
  if (!said.includes(SECURITY_EXCEPTION)) return undefined;
  const missing = /no permissions for \[.*?\](?= and )/.exec(said)?.[0];
  return forbidden(missing === undefined ? "" : ` (${missing})`);
}

function forbidden(detail = ""): string {
  return `The OpenSearch user lacks a permission that the service needs${detail}. The role in index-templates/security-role.json has all of them.`;
}

/** Causes that a retry can't fix. The client passes on only the message of OpenSSL or Node.js. */
function tlsFault(message: string): string | undefined {
  if (/Hostname\/IP does not match/.test(message))
    return `The certificate of OpenSearch is for another name: ${message}. Name the nodes in OPENSEARCH_URL as their certificate does.`;
  // The message of `CredentialsUnavailable`: the client keeps only its text.
  if (message.startsWith("OPENSEARCH_CLIENT_")) return message;
  const [alert] = CLIENT_CERTIFICATE_ALERT.exec(message) ?? [];
  if (alert !== undefined)
    return `OpenSearch asks for a client certificate that it trusts (TLS ${alert}). Set OPENSEARCH_CLIENT_CERT and OPENSEARCH_CLIENT_KEY to its PEM files.`;
  if (/certificate|unable to get (local )?issuer|unsuitable/i.test(message))
    return `The certificate of OpenSearch is not trusted: ${message}. Set OPENSEARCH_CA to a PEM file of the authority that signed it.`;
  if (/wrong version number|packet length too long/.test(message))
    return "OpenSearch does not speak TLS at this address: check whether OPENSEARCH_URL should begin with http://.";
  return undefined;
}

/** The answers of servers to a client without a certificate, or with one that they don't trust. */
const CLIENT_CERTIFICATE_ALERT =
  /alert (certificate required|bad certificate|handshake failure|unknown ca|certificate unknown)/;

/** Another server than OpenSearch answers with these statuses. */
function noOpenSearch(error: unknown): string | undefined {
  if (!(error instanceof errors.ResponseError)) return undefined;
  const status = error.statusCode;
  if (status !== 404 && status !== 405) return undefined;
  return `There is no OpenSearch at OPENSEARCH_URL: it answers with HTTP status ${status}. Check the nodes. (A collection of OpenSearch Serverless, which is not supported, answers so too.)`;
}
