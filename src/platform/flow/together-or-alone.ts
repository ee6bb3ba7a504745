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
