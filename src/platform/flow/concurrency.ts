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

/**
 * Groups the items of a source: a group is full with `countMax` items, or when their sizes come to `sizeMax`. A group
 * holds at least one item, whatever its size; the last one holds the rest.
 */
export async function* inGroups<T>(
  source: AsyncIterable<T> | Iterable<T>,
  { countMax, sizeMax, sizeOf }: GroupLimits<T>,
): AsyncGenerator<readonly T[]> {
  let group: T[] = [];
  let size = 0;
  for await (const item of source) {
    const itemSize = sizeOf(item);
    if (group.length > 0 && size + itemSize > sizeMax) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(item);
    size += itemSize;
    if (group.length >= countMax || size >= sizeMax) {
      yield group;
      group = [];
      size = 0;
    }
  }
  if (group.length > 0) yield group;
}

export type GroupLimits<T> = {
  readonly countMax: number;
  readonly sizeMax: number;
  readonly sizeOf: (item: T) => number;
};

type Options<T> = {
  /** Done for all of them, or for one. It may be repeated. */
  readonly work: (items: readonly T[]) => Promise<unknown>;
  /** Throws when nothing else is to be tried after this error, such as a store that is away. */
  readonly rethrowFatal: (error: unknown) => void;
  /** Told of an item for which `work` failed alone. */
  readonly onFailed: (item: T, error: unknown) => unknown;
};

/**
 * Does work for all items together, and where that fails for each alone: one that can't be done keeps no other back.
 * @throws what `rethrowFatal` and `onFailed` throw.
 */
export async function togetherOrAlone<T>(items: readonly T[], options: Options<T>): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  try {
    await options.work(items);
  } catch (error) {
    options.rethrowFatal(error);
    if (items.length > 1) for (const item of items) await togetherOrAlone([item], options);
    else await options.onFailed(first, error);
  }
}
