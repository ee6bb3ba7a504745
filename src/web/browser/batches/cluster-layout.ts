export type Point = { readonly x: number; readonly y: number };

/** Passes over all pairs of points; more change nothing that can be seen. */
const PASSES = 24;

/** The last step moves points by a hundredth of a link at most. */
const LAST_STEP = 0.01;

/**
 * Places the points of a connected graph so that distances are as long as the shortest paths between them, with links of length 1:
 * stress is minimised by stochastic gradient descent (Zheng, Pawar and Goodman, 2019). The same graph always gets the same
 * places. Takes time in the square of the number of points: 300 take some 30 ms.
 * @param links by the numbers of points from 0
 */
export function layoutCluster(points: number, links: readonly (readonly [number, number])[]): Point[] {
  const distances = shortestPaths(points, links);
  const x = Float64Array.from({ length: points }, (_, at) => Math.cos((2 * Math.PI * at) / points));
  const y = Float64Array.from({ length: points }, (_, at) => Math.sin((2 * Math.PI * at) / points));
  const terms: [number, number][] = [];
  let longest = 1;
  for (let i = 0; i < points; i++)
    for (let j = i + 1; j < points; j++) {
      terms.push([i, j]);
      longest = Math.max(longest, distances[i * points + j] ?? 1);
    }
  const random = seededRandom();
  // From the weight of the longest distance down to the last step, evenly on a logarithmic scale.
  const firstStep = longest ** 2;
  for (let pass = 0; pass < PASSES; pass++) {
    const step = firstStep * (LAST_STEP / firstStep) ** (pass / (PASSES - 1));
    shuffle(terms, random);
    for (const [i, j] of terms) {
      const wanted = distances[i * points + j] ?? 1;
      const [dx, dy] = [(x[i] ?? 0) - (x[j] ?? 0), (y[i] ?? 0) - (y[j] ?? 0)];
      const now = Math.hypot(dx, dy) || 1e-6;
      const move = (Math.min(1, step / wanted ** 2) * (now - wanted)) / 2 / now;
      x[i] = (x[i] ?? 0) - move * dx;
      y[i] = (y[i] ?? 0) - move * dy;
      x[j] = (x[j] ?? 0) + move * dx;
      y[j] = (y[j] ?? 0) + move * dy;
    }
  }
  return Array.from({ length: points }, (_, at) => ({ x: x[at] ?? 0, y: y[at] ?? 0 }));
}

/** The lengths of the shortest paths between all points, row by row, by a search from each. */
function shortestPaths(points: number, links: readonly (readonly [number, number])[]): Uint16Array {
  const beside = Array.from({ length: points }, (): number[] => []);
  for (const [one, other] of links) {
    beside[one]?.push(other);
    beside[other]?.push(one);
  }
  const distances = new Uint16Array(points * points);
  for (let start = 0; start < points; start++) {
    const row = distances.subarray(start * points, (start + 1) * points);
    const reached = [start];
    for (const at of reached)
      for (const next of beside[at] ?? [])
        if (next !== start && row[next] === 0) {
          row[next] = (row[at] ?? 0) + 1;
          reached.push(next);
        }
  }
  return distances;
}

/** Fisher and Yates' shuffle. */
function shuffle<T>(items: T[], random: () => number): void {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [x, y] = [items[at], items[other]];
    if (x === undefined || y === undefined) continue;
    items[at] = y;
    items[other] = x;
  }
}

/** A linear congruential generator (Park and Miller, 1988), always from the same seed. */
function seededRandom(): () => number {
  let state = 20_261;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
