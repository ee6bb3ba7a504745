/** A span of whole years, both ends included. `id` is how the API names it: `2013-2017`. */
export type Window = {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** So recent that many of its papers may still be retracted. */
  readonly provisional: boolean;
  /** Whether it is the window of requests that name none. */
  readonly default: boolean;
};

/**
 * The windows of publications data from `firstYear` to `lastYear`: the whole span, and the spans of five years counted
 * back from its end; the newest end first, then the shorter first. Exactly one is the default: the first that is not
 * provisional, and when all are, the first.
 * @param newestRetractionYear undefined when no retraction is known; then none is provisional.
 */
export function listWindows(
  firstYear: number,
  lastYear: number,
  newestRetractionYear: number | undefined,
): readonly Window[] {
  const spans = [{ from: firstYear, to: lastYear }];
  for (let to = lastYear; to - WINDOW_YEARS + 1 >= firstYear; to -= WINDOW_YEARS) {
    const from = to - WINDOW_YEARS + 1;
    if (from !== firstYear || to !== lastYear) spans.push({ from, to });
  }
  spans.sort((a, b) => b.to - a.to || b.from - a.from);
  const isProvisional = (to: number) =>
    newestRetractionYear !== undefined && to > newestRetractionYear - SETTLED_YEARS;
  const settled = spans.findIndex(({ to }) => !isProvisional(to));
  const preferred = Math.max(settled, 0);
  return spans.map(({ from, to }, index) => ({
    id: `${from}-${to}`,
    from,
    to,
    provisional: isProvisional(to),
    default: index === preferred,
  }));
}

/**
 * The last year of publication whose last papers have had three years to be retracted, by the dates: retractions until
 * 2025-03-31 settle 2021, not 2022, because the papers of December 2022 had little more than two years.
 * @param newestRetraction `2025-03-31`; undefined when no retraction is known, and then each year is settled.
 */
export function settledUntil(newestRetraction: string | undefined): number {
  if (newestRetraction === undefined) return Number.POSITIVE_INFINITY;
  const isWholeYear = newestRetraction.slice("YYYY".length) === "-12-31";
  return yearOf(newestRetraction) - SETTLED_YEARS - (isWholeYear ? 0 : 1);
}

/** The first and the last year of some windows, of which there is at least one. */
export function yearsOf(windows: readonly Window[]): readonly [first: number, last: number] {
  return [Math.min(...windows.map(({ from }) => from)), Math.max(...windows.map(({ to }) => to))];
}

/** The years between the end of a year of publication and the newest retraction: 2.2 from 2022 to 2025-03-31. */
export function yearsSince(year: number, newestRetraction: string): number {
  return (Date.parse(newestRetraction) - Date.UTC(year, 11, 31)) / YEAR_MS;
}

const YEAR_MS = 365.2425 * 24 * 3_600_000;

function yearOf(date: string): number {
  return Number(date.slice(0, "YYYY".length));
}

/** The newest three years that are settled: enough papers for a rate, and recent. Null when the data have none. */
export function newestSettled(firstYear: number, lastYear: number, settled: number): string | null {
  const to = Math.min(lastYear, settled);
  const from = to - SHORT_WINDOW_YEARS + 1;
  return from < firstYear ? null : `${from}-${to}`;
}

/** Half the delay of five years, and still enough papers for a rate. */
const SHORT_WINDOW_YEARS = 3;

const WINDOW_YEARS = 5;

/** A retraction follows its paper by about three years, so that younger windows miss most of theirs. */
const SETTLED_YEARS = 3;
