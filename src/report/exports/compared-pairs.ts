import type { CorpusStores } from "../../corpus/index.ts";
import type { TextRange } from "../../matching/set.ts";
import type { Compute } from "../../platform/compute-pool.ts";
import { blankMargins } from "../../text/margins.ts";
import { fromPairs } from "../../text/span.ts";
import type { ComparedPiece, ComparedSides, RewordedParts } from "../figures/compare-sides.ts";
import type { WireReport } from "../presented-report.ts";
import { rewordedParts } from "../reworded-parts.ts";
import type * as tasks from "../tasks.ts";
import type { NumberedPlace } from "./text-pieces.ts";

/** About 1 MB of compressed text and 50 ms of a thread, so that the first passages of a long report are sent early. */
const BATCH = 40;

/** A passage with the beginnings of both its sides, compared word by word. */
export type ComparedPair = { readonly one: NumberedPlace; readonly sides: ComparedSides };

/** Passages of a report (with UTF-16 offsets) beside their sources, in their order. */
export async function* comparedPairs(
  report: WireReport,
  passages: readonly NumberedPlace[],
  compare: ComparePairs,
): AsyncGenerator<ComparedPair> {
  const comparedText = blankMargins(report.query_text, fromPairs(report.page_margins));
  for (let from = 0; from < passages.length; from += BATCH) {
    const batch = passages.slice(from, from + BATCH);
    const compared = await compare(
      batch.map((one) => sidesOf(one, comparedText)),
      report.language,
    );
    for (const [at, one] of batch.entries()) {
      const sides = compared[at] ?? keptSides(one, report);
      // Words say nothing about a passage that was found by its meaning.
      yield { one, sides: one.passage.meaning === null ? sides : undivided(sides) };
    }
  }
}

/** A passage to compare: the query's text, and the place of the source's text in UTF-16 units. */
type SidesToCompare = {
  readonly queryText: string;
  readonly source: TextRange;
  readonly reworded: RewordedParts;
};

/** Compares the beginnings of both sides of each passage word by word; undefined if the source has been deleted meanwhile. */
export type ComparePairs = (
  passages: readonly SidesToCompare[],
  language: string,
) => Promise<readonly (ComparedSides | undefined)[]>;

/** A page of a book, in UTF-16 units: the time of a comparison grows quadratically. */
const SIDE_LENGTH_MAX = 1_500;

type PassagePairsParts = Pick<CorpusStores, "database" | "texts"> & {
  readonly compute: Compute<typeof tasks>;
};

export function createComparePassages({ database, texts, compute }: PassagePairsParts): ComparePairs {
  return async (passages, language) => {
    const heads = passages.map(({ queryText, source: { documentId, start, end }, reworded }) => ({
      query: queryText.slice(0, SIDE_LENGTH_MAX),
      source: { documentId, start, end: Math.min(end, start + SIDE_LENGTH_MAX) },
      isCut: queryText.length > SIDE_LENGTH_MAX || end - start > SIDE_LENGTH_MAX,
      reworded,
    }));
    const ranges = heads.map(({ source }) => source);
    const sections = await texts.findRanges(database, ranges);
    return compute.run("comparePackedSides", { sections, passages: heads, language });
  };
}

function sidesOf({ source, passage }: NumberedPlace, comparedText: string): SidesToCompare {
  const { source_document_start: start, source_document_end: end } = passage;
  return {
    queryText: comparedText.slice(passage.query_start, passage.query_end),
    source: { documentId: source.source_document_id, start, end },
    reworded: rewordedParts(passage),
  };
}

/** For a source that was deleted while the document was made: the excerpt that the report kept. */
function keptSides({ passage }: NumberedPlace, { query_text: text }: WireReport): ComparedSides {
  const query = text.slice(passage.query_start, passage.query_end);
  return {
    query: [{ text: query }],
    source: [{ text: passage.overlap_text_preview }],
    isCut: false,
  };
}

function undivided({ query, source, isCut }: ComparedSides): ComparedSides {
  const whole = (pieces: readonly ComparedPiece[]) => [{ text: pieces.map(({ text }) => text).join("") }];
  return { query: whole(query), source: whole(source), isCut };
}
