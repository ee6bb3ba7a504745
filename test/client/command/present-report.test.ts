import { stripVTControlCharacters } from "node:util";
import { expect } from "chai";
import fc from "fast-check";
import { presentReport } from "../../../src/client/command/present-report.ts";
import type { Passage, Report, Source } from "../../../src/client/index.ts";
import { columnsOf, styleFor } from "../../../src/platform/terminal/terminal-text.ts";

const PLAIN = styleFor({}, {});
const COLOURED = styleFor({}, { FORCE_COLOR: "1" });
const URL = "http://127.0.0.1:8080/checks/1";
const SHOWN = { style: PLAIN, columns: 60, all: false, failOver: undefined, url: URL };

const PASSAGE: Passage = {
  query_start: 3,
  query_end: 20,
  source_chunk_index: 0,
  source_start: 0,
  source_end: 17,
  source_document_start: 0,
  source_document_end: 17,
  match_type: "identical",
  runs: [
    {
      query_start: 3,
      query_end: 20,
      source_document_start: 0,
      source_document_end: 17,
      match_type: "identical",
    },
  ],
  overlap_text_preview: "",
  meaning: null,
  note: null,
};

const SOURCE: Source = {
  number: 1,
  source_document_id: "1",
  title: "Ferry",
  source_filename: "ferry.txt",
  source_url: "https://example.org/ferry",
  document_url: "/v1/corpus/documents/1",
  language: "en",
  similarity_pct: 42.5,
  matched_chars: 17,
  exclusive_matched_chars: 17,
  passages: [PASSAGE],
};

const REPORT: Report = {
  check_id: "1",
  title: null,
  display_title: "The ferry leaves at six in the morning.",
  language: "en",
  language_origin: "stated",
  overall_similarity_pct: 42.5,
  total_matched_chars: 17,
  compared_chars: 1234,
  match_types: {
    identical: { matched_chars: 17, similarity_pct: 42.5 },
    minor_changes: { matched_chars: 0, similarity_pct: 0 },
    paraphrased: { matched_chars: 0, similarity_pct: 0 },
    translated: { matched_chars: 0, similarity_pct: 0 },
  },
  query_text: "🛥. The ferry\nleaves at six in the morning.",
  char_count: 1234,
  word_count: 8,
  duration_seconds: 0.1,
  sources: [SOURCE],
  unique_passages: [[3, 20]],
  coverage: "full",
  coverage_reason: null,
  checked_chunks: 1,
  total_chunks: 1,
  corpus_sources: 1,
  documents_pending: 0,
  semantic_coverage: "full",
  semantic_coverage_reason: null,
  semantic_documents: 1,
  integrity_flags: [],
  page_margins: [],
  batch: null,
  offset_unit: "code_point",
  notes: [],
  filters: null,
  created_at: "2026-11-20T09:30:00.000Z",
  completed_at: "2026-11-20T09:30:01.000Z",
};

