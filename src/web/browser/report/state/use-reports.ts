import type { Report } from "../../../../client/index.ts";
import { engine } from "../../frame/engine.ts";
import { useLoaded } from "../../frame/state/use-loaded.ts";
import { type Filters, filterQuery, isFiltered } from "../model/report-address.ts";

export type Reports = {
  /** The report without filters: it numbers the sources. */
  readonly whole: Report | undefined;
  /** With the filters that are set; while they are applied, the one before. */
  readonly shown: Report | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

/** The report of a check with offsets as JavaScript counts them, and the same with filters: the service computes it anew. */
export function useReports(checkId: string, filters: Filters): Reports {
  const filtered = isFiltered(filters);
  const whole = useLoaded(checkId, (signal) =>
    engine.getReport(checkId, { offset_unit: "utf16" }, { signal }),
  );
  const part = useLoaded(`${checkId}?${filterQuery(filters)}`, async (signal) =>
    // The explanation says which filter left out what.
    filtered
      ? engine.getReport(checkId, { ...filters, offset_unit: "utf16", explain: true }, { signal })
      : undefined,
  );
  const reload = () => {
    whole.reload();
    part.reload();
  };
  return {
    whole: whole.value,
    shown: filtered ? (part.value ?? (part.error === undefined ? undefined : whole.value)) : whole.value,
    error: whole.error ?? (filtered ? part.error : undefined),
    isLoading: whole.isStale || (filtered && part.isStale),
    reload,
  };
}
