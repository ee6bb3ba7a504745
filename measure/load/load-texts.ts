import { prose } from "../../test/support/work/prose.ts";
import { QUERIES } from "../../test/system/faults/workload.ts";

/** The longest text that a check takes. */
const LONGEST_CHARS = 500_000;

/** Texts of half a page to ten, each with a beginning of its own. */
export function mixedTexts(count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => `${prose(20_000 + at, 30)} ${QUERIES[at % QUERIES.length]}`,
  );
}

/** Texts of the maximum length: the heaviest bodies that clients can send. */
export function longestTexts(count: number): string[] {
  const long = prose(99, LONGEST_CHARS / 5);
  return Array.from({ length: count }, (_, at) =>
    `${prose(30_000 + at, 30)} ${long}`.slice(0, LONGEST_CHARS),
  );
}
