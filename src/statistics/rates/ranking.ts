/**
 * The number of publications in a window from which a row is ranked: below it, one paper more or less moves the rate by 10
 * (countries) or 100 (institutions) per 100,000. The 26 disciplines are all large.
 */
export const PUBLICATIONS_MIN = { country: 10_000, institution: 1_000, discipline: 0 } as const;

/** The number of papers from which a rate is stable: with 20, the interval ranges from 0.61 to 1.54 of the rate. */
export const STABLE_PAPERS_MIN = 20;

/** Whether a rate rests on so few papers that it may well differ next year. */
export function isUnstable(papers: number): boolean {
  return papers < STABLE_PAPERS_MIN;
}

/** What a table may be sorted and ranked by. `rate_ci_low` and `rate_shrunken` keep a place with one paper from the top. */
export const SORT_KEYS = ["rate", "rate_ci_low", "rate_shrunken"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

/** `code` identifies rows and orders those with the same rate: an ISO code, a ROR id, a field's number as text. */
export type Rankable = { readonly code: string; readonly publications: number; readonly rate: number | null };

type Ranked<R> = R & { readonly rank: number | null; readonly below: boolean };

/**
 * The rows in the order of an answer: those with a rate and enough publications by descending rate, then the others, which
 * are `below` and have no rank. Rows with the same unrounded rate share a rank, and the next rank counts them all (1, 2, 2, 4).
 * Codes are compared by their UTF-16 units, so that the order is the same on every machine.
 */
export function rankByRate<R extends Rankable>(
  rows: readonly R[],
  publicationsMin: number,
): readonly Ranked<R>[] {
  return rankBy(
    rows,
    publicationsMin,
    ({ rate }) => rate,
    ({ code }) => code,
  );
}

/** The same by any figure, with a code for each row. */
export function rankBy<R extends Pick<Rankable, "publications">>(
  rows: readonly R[],
  publicationsMin: number,
  figureOf: (row: R) => number | null,
  codeOf: (row: R) => string,
): readonly Ranked<R>[] {
  const byCode = (a: R, b: R) => (codeOf(a) < codeOf(b) ? -1 : Number(codeOf(a) > codeOf(b)));
  const ranked: Ranked<R>[] = [];
  const below: Ranked<R>[] = [];
  let position = 0;
  let last: { readonly value: number; readonly rank: number } | undefined;
  for (const row of rows.toSorted((a, b) => (figureOf(b) ?? -1) - (figureOf(a) ?? -1) || byCode(a, b))) {
    const value = figureOf(row);
    if (value === null || row.publications < publicationsMin) {
      below.push({ ...row, rank: null, below: true });
      continue;
    }
    position += 1;
    if (last?.value !== value) last = { value, rank: position };
    ranked.push({ ...row, rank: last.rank, below: false });
  }
  return [...ranked, ...below.toSorted(byCode)];
}
