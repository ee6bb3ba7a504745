import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

/** How Wikipedia's API is asked. */
export type ApiAccess = {
  readonly apiBase: string;
  /** An address or a web page where the operator can be reached; the API's etiquette asks for one. */
  readonly contact: string | null;
  /** Between two requests; there is never more than one at a time. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
};

/** Two requests a second at most: the whole sample takes 20 to 40 requests, so more haste would gain nothing. */
export const API_PAUSE_MS = 500;

/** Seconds of replication lag at which the API is asked to turn us away: the value its manual recommends. */
const MAX_LAG_SECONDS = "5";
const ATTEMPTS_MAX = 6;
/** A machine without a network should learn so in seconds. */
const NETWORK_ATTEMPTS_MAX = 3;
const FIRST_WAIT_MS = 1000;
/** A server that asks for a longer rest is not waited for; what was fetched stays, for the next start. */
const WAIT_MAX_MS = 120_000;
const REQUEST_TIMEOUT_MS = 30_000;

const RETRIED_STATUS: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const RETRIED_CODE = /^(?:maxlag|ratelimited|readonly|internal_api_error_)/;

const ApiError = z.object({ error: z.object({ code: z.string(), info: z.string().default("") }) });

/**
 * One question to the MediaWiki Action API, asked again when the server is busy: status 429 or 5xx, or, with status
 * 200, the errors `maxlag`, `ratelimited` and `readonly`. `Retry-After` (seconds or a date) decides the wait, else it
 * doubles from one second. Gives the answer's JSON; throws an `Error` that says what the server said.
 */
export async function politeRequest(
  access: ApiAccess,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const url = new URL(access.apiBase);
  const asked = { format: "json", formatversion: "2", maxlag: MAX_LAG_SECONDS, ...parameters };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  for (let attempt = 1; ; attempt++) {
    await sleep(access.pauseMs, undefined, { signal: access.signal });
    const answer = await ask(url, access);
    if (answer.kind === "answer") return answer.json;
    if (attempt >= (answer.kind === "unreachable" ? NETWORK_ATTEMPTS_MAX : ATTEMPTS_MAX))
      throw new Error(answer.reason);
    const waitMs = answer.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
    if (waitMs > WAIT_MAX_MS)
      throw new Error(`${answer.reason}; it asks to wait ${Math.round(waitMs / 1000)} s`);
    await sleep(waitMs, undefined, { signal: access.signal });
  }
}

type Answer =
  | { readonly kind: "answer"; readonly json: unknown }
  | { readonly kind: "busy" | "unreachable"; readonly reason: string; readonly retryAfterMs: number | null };

async function ask(url: URL, { contact, signal }: ApiAccess): Promise<Answer> {
  const agent = `similarity-check/0.1 (sample corpus loader${contact === null ? "" : `; ${contact}`})`;
  try {
    const response = await fetch(url, {
      headers: { "user-agent": agent, accept: "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const retryAfterMs = retryAfter(response.headers.get("retry-after"));
    if (RETRIED_STATUS.has(response.status)) {
      await response.body?.cancel();
      return { kind: "busy", reason: `the API answered with status ${response.status}`, retryAfterMs };
    }
    return judge(response.status, await response.text(), retryAfterMs);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiRefusal) throw error;
    return {
      kind: "unreachable",
      reason: `${url.host} could not be reached (${causeOf(error)})`,
      retryAfterMs: null,
    };
  }
}

/** An answer that no further try would change. */
class ApiRefusal extends Error {}

function judge(status: number, body: string, retryAfterMs: number | null): Answer {
  if (status !== 200) throw new ApiRefusal(`the API answered with status ${status}`);
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch (error) {
    throw new ApiRefusal("the API's answer is not JSON", { cause: error });
  }
  const failed = ApiError.safeParse(json);
  if (!failed.success) return { kind: "answer", json };
  const { code, info } = failed.data.error;
  const reason = `the API answered ${code}: ${info}`;
  if (!RETRIED_CODE.test(code)) throw new ApiRefusal(reason);
  return { kind: "busy", reason, retryAfterMs };
}

/** The header's wait in milliseconds; it holds seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
