import { z } from "zod";
import { PROBLEMS, type ProblemCode, toProblem } from "../problem.ts";
import type { Examples, Operation, ResponseDescription } from "./operation.ts";

/** RFC 9457, as every error of the product is answered. */
export const ProblemSchema = z
  .object({
    type: z
      .string()
      .describe("Where this kind of problem is explained, as a reference relative to the service."),
    title: z.string().describe("The kind of problem, always in the same words."),
    status: z.number().int().describe("The HTTP status."),
    detail: z.string().describe("What happened this time, and what to do about it."),
    errors: z
      .array(
        z.object({
          field: z.string().describe("The wire name; members of members are joined with dots."),
          message: z.string().describe("What is expected there."),
        }),
      )
      .optional()
      .describe("For invalid input: one entry for each fault."),
    request_id: z.string().optional().describe("For internal errors: what to look for in the service's log."),
  })
  .meta({ id: "Problem", description: "An error, as RFC 9457 defines it." });

/** The error answers of an operation by status; codes that share a status are examples of one answer. */
export function problemResponses(operation: Operation): { readonly [status: number]: ResponseDescription } {
  const codes: readonly ProblemCode[] = [...operation.errors, "internal"];
  const responses: { [status: number]: ResponseDescription } = {};
  for (const [status, sameStatus] of Map.groupBy(codes, (code) => PROBLEMS[code].status)) {
    responses[status] = {
      description: sameStatus
        .map((code) => `**${PROBLEMS[code].title}.** ${PROBLEMS[code].meaning}`)
        .join("\n\n"),
      contentType: "application/problem+json",
      schema: ProblemSchema,
      examples: problemExamples(sameStatus),
      ...(ASK_AGAIN.has(status) && { headers: { "Retry-After": "Seconds after which to ask again." } }),
    };
  }
  return responses;
}

/** The statuses after which the same request may well be answered. */
const ASK_AGAIN: ReadonlySet<number> = new Set([429, 503]);

function problemExamples(codes: readonly ProblemCode[]): Examples {
  return Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleProblem(code) }]),
  );
}

function exampleProblem(code: ProblemCode) {
  const { meaning } = PROBLEMS[code];
  if (code === "invalid_input") {
    const message = "must be a whole number from 1 to 100";
    return toProblem(code, `limit ${message}.`, { errors: [{ field: "limit", message }] });
  }
  const requestId = "018f3a52-6c1e-7b60-9d2a-5f0c4e8b7a11";
  return code === "internal" ? toProblem(code, meaning, { requestId }) : toProblem(code, meaning);
}
