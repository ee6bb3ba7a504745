import { expect } from "chai";
import type { WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { markedTexts, onlyPassage, queryTextOf, sourceTextOf } from "./report-laws.ts";

const VERBATIM =
  "The first lamp on the cliff burned fish oil in an open pan, and its keeper lived in a hut of driftwood beside it. " +
  "In the winter of 1811 a gale carried off both, and the harbour council voted for a tower of stone. " +
  "It took nine summers to build, because the masons could land on the rock only while the tide was out.";
const SOURCE_OF_REWORDED =
  "When the tower was lit for the first time, the glow of its twenty-four burners could be seen by ships that were eighteen " +
  "miles away, and the fishermen of the bay complained that the herring had been frightened away from their nets by it.";
const REWORDED =
  "On the night the tower was first lit, ships eighteen miles away could see the glow of the twenty-four burners, while " +
  "fishermen in the bay complained that it had frightened the herring away from all their nets.";
const SOURCE = `${VERBATIM} ${SOURCE_OF_REWORDED}`;
const OWN =
  "My grandmother never believed a word of this, and she told us so on every holiday that we spent with her.";

describe("reports: kinds of reuse", () => {
  const engine = useEngine();
  let report: WireReport;

  before(async () => {
    await engine.client.addDocument("tower.txt", SOURCE, { language: "en" });
    report = await engine.client.checked(`${OWN}\n\n${VERBATIM} ${REWORDED}`, { language: "en" });
  });

  const sumOf = ({ match_types: types }: WireReport, key: "matched_chars" | "similarity_pct") =>
    Object.values(types ?? {}).reduce((sum, share) => sum + share[key], 0);

  it("a reworded passage does not hide a verbatim one", () => {
    const { runs } = onlyPassage(report);
    expect(runs.map((run) => [run.match_type, queryTextOf(report, run).trim()])).to.deep.equal([
      ["identical", VERBATIM],
      ["paraphrased", REWORDED],
    ]);
    const [verbatim] = runs;
    if (verbatim === undefined) throw new Error("there is no run");
    expect(SOURCE.slice(verbatim.source_document_start, verbatim.source_document_end)).to.equal(
      VERBATIM.replace(/\.$/, ""),
    );
    expect(sourceTextOf(report, SOURCE, onlyPassage(report))).to.include(VERBATIM.slice(0, 40));
  });

  it("the totals by match type add up to the score", () => {
    expect(report.match_types?.identical.matched_chars).to.be.closeTo(VERBATIM.length, 2);
    expect(report.match_types?.paraphrased.matched_chars).to.be.closeTo(REWORDED.length, 2);
    expect(sumOf(report, "matched_chars")).to.equal(report.total_matched_chars);
    expect(sumOf(report, "similarity_pct")).to.be.closeTo(report.overall_similarity_pct, 1e-9);
    expect(report.compared_chars).to.equal(report.char_count);
  });

  it("a filter by match type keeps the runs of this type", async () => {
    const identical = await engine.client.report(report.check_id, "?match_types=identical");
    expect(markedTexts(identical).map((text) => text.trim())).to.deep.equal([VERBATIM]);
    expect(onlyPassage(identical).match_type).to.equal("identical");
    expect(SOURCE.slice(onlyPassage(identical).source_document_start)).to.match(/^The first lamp/);
    expect(identical.match_types?.paraphrased.matched_chars).to.equal(0);
    expect(sumOf(identical, "similarity_pct")).to.be.closeTo(identical.overall_similarity_pct, 1e-9);
    const reworded = await engine.client.report(report.check_id, "?match_types=paraphrased");
    expect(markedTexts(reworded).map((text) => text.trim())).to.deep.equal([REWORDED]);
  });

  it("each character counts for the one source that explains it best, and stays its own when the other is deleted", async () => {
    const { document_id } = await engine.client.addDocument(
      "edited.txt",
      VERBATIM.replaceAll("tower", "lighthouse"),
      {
        language: "en",
      },
    );
    const both = await engine.client.checked(`${OWN}\n\n${VERBATIM}`, { language: "en" });
    expect(both.sources).to.have.length(2);
    const shares = both.sources.map((source) => source.exclusive_matched_chars);
    expect((shares[0] ?? 0) + (shares[1] ?? 0)).to.equal(both.total_matched_chars);
    const copied = both.sources.find(({ source_document_id: id }) => id !== document_id);
    expect(copied?.exclusive_matched_chars).to.be.closeTo(VERBATIM.length, 2);
    expect(both.match_types?.identical.matched_chars).to.equal(both.total_matched_chars);

    await engine.client.request(`/v1/corpus/documents/${copied?.source_document_id}`, { method: "DELETE" });
    const after = await engine.client.report(both.check_id);
    expect(after.match_types).to.deep.equal(both.match_types);
    expect(after.sources[0]?.exclusive_matched_chars).to.equal(
      both.sources.find(({ source_document_id: id }) => id === document_id)?.exclusive_matched_chars,
    );
  });

  it("excluded text leaves the compared characters, of which percentages are shares", async () => {
    const quoting = await engine.client.checked(`${OWN} “${VERBATIM}” ${REWORDED}`, { language: "en" });
    const filtered = await engine.client.report(quoting.check_id, "?exclude_quotes=true");
    expect(filtered.compared_chars).to.equal(quoting.char_count - VERBATIM.length - 2);
    expect(filtered.overall_similarity_pct).to.be.closeTo(
      (100 * filtered.total_matched_chars) / filtered.compared_chars,
      0.005,
    );
  });

  it("a passage neither begins nor ends with a sentence without a matched word", async () => {
    const edited = VERBATIM.replace("open", "iron").replace("voted", "asked").replace("nine", "seven");
    const greeting = await engine.client.checked(`Hello. ${edited} Bye.`, { language: "en" });
    expect(markedTexts(greeting).map((text) => text.trim())).to.deep.equal([edited]);
    const spaced = await engine.client.checked(`${edited}\n\nT h e\n\nEnd`, { language: "en" });
    expect(markedTexts(spaced).map((text) => text.trim())).to.deep.equal([edited]);
  });
});
