import { Router } from "@koa/router";
import type { z } from "zod";
import { DomainError } from "../core/domain-error.ts";
import type { ReportFilters } from "../core/report/filters.ts";
import { parse } from "../http/input/parse.ts";
import { pathUuid } from "../http/input/wire-text.ts";
import { presentReport } from "./presenter.ts";
import type { ReadReport } from "./read-report.ts";
import { ReportQuery } from "./schema.ts";

export function reportRouter({ readReport }: { readonly readReport: ReadReport }): Router {
  const router = new Router();
  router.get("/v1/checks/:check_id/report", async (ctx) => {
    const checkId = pathUuid(ctx, "check_id");
    if (checkId === undefined)
      throw new DomainError("check_not_found", "There is no check with this identifier.");
    const { offset_unit: unit, explain = false, ...asked } = parse(ReportQuery, ctx.query);
    const applied = appliedFilters(asked);
    const view = await readReport(checkId, { unit, filters: applied && toFilters(asked), explain });
    ctx.body = presentReport(view, applied);
  });
  return router;
}

type AskedFilters = Omit<z.output<typeof ReportQuery>, "offset_unit" | "explain">;

/** The filters that do something, under their wire names; undefined when none does. One set to `false` does not. */
function appliedFilters(asked: AskedFilters): Record<string, unknown> | undefined {
  const applied = Object.entries(asked).filter(([, value]) => value !== undefined && value !== false);
  return applied.length === 0 ? undefined : Object.fromEntries(applied);
}

function toFilters(asked: AskedFilters): ReportFilters {
  return {
    excludeQuotes: asked.exclude_quotes,
    excludeBibliography: asked.exclude_bibliography,
    minWords: asked.min_words,
    excludeSources: asked.exclude_sources,
    matchTypes: asked.match_types,
  };
}
