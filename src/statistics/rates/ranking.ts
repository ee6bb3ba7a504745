/** `code` tells rows apart and orders those with the same rate: an ISO code, a ROR id, a field's number as text. */
export type Rankable = { readonly code: string; readonly publications: number; readonly rate: number | null };

export type Ranked<R> = R & { readonly rank: number | null; readonly below: boolean };

/**
 * The rows in the order of an answer: those with a rate and enough publications by descending rate, then the others, which
 * are `below` and have no rank. Rows with the same unrounded rate share a rank, and the next one counts them all (1, 2, 2, 4).
 * Codes are compared by their UTF-16 units, so that the order is the same on every machine.
 */
export function rankByRate<R extends Rankable>(
  rows: readonly R[],
  publicationsMin: number,
): readonly Ranked<R>[] {
  const ranked: Ranked<R>[] = [];
  const below: Ranked<R>[] = [];
  let place = 0;
  let last: { readonly rate: number; readonly rank: number } | undefined;
  for (const row of rows.toSorted(byRate)) {
    const { rate } = row;
    if (rate === null || row.publications < publicationsMin) {
      below.push({ ...row, rank: null, below: true });
      continue;
    }
    place += 1;
    if (last?.rate !== rate) last = { rate, rank: place };
    ranked.push({ ...row, rank: last.rank, below: false });
  }
  return [...ranked, ...below.toSorted(byCode)];
}

function byRate(a: Rankable, b: Rankable): number {
  return (b.rate ?? -1) - (a.rate ?? -1) || byCode(a, b);
}

function byCode(a: Rankable, b: Rankable): number {
  if (a.code === b.code) return 0;
  return a.code < b.code ? -1 : 1;
}
