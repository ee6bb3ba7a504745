import { expect } from "chai";
import type { WireReport } from "../../support/client.ts";

type Unit = WireReport["offset_unit"];
export type WireSource = WireReport["sources"][number];
export type WirePassage = WireSource["passages"][number];
type Pair = readonly [number, number];

/** What stands in `text` from `start` to `end`, both counted in `unit`; written apart from the product's own conversion. */
export function textAt(unit: Unit, text: string, start: number, end: number): string {
  return unit === "utf16" ? text.slice(start, end) : [...text].slice(start, end).join("");
}

export function lengthIn(unit: Unit, text: string): number {
  return unit === "utf16" ? text.length : [...text].length;
}

/** The text that a report marks in the query, one entry for each unique passage. */
export function markedTexts(report: WireReport): string[] {
  return report.unique_passages.map((pair) => textAt(report.offset_unit, report.query_text, ...toPair(pair)));
}

export function queryTextOf(
  report: WireReport,
  { query_start, query_end }: Pick<WirePassage, "query_start" | "query_end">,
): string {
  return textAt(report.offset_unit, report.query_text, query_start, query_end);
}

/** The source side of a passage, by its offsets into the document's extracted text. */
export function sourceTextOf(report: WireReport, extractedText: string, passage: WirePassage): string {
  const { source_document_start, source_document_end } = passage;
  return textAt(report.offset_unit, extractedText, source_document_start, source_document_end);
}

/** The only source of a report. */
export function onlySource(report: WireReport): WireSource {
  expect(report.sources, "sources").to.have.lengthOf(1);
  const [source] = report.sources;
  if (source === undefined) throw new Error("no source");
  return source;
}

/** The only passage of the only source of a report. */
export function onlyPassage(report: WireReport): WirePassage {
  const { passages } = onlySource(report);
  expect(passages, "passages").to.have.lengthOf(1);
  const [passage] = passages;
  if (passage === undefined) throw new Error("no passage");
  return passage;
}

/** `part` of `whole` in percent with two decimals, half up, worked out in whole numbers. */
export function expectedPct(part: number, whole: number): number {
  if (whole === 0) return 0;
  return Number((2n * BigInt(part) * 10_000n + BigInt(whole)) / (2n * BigInt(whole))) / 100;
}

/** Letters and digits in one case: all that `identical` looks at. */
export function bareText(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The laws that every report without filters and without deleted sources obeys. Percentages only in code points. */
export function expectReportLaws(report: WireReport): void {
  const total = lengthIn(report.offset_unit, report.query_text);
  const passages = report.sources.flatMap((source) => source.passages);
  const unique = report.unique_passages.map(toPair);
  expect(report.char_count, "char_count").to.equal(total);
  expect(unique, "unique passages are the union of all passages").to.deep.equal(
    union(passages.map(querySide)),
  );
  expect(report.total_matched_chars, "total_matched_chars").to.equal(lengthOf(unique));
  for (const [start, end] of unique)
    expect(0 <= start && start < end && end <= total, `[${start}, ${end})`).to.equal(true);
  for (const source of report.sources) {
    expect(source.passages, "a source has passages").to.not.have.lengthOf(0);
    expect(source.matched_chars, "matched_chars").to.equal(lengthOf(union(source.passages.map(querySide))));
    expect(
      source.passages.map(({ query_start }) => query_start),
      "passages by query_start",
    ).to.deep.equal(source.passages.map(({ query_start }) => query_start).toSorted((a, b) => a - b));
  }
  expect(
    report.sources.map(({ matched_chars }) => matched_chars),
    "sources by matched_chars",
  ).to.deep.equal(report.sources.map(({ matched_chars }) => matched_chars).toSorted((a, b) => b - a));
  for (const passage of passages) {
    expect(passage.source_end - passage.source_start, "both source ranges have one length").to.equal(
      passage.source_document_end - passage.source_document_start,
    );
    expect(passage.source_start).to.be.at.least(0);
    expect([...passage.overlap_text_preview].length).to.be.within(1, 200);
  }
  if (report.offset_unit === "code_point") expectPercentages(report);
}

function expectPercentages(report: WireReport): void {
  const { overall_similarity_pct, total_matched_chars, char_count } = report;
  expect(overall_similarity_pct).to.equal(expectedPct(total_matched_chars, char_count));
  for (const { similarity_pct, matched_chars } of report.sources) {
    expect(similarity_pct).to.equal(expectedPct(matched_chars, char_count));
  }
}

function querySide({ query_start, query_end }: WirePassage): Pair {
  return [query_start, query_end];
}

function toPair(numbers: readonly number[]): Pair {
  const [start, end] = numbers;
  if (numbers.length !== 2 || start === undefined || end === undefined)
    throw new Error(`no pair: ${numbers.join()}`);
  return [start, end];
}

/** Ascending, disjoint ranges; those that touch are one. */
function union(pairs: readonly Pair[]): Pair[] {
  const joined: [number, number][] = [];
  for (const [start, end] of pairs.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

function lengthOf(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, [start, end]) => sum + end - start, 0);
}