describe("a report on a terminal", () => {
  it("says score, sources with share and address, and passages as they stand in the text", () => {
    expect(presentReport("thesis.txt", REPORT, SHOWN)).to.deep.equal([
      "thesis.txt",
      "  42.50% of the text also appears in the corpus: 17 of 1,234 characters, 1 source",
      "  identical 42.50% (17)",
      "",
      "  1.  42.50%  Ferry",
      "              https://example.org/ferry",
      "              identical        3–20  The ferry leaves",
      "",
      `  Report: ${URL}`,
    ]);
  });

  it("names the part of the corpus that the check was limited to", () => {
    const scopeLine = (scope: Report["scope"]) =>
      presentReport("a.txt", { ...REPORT, ...(scope && { scope }) }, SHOWN).find((line) =>
        line.startsWith("  Compared"),
      );
    expect(scopeLine(undefined)).to.equal(undefined);
    expect(scopeLine({ collections: ["essays", "\u001b[31mred"], leave_out: "owner" })).to.match(
      /^ {2}Compared with the collections “essays” and “\\u\{1b\}\[31mred”, without the documents of the same owner\.$/,
    );
    expect(scopeLine({ leave_out: "group" })).to.equal(
      "  Compared with the corpus, without the documents of the same group.",
    );
    expect(scopeLine({ collections: ["essays"] })).to.equal("  Compared with the collection “essays”.");
  });

  it("names a language that nobody has stated, and the language of a source in another one", () => {
    const translated = { ...PASSAGE, match_type: "translated" as const };
    const source = { ...SOURCE, language: "de", passages: [translated] };
    const lines = presentReport(
      "a.txt",
      { ...REPORT, language_origin: "detected", sources: [source] },
      SHOWN,
    );
    expect(lines).to.include("  Language: English (detected); --language states another.");
    expect(lines).to.include("  1.  42.50%  Ferry (in German)");
    const assumed = presentReport("a.txt", { ...REPORT, language_origin: "default" }, SHOWN);
    expect(assumed.join("\n")).to.include("English (assumed, as the text does not tell)");
    const long = presentReport(
      "a.txt",
      { ...REPORT, sources: [{ ...source, title: "F".repeat(90) }] },
      SHOWN,
    );
    expect(Math.max(...long.map(columnsOf))).to.be.at.most(SHOWN.columns + 30);
    expect(long.find((line) => line.includes("F…"))).to.match(/F… \(in German\)$/);
  });

  it("says plainly what was not searched, what was filtered, what looks tampered with, and what is over the limit", () => {
    const lines = presentReport(
      "thesis.txt",
      {
        ...REPORT,
        coverage: "partial",
        coverage_reason: "time_cap",
        checked_chunks: 12,
        total_chunks: 40,
        documents_pending: 2,
        filters: { applied: { exclude_quotes: true, min_words: 8 }, unfiltered_similarity_pct: 50 },
        integrity_flags: [5, 9, 12, 15].map((start) => ({
          kind: "homoglyphs" as const,
          start,
          end: start + 3,
          detail: "“fеrry” mixes Latin and Cyrillic",
        })),
      },
      { ...SHOWN, failOver: 20 },
    );
    expect(lines.slice(1, 11)).to.deep.equal([
      "  42.50% of the text also appears in the corpus: 17 of 1,234 characters, 1 source, over the limit of 20%",
      "  identical 42.50% (17)",
      "  filtered by exclude_quotes=true, min_words=8; without filters 50.00%",
      "  PARTIAL: the time limit was reached after 12 of 40 parts of the text. There may be more matches.",
      "  2 uploaded documents not compared: still being indexed. Check again later.",
      "  4 × homoglyphs",
      "    at 5: “fеrry” mixes Latin and Cyrillic",
      "    at 9: “fеrry” mixes Latin and Cyrillic",
      "    at 12: “fеrry” mixes Latin and Cyrillic",
      "              and 1 more place",
    ]);
  });

  it("shows the first sources and passages and counts the rest, or shows all of them", () => {
    const passages = Array.from({ length: 5 }, () => PASSAGE);
    const report = { ...REPORT, sources: Array.from({ length: 12 }, () => ({ ...SOURCE, passages })) };
    const first = presentReport("a", report, SHOWN);
    expect(first.filter((line) => line.includes("Ferry"))).to.have.length(10);
    expect(first)
      .to.include("              and 2 more sources")
      .and.include("              and 2 more passages");
    const every = presentReport("a", report, { ...SHOWN, all: true });
    expect(every.filter((line) => line.includes("identical   "))).to.have.length(60);
    expect(every.join("\n")).not.to.contain("more");
  });

  it("lets no control character of a text, a title or a name reach the terminal, and keeps its lines to its width", () => {
    const hostile = fc
      .string({ unit: "binary", maxLength: 200 })
      .map((text) => `\u001B]0;x\u0007\u009B2J\u202E${text}`);
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        fc.integer({ min: 40, max: 200 }),
        (file, title, text, columns) => {
          const report: Report = {
            ...REPORT,
            query_text: text,
            sources: [
              {
                ...SOURCE,
                title,
                source_url: null,
                passages: [{ ...PASSAGE, query_start: 0, query_end: 200 }],
              },
            ],
            integrity_flags: [{ kind: "bidi_controls", start: 0, end: 1, detail: title }],
          };
          const lines = presentReport(file, report, { ...SHOWN, style: COLOURED, columns });
          const own = lines.filter((_, index) => index !== 1);
          for (const line of own.map(stripVTControlCharacters)) {
            expect(line).not.to.match(/[\p{Cc}\p{Bidi_Control}]/u);
            expect(columnsOf(line)).to.be.at.most(Math.max(columns, columnsOf(`  Report: ${URL}`)));
          }
        },
      ),
      { seed: 7 },
    );
  });

  it("tells kinds of match apart by colour, and only by more than colour", () => {
    const types = ["identical", "minor_changes", "paraphrased"] as const;
    const sources = types.map((match_type) => {
      const runs = PASSAGE.runs.map((run) => ({ ...run, match_type }));
      return { ...SOURCE, passages: [{ ...PASSAGE, match_type, runs }] };
    });
    const text = presentReport("a", { ...REPORT, sources }, { ...SHOWN, style: COLOURED }).join("\n");
    for (const shown of ["\u001B[31midentical", "\u001B[33mslightly changed", "\u001B[36mparaphrased"])
      expect(text).to.contain(shown);
  });
});
