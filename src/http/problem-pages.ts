import { z } from "zod";
import { PROBLEMS, type ProblemKind, problemOfType, problemType, writeProblem } from "./routing/problem.ts";
import { type Route, routesFor } from "./routing/route.ts";

/** `/problems/{code}`, the address in the `type` of a problem: an explanation as a page or as JSON. */
export const problemRoutes: readonly Route<undefined>[] = [
  routesFor<undefined>()(
    {
      method: "get",
      path: "/problems/:code",
      operationId: "getProblem",
      summary: "Explanation of a problem",
      description: "Explains the `type` of an error: a short page for a browser, JSON for a program.",
      tags: ["Documentation"],
      request: {
        params: z.object({
          code: z
            .string()
            .meta({ description: "The last part of a problem's `type`.", examples: ["check-not-found"] }),
        }),
      },
      responses: {
        200: {
          description: "The explanation.",
          schema: z.object({
            type: z.string(),
            status: z.number().int(),
            title: z.string(),
            meaning: z.string(),
          }),
          examples: {
            checkNotFound: {
              summary: "check-not-found",
              value: { type: problemType("check_not_found"), ...PROBLEMS.check_not_found },
            },
          },
        },
      },
      errors: ["not_found"],
    },
    ({ ctx, params: { code } }) => {
      const kind = problemOfType(`/problems/${code}`);
      if (kind === undefined) {
        writeProblem(ctx, "not_found", "There is no problem with this name.");
        return;
      }
      ctx.vary("Accept");
      ctx.set("Cache-Control", "max-age=3600");
      if (ctx.accepts("json", "html") !== "html") return { type: `/problems/${code}`, ...kind };
      ctx.type = "html";
      ctx.body = page(code, kind);
    },
  ),
];

/** Nothing needs escaping: all texts are constants without markup characters. */
function page(code: string, { status, title, meaning }: ProblemKind): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<p>${meaning}</p>
<p>Status ${status}, type <code>/problems/${code}</code></p>
</html>
`;
}
