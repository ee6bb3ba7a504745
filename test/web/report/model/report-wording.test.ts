import { expect } from "chai";
import type { Report } from "../../../../src/client/index.ts";
import { dropReason, scoreInWords } from "../../../../src/web/browser/report/model/report-wording.ts";
import { wireSource } from "./wire-report.ts";

const REPORT: Report = {
  check_id: "1",
  title: null,
  language: "en",
  overall_similarity_pct: 20,
  total_matched_chars: 20,
  query_text: "x".repeat(100),
  char_count: 100,
  word_count: 1,
  duration_seconds: 0.1,
  sources: [wireSource("1", [[0, 20]])],
  unique_passages: [[0, 20]],
  coverage: "full",
  coverage_reason: null,
  checked_chunks: 1,
  total_chunks: 1,
  corpus_sources: 5,
  integrity_flags: [],
  offset_unit: "utf16",
  filters: null,
  created_at: "2026-11-20T09:30:00.000Z",
  completed_at: "2026-11-20T09:30:00.000Z",
};

describe("a report in words", () => {
  it("says what its score means", () => {
    expect(scoreInWords(REPORT)).to.equal("20 of 100 characters are found in 1 source.");
    expect(scoreInWords({ ...REPORT, total_matched_chars: 0, sources: [] })).to.equal(
      "Nothing of this text was found in the corpus.",
    );
    expect(scoreInWords({ ...REPORT, total_matched_chars: 1, sources: [] })).to.equal(
      "1 of 100 characters is found in sources that have since been deleted.",
    );
  });

  it("does not take all of the text for what is counted where a filter takes text out", () => {
    const filters = { applied: { exclude_quotes: true }, unfiltered_similarity_pct: 30 };
    expect(scoreInWords({ ...REPORT, filters })).to.equal(
      "20 characters of the text that counts are found in 1 source.",
    );
    const others = { applied: { min_words: 5 }, unfiltered_similarity_pct: 30 };
    expect(scoreInWords({ ...REPORT, filters: others })).to.include("20 of 100 characters");
  });

  it("has words for reasons that it does not know yet", () => {
    expect(dropReason("set_phrase")).to.include("phrases");
    expect(dropReason("some_new_reason")).to.equal("some new reason");
  });
});
