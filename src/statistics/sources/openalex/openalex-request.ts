import type { z } from "zod";
import { HttpFailure, politeRequest, readText } from "../../../platform/http-client/polite-request.ts";
import { type FetchContext, httpAccess, readAnswer } from "../fetching/fetch-context.ts";

/** Five requests a second of the hundred that OpenAlex allows: the daily allowance ends a fetch long before its rate limit would. */
const PAUSE_MS = 200;

/** OpenAlex takes long to count all works of a year. */
const TIMEOUT_MS = 180_000;

const TOO_MANY_REQUESTS = 429;
const NOT_FOUND = 404;

/**
 * One request to OpenAlex, below its base address; undefined for status 404.
 * @throws HttpFailure: when the daily allowance is used up, its message says what to do.
 */
export async function openAlexRequest<S extends z.ZodType>(
  context: FetchContext,
  path: string,
  parameters: Readonly<Record<string, string>>,
  schema: S,
): Promise<z.output<S> | undefined> {
  const { openalexUrl, openalexApiKey, contact } = context.settings;
  const url = new URL(`${openalexUrl.replace(/\/$/, "")}${path}`);
  const identity = {
    ...(openalexApiKey === undefined ? {} : { api_key: openalexApiKey }),
    ...(contact?.includes("@") ? { mailto: contact } : {}),
  };
  for (const [name, value] of Object.entries({ ...parameters, ...identity }))
    url.searchParams.set(name, value);
  const request = { url, accept: "application/json", handledStatuses: [NOT_FOUND], timeoutMs: TIMEOUT_MS };
  return politeRequest(httpAccess(context, PAUSE_MS), request, async (response) => {
    const text = await readText(response);
    const value =
      response.status === NOT_FOUND ? undefined : readAnswer(url.host, () => schema.parse(JSON.parse(text)));
    return { kind: "answer", value };
  }).catch((error: unknown) => {
    throw error instanceof HttpFailure && error.status === TOO_MANY_REQUESTS
      ? allowanceUsedUp(error, openalexApiKey !== undefined)
      : error;
  });
}

function allowanceUsedUp(cause: HttpFailure, hasKey: boolean): HttpFailure {
  const advice = hasKey ? "" : " A free key of OpenAlex in OPENALEX_API_KEY allows ten times as much.";
  return new HttpFailure(
    `${cause.message}. Fetched data are kept, and the next refresh resumes from there.${advice}`,
    { cause, status: TOO_MANY_REQUESTS },
  );
}
