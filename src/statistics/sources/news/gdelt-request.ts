import { HttpFailure, politeRequest } from "../../../platform/http-client/polite-request.ts";
import { type FetchContext, httpAccess } from "../fetching/fetch-context.ts";
import { repairedJson } from "../input/repaired-json.ts";

/** GDELT asks for five seconds between two requests, and turns away who is exact about it. */
const PAUSE_MS = 6_000;

/** A search through three months may take GDELT half a minute when it is busy. */
const TIMEOUT_MS = 90_000;

/** How GDELT says, with status 200 or 429, that requests come too fast or that it has too much to do. */
const BUSY = /limit requests|too many requests|try again/i;

/**
 * One question to GDELT's DOC 2.0 API. Errors come as a sentence with status 200: those that mean haste are waited out, others
 * are refusals. Illegal characters in the JSON are put up with; no answer at all counts as an empty one.
 * @throws HttpFailure; the signal's reason.
 */
export function gdeltRequest(
  context: FetchContext,
  parameters: Readonly<Record<string, string>>,
): Promise<unknown> {
  const url = new URL(context.settings.gdeltUrl);
  const asked = { query: context.settings.gdeltQuery, format: "json", ...parameters };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const request = { url, accept: "application/json", timeoutMs: TIMEOUT_MS };
  return politeRequest(httpAccess(context, PAUSE_MS), request, async (response) => {
    const text = (await response.text()).trim();
    if (text === "") return { kind: "answer", value: {} };
    if (!/^[[{]/.test(text)) {
      const reason = `${url.host} answered: ${sentence(text)}`;
      if (BUSY.test(text)) return { kind: "busy", reason };
      throw new HttpFailure(reason);
    }
    try {
      return { kind: "answer", value: repairedJson(text) };
    } catch {
      // A broken-off answer comes whole at the next try.
      return { kind: "busy", reason: `the answer of ${url.host} is no valid JSON` };
    }
  });
}

const SENTENCE_CHARS_MAX = 200;

function sentence(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, SENTENCE_CHARS_MAX);
}
