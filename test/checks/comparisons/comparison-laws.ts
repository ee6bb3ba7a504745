import { expect } from "chai";
import { z } from "zod";
import { ComparisonAnswer } from "../../../src/checks/comparisons/api/schema.ts";
import type { EngineClient } from "../../support/client.ts";
import { expectedPct, lengthIn, textAt } from "../reports/report-laws.ts";

export type WireComparison = z.output<typeof ComparisonAnswer>;
type Span = { readonly start: number; readonly end: number };

/** Compares two texts; the answer is held against the documented schema. */
export async function compare(
  client: EngineClient,
  queryText: string,
  sourceText: string,
  { query = "", ...more }: Record<string, string> = {},
): Promise<WireComparison> {
  const body = { query_text: queryText, source_text: sourceText, ...more };
  const response = await client.json("POST", `/v1/comparisons${query}`, body);
  if (response.status !== 200) throw new Error(`compare: ${response.status} ${await response.text()}`);
  return z.strictObject(ComparisonAnswer.shape).parse(await response.json());
}

/** The text of a passage or of a run on both sides. */
export function sidesOf(
  { query, source, offset_unit: unit }: WireComparison,
  {
    query_start,
    query_end,
    source_document_start,
    source_document_end,
  }: Pick<
    WireComparison["passages"][number]["runs"][number],
    "query_start" | "query_end" | "source_document_start" | "source_document_end"
  >,
): readonly [query: string, source: string] {
  return [
    textAt(unit, query.text, query_start, query_end),
    textAt(unit, source.text, source_document_start, source_document_end),
  ];
}

/** The laws that every comparison obeys. Percentages only in code points. */
export function expectComparisonLaws(comparison: WireComparison): void {
  const { query, source, passages, offset_unit: unit } = comparison;
  const querySpans = passages.map(({ query_start: start, query_end: end }) => ({ start, end }));
  const sourceSpans = passages.flatMap(({ runs }) =>
    runs.map(({ source_document_start: start, source_document_end: end }) => ({ start, end })),
  );
  expect(
    querySpans.map(({ start }) => start),
    "passages ascend",
  ).to.deep.equal(querySpans.map(({ start }) => start).toSorted((a, b) => a - b));
  for (const passage of passages) {
    const { runs } = passage;
    expect(runs[0]?.query_start, "runs begin with the passage").to.equal(passage.query_start);
    expect(runs.at(-1)?.query_end, "runs end with the passage").to.equal(passage.query_end);
    for (const [at, run] of runs.slice(1).entries())
      expect(run.query_start, "runs have no gaps").to.equal(runs[at]?.query_end);
    const whole = sidesOf(comparison, passage);
    for (const pair of passage.meaning?.sentence_pairs ?? [])
      for (const [at, sentence] of sidesOf(comparison, pair).entries()) {
        expect(sentence, "a sentence of the passage").to.match(/\S/);
        expect(whole[at], "sentences are in the passage").to.include(sentence);
      }
  }
  for (const [side, spans] of [
    [query, querySpans],
    [source, sourceSpans],
  ] as const) {
    const total = lengthIn(unit, side.text);
    expect(side.char_count, "char_count").to.equal(total);
    const unique = side.unique_passages.map(([start = 0, end = 0]) => ({ start, end }));
    for (const span of spans) {
      expect(0 <= span.start && span.start < span.end && span.end <= total, "in the text").to.equal(true);
      expect(unique.some(contains(span)), "each place is in a unique passage").to.equal(true);
    }
    for (const [at, span] of unique.slice(1).entries())
      expect(span.start, "unique passages ascend").to.be.above(unique[at]?.end ?? 0);
    const matched = unique.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(side.total_matched_chars, "total_matched_chars").to.equal(matched);
    if (unit === "code_point")
      expect(side.overall_similarity_pct, "overall_similarity_pct").to.equal(expectedPct(matched, total));
    const kinds = Object.values(side.match_types);
    expect(
      kinds.reduce((sum, { matched_chars }) => sum + matched_chars, 0),
      "kinds add up to the total",
    ).to.equal(matched);
    expect(
      kinds.reduce((sum, { similarity_pct }) => sum + Math.round(100 * similarity_pct), 0),
      "shares of kinds add up to the score",
    ).to.equal(Math.round(100 * side.overall_similarity_pct));
  }
}

function contains(span: Span) {
  return ({ start, end }: Span) => start <= span.start && span.end <= end;
}
