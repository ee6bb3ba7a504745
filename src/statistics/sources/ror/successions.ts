/**
 * Where each withdrawn organisation ends up when its successors are followed to the last.
 * One whose successors lead round in a circle stays where it is, and is not in the result.
 * @param successorOf the direct successor of each withdrawn organisation that has exactly one.
 */
export function followSuccessors(successorOf: ReadonlyMap<string, string>): Map<string, string> {
  const ends = new Map<string, string>();
  for (const start of successorOf.keys()) {
    const end = endOf(start, successorOf);
    if (end !== undefined) ends.set(start, end);
  }
  return ends;
}

function endOf(start: string, successorOf: ReadonlyMap<string, string>): string | undefined {
  const seen = new Set([start]);
  let at = start;
  for (let next = successorOf.get(at); next !== undefined; next = successorOf.get(at)) {
    if (seen.has(next)) return undefined;
    seen.add(next);
    at = next;
  }
  return at;
}
