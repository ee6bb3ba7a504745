/**
 * Maps the items of a source with at most `concurrency` calls at a time, and yields results as they finish. `p-map` keeps the order
 * of the input, where one slow item holds up the others. A result counts until it is read, so a slow reader slows the source.
 */
export async function* mapConcurrently<T, R>(
  source: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const pending = new Map<number, Promise<{ readonly key: number; readonly result: R }>>();
  try {
    for (let key = 0, ended = false; ; key++) {
      const item = ended ? undefined : await items.next();
      if (item === undefined || item.done === true) ended = true;
      else pending.set(key, keyed(key, work(item.value)));
      if (ended && pending.size === 0) return;
      if (ended || pending.size >= concurrency) {
        const first = await Promise.race(pending.values());
        pending.delete(first.key);
        yield first.result;
      }
    }
  } finally {
    await Promise.allSettled(pending.values());
    await items.return?.();
  }
}

function keyed<R>(key: number, work: Promise<R>): Promise<{ readonly key: number; readonly result: R }> {
  const result = work.then((result) => ({ key, result }));
  // The later race handles a failure. Until then it must not count as an unhandled rejection.
  result.catch(() => undefined);
  return result;
}

/** The items of several sources as they come. The next item of each is fetched while the reader works on another. */
export async function* mergeSources<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const pending = new Map<number, Promise<{ readonly key: number; readonly result: IteratorResult<T> }>>();
  const fetchNext = (key: number) => {
    const next = iterators[key]?.next();
    if (next !== undefined) pending.set(key, keyed(key, next));
  };
  try {
    for (const key of iterators.keys()) fetchNext(key);
    while (pending.size > 0) {
      const { key, result } = await Promise.race(pending.values());
      pending.delete(key);
      if (result.done === true) continue;
      fetchNext(key);
      yield result.value;
    }
  } finally {
    await Promise.allSettled(pending.values());
    for (const iterator of iterators) await iterator.return?.();
  }
}

/** Groups the items of a source: at most `countMax` items and a total size of `sizeMax`, but at least one item. By default, neither is bounded. */
export async function* groupItems<T>(
  source: AsyncIterable<T> | Iterable<T>,
  {
    countMax = Number.POSITIVE_INFINITY,
    sizeMax = Number.POSITIVE_INFINITY,
    sizeOf = () => 0,
  }: GroupLimits<T>,
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

type GroupLimits<T> = {
  readonly countMax?: number;
  readonly sizeMax?: number;
  readonly sizeOf?: (item: T) => number;
};

type Options<T> = {
  /** Called with all items, or with one. It must be safe to repeat. */
  readonly work: (items: readonly T[]) => Promise<unknown>;
  /** Throws when nothing more should be tried after this error, as when a store is unavailable. */
  readonly rethrowFatal: (error: unknown) => void;
  /** Called for an item for which `work` failed alone. */
  readonly onFailed: (item: T, error: unknown) => unknown;
};

/** Processes all items together and, if that fails, each alone. @throws the errors of `rethrowFatal` and `onFailed`. */
export async function allOrEach<T>(items: readonly T[], options: Options<T>): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  try {
    await options.work(items);
  } catch (error) {
    options.rethrowFatal(error);
    if (items.length > 1) for (const item of items) await allOrEach([item], options);
    else await options.onFailed(first, error);
  }
}

/** Waits for a promise until the signal is aborted at the latest; the work behind it continues. @throws the signal's reason. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
