import { type PackedSection, textBetween, unpackSection } from "../platform/packed-text.ts";
import { commonSpans } from "../text/common-shingles.ts";
import type { Span } from "../text/span.ts";
import { tokenise } from "../text/tokenise.ts";
import { type ComparedSides, compareSides, type RewordedParts } from "./figures/compare-sides.ts";
import { type PairFigures, type PairInput, pairFigures } from "./figures/pair-figures.ts";

export { comparisonFigures } from "./figures/comparison.ts";
export { computeFigures } from "./figures/figures.ts";
export { readFigures } from "./figures/read-figures.ts";

/** The figures of a member and its sources in the batch, and the parts of its text that many members share. */
export function measurePairs({
  language,
  commonShingles,
  ...input
}: Omit<PairInput, "queryCommon"> & {
  readonly language: string;
  readonly commonShingles: readonly number[];
}): {
  readonly common: readonly Span[];
  readonly pairs: readonly PairFigures[];
} {
  const common = new Set(commonShingles);
  const queryCommon = common.size === 0 ? [] : commonSpans(tokenise(input.queryText, language), common);
  return { common: queryCommon, pairs: pairFigures({ ...input, queryCommon }) };
}

type SidesInput = {
  /** By document, the sections that contain the passages. */
  readonly sections: ReadonlyMap<string, readonly PackedSection[]>;
  readonly passages: readonly {
    readonly query: string;
    /** In UTF-16 units. */
    readonly source: Span & { readonly documentId: string };
    /** Whether both sides are cut off at the end. */
    readonly isCut: boolean;
    readonly reworded: RewordedParts;
  }[];
  readonly language: string;
};

/** Compares both sides of each passage word by word; undefined for a document without sections. */
export function comparePackedSides({
  sections,
  passages,
  language,
}: SidesInput): (ComparedSides | undefined)[] {
  const unpacked = new Map<PackedSection, string>();
  const textOf = (section: PackedSection) => {
    const text = unpacked.get(section) ?? unpackSection(section);
    unpacked.set(section, text);
    return text;
  };
  return passages.map(({ query, source, isCut, reworded }) => {
    const found = sections.get(source.documentId);
    if (found === undefined) return undefined;
    const texts = found.map((section) => ({ start: section.start, text: textOf(section) }));
    return compareSides(query, textBetween(texts, source), language, isCut, reworded);
  });
}
