import { expect } from "chai";
import type { z } from "zod";
import { ProblemSchema } from "../../src/http/routing/problem.ts";

export type WireProblem = z.output<typeof ProblemSchema>;

/**
 * Holds an answer against the decisions' rules for errors: RFC 9457 with a relative `type`, the status in the body too,
 * an identifier of the request. `code` is the last part of the type; `fields` the names in `errors`, in any order.
 */
export async function expectProblem(
  response: Response,
  status: number,
  code: string,
  fields: readonly string[] = [],
): Promise<WireProblem> {
  const body = await response.text();
  expect(response.status, body).to.equal(status);
  expect(response.headers.get("content-type")).to.match(/^application\/problem\+json\b/);
  expect(response.headers.get("x-request-id")).to.match(/^\S+$/);
  const problem = ProblemSchema.parse(JSON.parse(body));
  expect(problem).to.include({ type: `/problems/${code}`, status });
  expect(problem.title).not.to.equal("");
  expect(problem.detail).not.to.equal("");
  expect(problem.errors?.map(({ field }) => field) ?? []).to.have.members([...fields]);
  for (const { message } of problem.errors ?? []) expect(message).not.to.equal("");
  return problem;
}
