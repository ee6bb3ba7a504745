/**
 * The publications in a window from which a row is ranked: below them, a paper more or less moves the rate by 10 (countries)
 * or 100 (institutions) per 100,000. There are only 26 disciplines, and all are large.
 */
export const PUBLICATIONS_MIN = { country: 10_000, institution: 1_000, discipline: 0 } as const;

/** The papers from which a rate is stable: with 20, the interval reaches from 0.61 to 1.54 of the rate. */
export const STABLE_PAPERS_MIN = 20;

/** Whether a rate rests on so few papers that it may well be another one next year. */
export function isUnstable(papers: number): boolean {
  return papers < STABLE_PAPERS_MIN;
}
