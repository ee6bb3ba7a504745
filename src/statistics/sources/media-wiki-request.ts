import { z } from "zod";
import {
  type HttpAccess,
  HttpFailure,
  politeRequest,
  type Reply,
  readText,
} from "../../platform/http-client/polite-request.ts";

export type MediaWikiAccess = HttpAccess & {
  /** The Action API, such as `https://en.wikipedia.org/w/api.php`. */
  readonly apiBase: string;
};

/** Two requests a second at most: nothing here takes more than 40 requests, so more haste would gain nothing. */
export const MEDIA_WIKI_PAUSE_MS = 500;

/** Seconds of replication lag at which the API is asked to turn us away: the value its manual recommends. */
const MAX_LAG_SECONDS = "5";
const RETRIED_CODE = /^(?:maxlag|ratelimited|readonly|internal_api_error_)/;

const ApiError = z.object({ error: z.object({ code: z.string(), info: z.string().default("") }) });

/**
 * One question to the MediaWiki Action API, asked again when the server is busy: also at the errors `maxlag`, `ratelimited`
 * and `readonly`, which come with status 200. Gives the answer's JSON.
 * @throws HttpFailure with the server's message; the signal's reason.
 */
export function mediaWikiRequest(
  access: MediaWikiAccess,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const url = new URL(access.apiBase);
  const asked = { format: "json", formatversion: "2", maxlag: MAX_LAG_SECONDS, ...parameters };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return politeRequest(access, { url, accept: "application/json" }, async (response) =>
    judge(url.host, await readText(response)),
  );
}

function judge(host: string, body: string): Reply<unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new HttpFailure(`the answer of ${host} is not JSON`, { cause: error });
  }
  const failed = ApiError.safeParse(value);
  if (!failed.success) return { kind: "answer", value };
  const { code, info } = failed.data.error;
  const reason = `${host} answered ${code}: ${info}`;
  if (!RETRIED_CODE.test(code)) throw new HttpFailure(reason);
  return { kind: "busy", reason };
}
