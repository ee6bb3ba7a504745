import type { Passage, Report, Source } from "../../../../client/index.ts";

/** A source of the report with its number: 1 for the one with most matched text, whatever filters leave of it. */
export type NumberedSource = Source & { readonly number: number };

/** A passage as the page knows it; `start` and `end` are UTF-16 offsets of the submitted text. */
export type PlacedPassage = {
  /** Its place in the list that `placedPassages` gives. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly source: NumberedSource;
  readonly passage: Passage;
};

/** The sources of the report without filters, numbered; filters change neither numbers nor colours. */
export function numberedSources({ sources }: Pick<Report, "sources">): NumberedSource[] {
  return sources.map((source, index) => ({ ...source, number: index + 1 }));
}

/**
 * The passages of a report in the order of reading: by their start, then by the number of their source.
 * @param numbered the sources of the report without filters
 */
export function placedPassages(
  report: Pick<Report, "sources">,
  numbered: readonly NumberedSource[],
): PlacedPassage[] {
  const byId = new Map(numbered.map((source) => [source.source_document_id, source]));
  return report.sources
    .flatMap(({ source_document_id: id, passages }) => {
      const source = byId.get(id);
      return source === undefined ? [] : passages.map((passage) => ({ source, passage }));
    })
    .sort((a, b) => a.passage.query_start - b.passage.query_start || a.source.number - b.source.number)
    .map(({ source, passage }, index) => ({
      index,
      start: passage.query_start,
      end: passage.query_end,
      source,
      passage,
    }));
}
