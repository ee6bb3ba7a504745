import type { ComputePool } from "../../../compute/compute-pool.ts";
import type { ComparedSides } from "../../../core/report/compare-sides.ts";
import type { TextRange, TextStore } from "../../../corpus/index.ts";
import type { Database } from "../../../platform/postgres/database.ts";

/** A passage to be set side by side: the query's text and where the source's text stands, in UTF-16 units. */
export type SidesToCompare = { readonly queryText: string; readonly source: TextRange };

/**
 * The beginnings of both sides of each passage, word by word, in their order. Undefined where the source has gone from the
 * corpus meanwhile.
 */
export type ComparePassages = (
  passages: readonly SidesToCompare[],
  language: string,
) => Promise<readonly (ComparedSides | undefined)[]>;

type Parts = { readonly database: Database; readonly texts: TextStore; readonly compute: ComputePool };

/**
 * How much of a side is compared and shown, in UTF-16 units: a page of a book. The text itself is marked in full above, and
 * the time that a comparison takes grows with the square.
 */
const SIDE_LENGTH_MAX = 1_500;

export function createComparePassages({ database, texts, compute }: Parts): ComparePassages {
  return async (passages, language) => {
    const heads = passages.map(({ queryText, source: { documentId, start, end } }) => ({
      query: queryText.slice(0, SIDE_LENGTH_MAX),
      source: { documentId, start, end: Math.min(end, start + SIDE_LENGTH_MAX) },
      isCut: queryText.length > SIDE_LENGTH_MAX || end - start > SIDE_LENGTH_MAX,
    }));
    const sections = await texts.findRanges(
      database,
      heads.map(({ source }) => source),
    );
    return compute.run("compareSides", { sections, passages: heads, language });
  };
}
