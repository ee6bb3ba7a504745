/** How a list of checks is worked through. */
export type RunOptions = {
  /** Checks that are under way at once. */
  readonly atOnce: number;
  /** Called as items are done, with their number so far. */
  readonly onDone: (items: number) => void;
  readonly signal: AbortSignal;
};

/** Does `work` for each item, several at once, until `signal` stops it; the results keep the order of the items. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  { atOnce, onDone, signal }: RunOptions,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const waiting = items.entries();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const [at, item] of waiting) {
      signal.throwIfAborted();
      results.set(at, await work(item));
      onDone(results.size);
    }
  });
  await Promise.all(workers);
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
