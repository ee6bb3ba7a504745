import fc from "fast-check";
import { z } from "zod";
import { ProblemSchema } from "../../src/http/routing/problem.ts";
import type { FuzzRun } from "./schemathesis.ts";

const Paths = z.object({ paths: z.record(z.string(), z.unknown()) });

/** Requests to each listener. */
const CASES = 2_000;

/**
 * Sends OPTIONS, with the headers of a browser's preflight and without, to the paths of an API's OpenAPI document and to
 * made-up ones, which the document does not describe. The answer is 204 with `Allow`, or a problem that is no 5xx.
 */
export async function askPreflights(
  address: string,
  seed: number,
  say: (line: string) => void,
): Promise<FuzzRun> {
  const { paths } = Paths.parse(await (await fetch(`${address}/openapi.json`)).json());
  const segment = fc
    .string({ unit: "binary", maxLength: 20 })
    .map((text) => encodeURIComponent(text.toWellFormed()));
  const path = fc.oneof(
    fc
      .tuple(fc.constantFrom(...Object.keys(paths)), segment)
      .map(([known, id]) => known.replace(/\{\w+\}/g, id || "x")),
    fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`),
    fc.constantFrom("/nope", "/v1/%zz", "/%ff", "/v1//", "/."),
  );
  const method = fc.constantFrom("GET", "DELETE", "PATCH", "FOO", "");
  const preflight = fc.record({ path, method, headers: fc.constantFrom("", "If-None-Match", "x, y") });
  let failures = 0;
  for (const request of fc.sample(preflight, { seed, numRuns: CASES })) {
    const fault = await faultOf(`${address}${request.path}`, request.method, request.headers);
    if (fault === undefined) continue;
    failures += 1;
    say(`OPTIONS ${request.path} (${request.method}): ${fault}`);
  }
  return { cases: CASES, failures };
}

async function faultOf(url: string, method: string, headers: string): Promise<string | undefined> {
  const answer = await fetch(url, {
    method: "OPTIONS",
    headers: {
      Origin: "https://page.example",
      ...(method !== "" && { "Access-Control-Request-Method": method }),
      ...(headers !== "" && { "Access-Control-Request-Headers": headers }),
    },
  });
  const body = await answer.text();
  if (answer.status === 204) return answer.headers.has("Allow") ? undefined : "204 without Allow";
  if (answer.status >= 500 || answer.status < 400) return `status ${answer.status}`;
  const isProblem = answer.headers.get("Content-Type")?.startsWith("application/problem+json") ?? false;
  return isProblem && ProblemSchema.safeParse(JSON.parse(body)).success
    ? undefined
    : `${answer.status}, no problem`;
}
