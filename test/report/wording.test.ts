import { expect } from "chai";
import { textsIn } from "../../src/http/languages/catalogues.ts";
import { DROP_REASONS } from "../../src/matching/words/dropped-matches.ts";
import examples from "../../src/report/api/examples.json" with { type: "json" };
import { Report } from "../../src/report/presented-report.ts";
import {
  corpusInWords,
  coverageInWords,
  dropReason,
  filtersInWords,
  flagCount,
  languageOriginInWords,
  marginInWords,
  matchInWords,
  passageInWords,
  passagesInWords,
  pendingInWords,
  reasonInWords,
  reuseKinds,
  scoreInWords,
  shownScore,
} from "../../src/report/wording.ts";

const ENGLISH = textsIn("en");

const reportExample = Report.parse(examples.report.match.value);

const passages = (...types: ("identical" | "minor_changes" | "paraphrased")[]) =>
  types.map((match_type) => ({ match_type }));

describe("a report in words", () => {
  const batch = {
    ...{ batch_id: "b", member_id: "m", is_complete: true, is_compared_with_corpus: false },
    ...{ similarity_pct: 12.5, matched_chars: 20, members_total: 1, members: [] },
  };

  it("says what a text was compared with", () => {
    expect(corpusInWords({ batch: null, corpus_sources: 1 }, ENGLISH)).to.equal("1 document");
    expect(corpusInWords({ batch: null, corpus_sources: 10_001 }, ENGLISH)).to.equal(
      "about 10,001 documents",
    );
    expect(corpusInWords({ batch, corpus_sources: 0 }, ENGLISH)).to.equal(
      "the other texts of its batch only, not with the corpus",
    );
  });

  it("says what part of the corpus a limited check was compared with", () => {
    const inWords = (scope: Parameters<typeof corpusInWords>[0]["scope"]) => {
      const report = { ...reportExample, scope };
      const nothing = { ...report, total_matched_chars: 0, sources: [] };
      return [
        corpusInWords(report, ENGLISH),
        coverageInWords(report, ENGLISH).text,
        scoreInWords(nothing, ENGLISH),
      ];
    };
    expect(inWords({ collections: ["essays"] })).to.deep.equal([
      "1,000 documents of the collection “essays”",
      "The whole text was compared with the collection “essays”.",
      "No matches found in the collection “essays”.",
    ]);
    expect(inWords({ leave_out: "group" })).to.deep.equal([
      "1,000 documents, without the documents of the same group",
      "The whole text was compared with the corpus, without the documents of the same group.",
      "No matches found in the corpus, without the documents of the same group.",
    ]);
    expect(inWords({ collections: ["a", "b, c"], leave_out: "owner" })[1]).to.equal(
      "The whole text was compared with the collections “a” and “b, c”, without the documents of the same owner.",
    );
  });

  it("counts the other texts of a batch where only these were compared", () => {
    const report = {
      ...reportExample,
      batch,
      total_matched_chars: 0,
      sources: [],
      overall_similarity_pct: 0,
    };
    expect(shownScore(report)).to.equal(12.5);
    expect(scoreInWords(report, ENGLISH)).to.equal(
      "of this text is also in the 0 most similar of 1 other text of the batch, with quotations and common text.",
    );
    const both = { ...report, batch: { ...batch, is_compared_with_corpus: true } };
    expect(shownScore(both)).to.equal(0);
    expect(scoreInWords(both, ENGLISH)).to.equal("No matches found in the corpus.");
  });

  it("says what the score means", () => {
    expect(scoreInWords(reportExample, ENGLISH)).to.equal("125 of 190 characters match 1 source.");
    expect(scoreInWords({ ...reportExample, sources: [] }, ENGLISH)).to.equal(
      "125 of 190 characters match sources that have since been deleted.",
    );
    const nothing = { ...reportExample, total_matched_chars: 0, sources: [] };
    expect(scoreInWords(nothing, ENGLISH)).to.equal("No matches found in the corpus.");
    const filters = { applied: { exclude_quotes: true }, unfiltered_similarity_pct: 65.79 };
    expect(scoreInWords({ ...nothing, filters }, ENGLISH)).to.equal("No matches remain with these filters.");
    expect(scoreInWords({ ...reportExample, compared_chars: 150, filters }, ENGLISH)).to.equal(
      "125 of 150 characters left by the filters match 1 source.",
    );
    expect(scoreInWords({ ...reportExample, total_matched_chars: 130 }, ENGLISH)).to.equal(
      "130 of 190 characters match 1 source and others that have since been deleted, which 5 of them matched.",
    );
    const others = { applied: { min_words: 5 }, unfiltered_similarity_pct: 65.79 };
    expect(scoreInWords({ ...reportExample, filters: others }, ENGLISH)).to.include("125 of 190 characters");
  });

  it("gives the kinds of reuse that occur", () => {
    expect(reuseKinds(reportExample, ENGLISH)).to.deep.equal([
      { type: "identical", label: "identical", chars: 125, pct: 65.79 },
    ]);
  });

  it("writes words and numbers as the language does", () => {
    const report = { ...reportExample, total_matched_chars: 125_000, compared_chars: 190_000 };
    const inGerman = textsIn("de");
    expect(scoreInWords(report, ENGLISH)).to.match(/^125,000 of 190,000 characters match/);
    expect(scoreInWords(report, inGerman)).to.match(/125\.000 von 190\.000 Zeichen/);
  });

  it("says that a partial search leaves something open, and what to do", () => {
    const partial = {
      coverage: "partial",
      coverage_reason: "time_cap",
      checked_chunks: 3,
      total_chunks: 40,
    } as const;
    expect(coverageInWords(partial, ENGLISH).text).to.match(
      /^Time ran out after 3 of 40 parts .* submit the text again/,
    );
    expect(coverageInWords(reportExample, ENGLISH).text).to.equal(
      "The whole text was compared with the corpus.",
    );
  });

  it("says how many uploads could not be compared, if any", () => {
    expect(pendingInWords({ documents_pending: 0 }, ENGLISH)).to.equal(undefined);
    expect(pendingInWords({ documents_pending: 1 }, ENGLISH)).to.match(
      /^1 uploaded document was still being indexed/,
    );
    const named = ["A", "B", "C", "D"].map((title) => ({ document_id: title, title }));
    expect(pendingInWords({ documents_pending: 30, uncompared_documents: named }, ENGLISH)).to.match(
      /^30 uploaded documents \(“A”, “B”, “C”, 27 more\) were still/,
    );
    expect(pendingInWords({ documents_pending: 2 }, ENGLISH)).to.match(
      /^2 uploaded documents were still .* not compared/,
    );
  });

  it("counts passages by kind, the closest first", () => {
    expect(passagesInWords(passages("identical"), ENGLISH)).to.equal("1 passage, identical");
    expect(passagesInWords(passages("paraphrased", "identical", "identical"), ENGLISH)).to.equal(
      "3 passages: 2 identical, 1 paraphrased",
    );
    const [identical, paraphrased] = [{ match_type: "identical" }, { match_type: "paraphrased" }] as const;
    const both = { ...paraphrased, runs: [paraphrased, identical] };
    expect(passagesInWords([both, identical], ENGLISH)).to.equal(
      "2 passages: 1 identical, 1 identical and paraphrased",
    );
    expect(passageInWords(both, "de", ENGLISH)).to.equal("identical and paraphrased");
    const translated = { match_type: "translated" } as const;
    expect(passageInWords(translated, "de", ENGLISH)).to.equal("translated from German");
    const ofFrench = { ...translated, meaning: { source_language: "fr" } };
    expect(passageInWords(ofFrench, "de", ENGLISH), "a French passage of a German text").to.equal(
      "translated from French",
    );
  });

  it("gives the reason for a passage in a sentence", () => {
    const [identical, paraphrased] = [{ match_type: "identical" }, { match_type: "paraphrased" }] as const;
    expect(reasonInWords(identical, 12, ENGLISH)).to.equal(
      "The source has the same 12 words in the same order.",
    );
    expect(reasonInWords(paraphrased, 12, ENGLISH)).to.include(
      "than two texts on the same subject share by chance",
    );
    expect(reasonInWords({ ...paraphrased, runs: [identical, paraphrased] }, 12, ENGLISH)).to.include(
      "some sentences as they stand",
    );
  });

  it("names the language of a translation's source, and languages that nobody has stated", () => {
    expect(matchInWords("translated", "pl", ENGLISH)).to.equal("translated from Polish");
    expect(matchInWords("identical", "pl", ENGLISH)).to.equal("identical");
    expect(languageOriginInWords("stated", ENGLISH)).to.equal("");
    expect(languageOriginInWords("detected", ENGLISH)).to.equal(" (detected)");
  });

  it("says how alike sentences are, most first", () => {
    expect([0.4, 0.2, 0.1, 0, -0.1].map((margin) => marginInWords(margin, ENGLISH))).to.deep.equal([
      "far more alike than usual",
      "clearly more alike than usual",
      "somewhat more alike than usual",
      "about as alike as usual",
      "about as alike as usual",
    ]);
  });

  it("names signs of disguise in the singular and the plural", () => {
    expect(flagCount("homoglyphs", 1, ENGLISH)).to.equal("1 word with letters from another alphabet");
    expect(flagCount("bidi_controls", 1_200, ENGLISH)).to.equal(
      "1,200 places that change the text direction",
    );
  });

  it("names each filter", () => {
    const applied = {
      exclude_quotes: true,
      exclude_bibliography: true,
      min_words: 10,
      exclude_sources: ["01a1fdd2-fc66-74d3-872a-6fcc3985a6fd"],
      match_types: ["identical", "minor_changes"],
    };
    const filters = { applied, unfiltered_similarity_pct: 1 };
    expect(filtersInWords({ filters }, ENGLISH)).to.deep.equal([
      "quotations excluded",
      "bibliography excluded",
      "only passages of at least 10 words",
      "1 source excluded",
      "only identical and slightly changed passages",
    ]);
    expect(filtersInWords({ filters: null }, ENGLISH)).to.deep.equal([]);
  });

  it("has words for reasons of a dropped match that it does not know yet", () => {
    for (const reason of DROP_REASONS)
      expect(dropReason(reason, ENGLISH)).not.to.equal(reason.replaceAll("_", " "));
    expect(dropReason("set_phrase", ENGLISH)).to.equal("boilerplate");
    expect(dropReason("some_new_reason", ENGLISH)).to.equal("some new reason");
  });
});
