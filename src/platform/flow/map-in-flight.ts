/**
 * Works on the items of a source, at most `atOnce` of them at a time, and gives the results as they come, in any order.
 * An item is taken from the source only when there is room, and a result counts as under way until it is taken: a slow
 * reader slows the source. When the source or the work fails, or the reader leaves, what is under way is waited for.
 */
export async function* mapInFlight<T, R>(
  source: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const items = source[Symbol.asyncIterator]();
  const underWay = new Map<number, Promise<{ readonly key: number; readonly result: R }>>();
  try {
    for (let key = 0, ended = false; ; key++) {
      const item = ended ? undefined : await items.next();
      if (item === undefined || item.done === true) ended = true;
      else underWay.set(key, keyed(key, work(item.value)));
      if (ended && underWay.size === 0) return;
      if (ended || underWay.size >= atOnce) {
        const first = await Promise.race(underWay.values());
        underWay.delete(first.key);
        yield first.result;
      }
    }
  } finally {
    await Promise.allSettled(underWay.values());
    await items.return?.();
  }
}

function keyed<R>(key: number, work: Promise<R>): Promise<{ readonly key: number; readonly result: R }> {
  const result = work.then((result) => ({ key, result }));
  // A failure is noticed by the race that comes later; until then it must not count as one that nobody handles.
  result.catch(() => undefined);
  return result;
}
