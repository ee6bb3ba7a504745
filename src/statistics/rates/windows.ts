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

const WINDOW_YEARS = 5;

/** A retraction follows its paper by about three years, so that younger windows miss most of theirs. */
const SETTLED_YEARS = 3;
