import type { z } from "zod";
import { SOURCES } from "../facts/sources.ts";
import type { SourceState } from "../read-model/rows.ts";
import type { OverviewData } from "./schema/overview.ts";

/** How old each source is at a moment. What was never loaded is stale too: there is nothing up to date about it. */
export function presentFreshness(
  sources: readonly SourceState[],
  now: Date,
): z.output<typeof OverviewData>["freshness"] {
  return sources.map(({ id, retrievedAt, newestRecord }) => {
    const days =
      retrievedAt === null ? Number.POSITIVE_INFINITY : (now.getTime() - retrievedAt.getTime()) / DAY_MS;
    const stale = days > (STALE_AFTER_DAYS.get(id) ?? 0);
    return {
      source: id,
      status: retrievedAt === null ? "never loaded" : stale ? "stale" : "current",
      retrieved_at: retrievedAt?.toISOString() ?? null,
      newest_record: newestRecord,
      stale,
    };
  });
}

const DAY_MS = 24 * 3600 * 1000;

const STALE_AFTER_DAYS = new Map(SOURCES.map(({ id, staleAfterDays }) => [id, staleAfterDays]));
