import { expect } from "chai";
import { DocumentWithText } from "../../../src/corpus/api/schema.ts";
import type { WireDocument, WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import {
  expectedPct,
  lengthIn,
  markedTexts,
  onlyPassage,
  onlySource,
  queryTextOf,
  sourceTextOf,
} from "./report-laws.ts";

/** What each part of the query is there for; all but `own` is copied. */
const copied = {
  quoted: prose(1, 30),
  long: prose(2, 80),
  short: prose(3, 9),
  straddling: prose(4, 60).slice(0, -1),
  edited: prose(5, 50),
  reference: prose(6, 40),
};
const editedCopy = copied.edited.split(" ").with(12, "elsewhere").with(33, "therefore").join(" ");
const [quotedHalf, plainHalf] = halves(copied.straddling);
const own = { first: prose(11, 40), second: prose(12, 40), third: prose(13, 40) };
const quotation = `„${copied.quoted}“`;
const straddle = `»${quotedHalf}« ${plainHalf}`;
const bibliography = `\n\nReferences\n${copied.reference}\n`;
const query =
  [
    `😀 ${own.first}`,
    quotation,
    copied.long,
    `${own.second} ${copied.short}`,
    straddle,
    own.third,
    editedCopy,
    "> A line that is a block quote.",
  ].join("\n\n") + bibliography;

const onlyOf = ({ sources }: WireReport, id: string) =>
  sources.find(({ source_document_id }) => source_document_id === id)?.passages ?? [];

describe("decisions, Engine: checks: report filters", () => {
  const engine = useEngine();
  let first: WireDocument;
  let second: WireDocument;
  let unfiltered: WireReport;

  before(async () => {
    const gap = (seed: number) => prose(seed, 30);
    first = await engine.client.addDocument(
      "first.txt",
      [
        copied.quoted,
        gap(21),
        copied.long,
        gap(22),
        copied.short,
        gap(23),
        copied.straddling,
        gap(24),
        copied.reference,
      ].join(" "),
    );
    second = await engine.client.addDocument(
      "second.txt",
      `${gap(25)} ${copied.edited} ${gap(26)} ${copied.long}`,
    );
    unfiltered = await engine.client.checked(query);
  });

  it("a report without filters has filters: null and all matches", async () => {
    expect(unfiltered.filters).to.equal(null);
    const marked = markedTexts(unfiltered).join("\n");
    for (const text of [
      copied.quoted,
      copied.long,
      copied.short,
      quotedHalf,
      plainHalf,
      editedCopy,
      copied.reference,
    ]) {
      expect(marked).to.include(text.slice(0, -1));
    }
  });

  it("exclude_quotes leaves out text in quotation marks and block quotes, marks included, from both sides of the rate", async () => {
    const report = await filtered("exclude_quotes=true");
    expect(markedTexts(report).join("\n")).to.not.include(copied.quoted);
    expect(markedTexts(report).join("\n")).to.not.include(quotedHalf);
    expect(markedTexts(report).join("\n")).to.include(plainHalf).and.to.include(copied.long);
    const quoted = lengthIn("code_point", `${quotation}»${quotedHalf}«> A line that is a block quote.`);
    expectRate(report, lengthIn("code_point", query) - quoted);
  });

  it("exclude_bibliography leaves out all from the heading to the text's end", async () => {
    const report = await filtered("exclude_bibliography=true");
    expect(markedTexts(report).join("\n")).to.not.include(copied.reference.slice(0, 30));
    expect(markedTexts(report).join("\n")).to.include(copied.quoted);
    expectRate(report, lengthIn("code_point", query) - (bibliography.length - 2));
  });

  it("a passage that straddles excluded text is clipped, its source side in step", async () => {
    const report = await filtered("exclude_quotes=true");
    const clipped = report.sources.flatMap((source) =>
      source.passages.filter((passage) => queryTextOf(report, passage).includes(plainHalf)),
    );
    expect(clipped).to.have.lengthOf(1);
    const [passage] = clipped;
    if (passage === undefined) throw new Error("no clipped passage");
    expect(queryTextOf(report, passage).trim()).to.equal(plainHalf);
    const response = await engine.client.request(`/v1/corpus/documents/${first.document_id}`);
    const { extracted_text: text } = DocumentWithText.parse(await response.json());
    expect(sourceTextOf(report, text, passage).length).to.be.closeTo(plainHalf.length, 6);
    expect(sourceTextOf(report, text, passage)).to.include(plainHalf.slice(4, -4));
    expect(passage.source_end - passage.source_start).to.equal(
      passage.source_document_end - passage.source_document_start,
    );
  });

  it("tells how passages are acknowledged, and match_groups keeps those of some groups", async () => {
    const groupOf = (report: WireReport, text: string) =>
      report.sources
        .flatMap(({ passages }) => passages)
        .find((passage) => queryTextOf(report, passage).includes(text.slice(0, -1)))?.match_group;
    expect(groupOf(unfiltered, copied.quoted)).to.equal("quoted_without_source");
    expect(groupOf(unfiltered, copied.long)).to.equal("neither");
    expect(groupOf(unfiltered, copied.straddling.slice(-60))).to.equal("unsure");
    const shares = Object.values(unfiltered.match_groups ?? {});
    const sum = shares.reduce((total, { matched_chars: chars }) => total + chars, 0);
    expect(sum).to.equal(unfiltered.total_matched_chars);
    const report = await filtered("match_groups=quoted_without_source");
    expect(markedTexts(report).join("\n")).to.include(copied.quoted).and.to.not.include(copied.long);
    expect(report.filters?.applied).to.deep.equal({ match_groups: ["quoted_without_source"] });
    expect(report.match_groups?.neither.passages).to.equal(0);
    const csv = await engine.client.request(`/v1/checks/${unfiltered.check_id}/passages.csv`);
    const rows = (await csv.text()).trim().split("\r\n");
    expect(rows[0]).to.match(/,match_group$/);
    expect(rows.some((row) => row.endsWith(",quoted_without_source"))).to.equal(true);
    const html = await engine.client.request(`/v1/checks/${unfiltered.check_id}/report.html`);
    expect(await html.text()).to.include("neither quoted nor cited <strong>");
    const explained = await filtered("match_groups=unsure&explain=true");
    const reasons = explained.sources.flatMap(({ passages }) =>
      passages.map((one) => one.acknowledgement?.unsure_reason),
    );
    expect(reasons).to.include("partly_quoted").and.to.include("in_bibliography");
  });

  it("min_words keeps passages of at least so many words; the text of the others still counts", async () => {
    expect(markedTexts(await filtered("min_words=9")).join("\n")).to.include(copied.short.slice(0, -1));
    const report = await filtered("min_words=10");
    expect(markedTexts(report).join("\n")).to.not.include(copied.short.slice(0, -1));
    expect(markedTexts(report).join("\n")).to.include(copied.quoted);
    expectRate(report, lengthIn("code_point", query));
    expect((await filtered("min_words=1000")).overall_similarity_pct).to.equal(0);
  });

  it("exclude_sources leaves out one or several sources", async () => {
    const one = await filtered(`exclude_sources=${second.document_id.toUpperCase()}`);
    expect(onlySource(one).source_document_id).to.equal(first.document_id);
    expectRate(one, lengthIn("code_point", query));
    const both = await filtered(`exclude_sources=${second.document_id},${first.document_id}`);
    expect(both).to.deep.include({
      sources: [],
      unique_passages: [],
      overall_similarity_pct: 0,
      total_matched_chars: 0,
    });
    const unknown = await filtered("exclude_sources=01920000-0000-7000-8000-000000000000");
    expect(unknown.total_matched_chars).to.equal(unfiltered.total_matched_chars);
  });

  it("exclude_passages leaves out single passages, and says so", async () => {
    const [passage] = onlyOf(unfiltered, first.document_id);
    const reference = `${passage?.query_start}-${passage?.query_end}-${first.document_id}`;
    for (const unit of ["code_point", "utf16"]) {
      const report = await filtered(`exclude_passages=${reference}&offset_unit=${unit}&explain=true`);
      expect(onlyOf(report, first.document_id)).to.have.length(
        onlyOf(unfiltered, first.document_id).length - 1,
      );
      expect(onlyOf(report, second.document_id)).to.have.length(
        onlyOf(unfiltered, second.document_id).length,
      );
      expect(report.filters?.applied).to.deep.equal({ exclude_passages: [reference] });
      expect(report.explanation?.filtered_out.map(({ filter }) => filter)).to.deep.equal([
        "exclude_passages",
      ]);
    }
    const elsewhere = await filtered(`exclude_passages=0-1-${first.document_id}`);
    expect(elsewhere.unique_passages).to.deep.equal(unfiltered.unique_passages);
  });

  it("match_types keeps the kinds that are named", async () => {
    const minor = await filtered("match_types=minor_changes");
    expect(onlyPassage(minor).match_type).to.equal("minor_changes");
    expect(markedTexts(minor).join("")).to.include(editedCopy.slice(0, -1));
    const identical = await filtered("match_types=identical");
    expect(
      new Set(identical.sources.flatMap(({ passages }) => passages.map(({ match_type }) => match_type))),
    ).to.deep.equal(new Set(["identical"]));
    const all = await filtered("match_types=identical,minor_changes,paraphrased");
    expect(all.unique_passages).to.deep.equal(unfiltered.unique_passages);
    expect((await filtered("match_types=paraphrased")).sources).to.deep.equal([]);
  });

  it("filters combine, and every figure is computed anew from the passages kept", async () => {
    const report = await filtered(
      `exclude_quotes=true&exclude_bibliography=true&min_words=10&match_types=identical&exclude_sources=${second.document_id}`,
    );
    const excluded = `${quotation}»${quotedHalf}«> A line that is a block quote.${bibliography.slice(2)}`;
    const counted = lengthIn("code_point", query) - lengthIn("code_point", excluded);
    expectRate(report, counted);
    expect(onlySource(report).similarity_pct).to.equal(report.overall_similarity_pct);
    expect(onlySource(report).matched_chars).to.equal(report.total_matched_chars);
    expect(markedTexts(report).map((text) => text.trim())).to.deep.equal([copied.long, plainHalf]);
  });

  it("a filtered report says so: the parameters given and the unfiltered percentage", async () => {
    const report = await filtered(
      `min_words=12&match_types=identical,minor_changes&exclude_sources=${second.document_id}`,
    );
    expect(report.filters).to.deep.equal({
      applied: {
        min_words: 12,
        match_types: ["identical", "minor_changes"],
        exclude_sources: [second.document_id],
      },
      unfiltered_similarity_pct: unfiltered.overall_similarity_pct,
    });
    expect((await filtered("exclude_quotes=true")).filters?.applied).to.deep.equal({ exclude_quotes: true });
  });

  it("a filter set to false is not applied", async () => {
    const report = await filtered("exclude_quotes=false&exclude_bibliography=false");
    expect(report).to.deep.equal(await engine.client.report(unfiltered.check_id));
    const mixed = await filtered("exclude_quotes=false&min_words=10");
    expect(mixed.filters?.applied).to.deep.equal({ min_words: 10 });
  });

  it("filters are never stored: the report and the check stay as they were", async () => {
    await filtered("exclude_quotes=true&min_words=20");
    expect(await engine.client.report(unfiltered.check_id)).to.deep.equal(unfiltered);
    expect((await engine.client.check(unfiltered.check_id)).overall_similarity_pct).to.equal(
      unfiltered.overall_similarity_pct,
    );
  });

  it("goes with offset_unit=utf16: the same figures in the other unit", async () => {
    const inCodePoints = await filtered("exclude_quotes=true&min_words=10");
    const inUtf16 = await filtered("exclude_quotes=true&min_words=10&offset_unit=utf16");
    expect(markedTexts(inUtf16)).to.deep.equal(markedTexts(inCodePoints));
    expect(inUtf16.overall_similarity_pct).to.equal(inCodePoints.overall_similarity_pct);
    expect(inUtf16.filters).to.deep.equal(inCodePoints.filters);
  });

  function filtered(parameters: string): Promise<WireReport> {
    return engine.client.report(unfiltered.check_id, `?${parameters}`);
  }
});

/** The rate over the text that counts, and its parts: matched characters are those of the unique passages. */
function expectRate(report: WireReport, countedChars: number): void {
  const matched = markedTexts(report).reduce((sum, text) => sum + lengthIn("code_point", text), 0);
  expect(report.total_matched_chars).to.equal(matched);
  expect(report.overall_similarity_pct).to.equal(expectedPct(matched, countedChars));
  for (const { similarity_pct, matched_chars } of report.sources) {
    expect(similarity_pct).to.equal(expectedPct(matched_chars, countedChars));
  }
}

function halves(text: string): [string, string] {
  const cut = text.indexOf(" ", text.length / 2);
  return [text.slice(0, cut), text.slice(cut + 1)];
}
