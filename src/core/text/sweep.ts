import type { Span } from "./span.ts";

/**
 * Gives what covers a place, ascending by start; things that start together keep their order. The places that it is asked
 * for must ascend: each thing is then looked at only while it is open, however many there are.
 */
export function sweep<T>(things: readonly T[], spanOf: (thing: T) => Span): (at: number) => readonly T[] {
  const ascending = things
    .map((thing) => ({ thing, ...spanOf(thing) }))
    .toSorted((a, b) => a.start - b.start);
  let next = 0;
  let open: typeof ascending = [];
  return (at) => {
    for (let one = ascending[next]; one !== undefined && one.start <= at; one = ascending[next]) {
      open.push(one);
      next += 1;
    }
    open = open.filter(({ end }) => end > at);
    return open.map(({ thing }) => thing);
  };
}
