import type { GetReportQuery, Report } from "../../../../client/index.ts";
import { lengthsInCharacters } from "../../../../reports/lengths-in-characters.ts";
import { engine } from "../../shared/engine.ts";
import { useLoaded } from "../../shared/state/use-loaded.ts";
import { type Filters, filterQuery, isFiltered } from "../model/report-address.ts";

export type Reports = {
  /** The report without filters: it numbers the sources. */
  readonly whole: Report | undefined;
  /** With the filters that are set; until that comes, what was shown before. */
  readonly shown: Report | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

/** The report of a check with offsets as JavaScript counts them and lengths as people do, and the same with filters: the service computes it anew. */
export function useReports(checkId: string, filters: Filters): Reports {
  const read = async (asked: GetReportQuery, signal: AbortSignal) =>
    lengthsInCharacters(await engine.getReport(checkId, { ...asked, offset_unit: "utf16" }, { signal }));
  const whole = useLoaded(checkId, (signal) => read({}, signal));
  const part = useLoaded(`${checkId}?${filterQuery(filters)}`, async (signal) => {
    if (!isFiltered(filters)) return { report: undefined };
    // The explanation says which filter left out what.
    return { report: await read({ ...filters, explain: true }, signal) };
  });
  // A link with filters first shows the filtered report, not for a moment the one without.
  const isAwaited = part.value === undefined && part.error === undefined && isFiltered(filters);
  return {
    whole: whole.value,
    shown: isAwaited ? undefined : (part.value?.report ?? whole.value),
    error: whole.error ?? part.error,
    isLoading: part.isStale && part.error === undefined,
    reload: () => {
      whole.reload();
      part.reload();
    },
  };
}
