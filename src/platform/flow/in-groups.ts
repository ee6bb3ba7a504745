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
