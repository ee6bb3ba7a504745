import { expect } from "chai";
import fc from "fast-check";
import type { WireReport } from "../../support/client.ts";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { compare, expectComparisonLaws, type WireComparison } from "./comparison-laws.ts";

const HARBOUR = [
  "The pilots of the old harbour lived in a row of narrow houses below the customs office.",
  "Each of them had learned the channel from his father and kept the soundings in a leather book.",
  "When the sandbank moved after the storms of 1883, eleven of the books became worthless overnight.",
  "The council paid for new soundings, but only the youngest pilots agreed to write them down.",
  "Their chart is still in the museum, beside the brass lamp that marked the entrance.",
].join(" ");

const REWORDED = [
  "Below the customs office, the old harbour's pilots lived in narrow houses that stood in a row.",
  "Every pilot had learned the channel from his father, and he kept his soundings in a book of leather.",
  "After the storms of 1883 the sandbank moved, and overnight eleven of these books became worthless.",
].join(" ");

const GERMAN = [
  "Die Lotsen des alten Hafens wohnten in einer Reihe schmaler Häuser unterhalb des Zollamts.",
  "Jeder von ihnen hatte die Fahrrinne von seinem Vater gelernt und bewahrte die Lotungen in einem Lederbuch auf.",
  "Als sich die Sandbank nach den Stürmen von 1883 verschob, wurden elf der Bücher über Nacht wertlos.",
].join(" ");

const GERMAN_OWN = "Am Sonntag sind wir mit den Kindern ins Schwimmbad gefahren und haben dort Eis gegessen.";

const EDITED = HARBOUR.replace("narrow houses", "small houses")
  .replace("leather book", "leather notebook")
  .replace("brass lamp", "copper lamp");

/** What a report on one source and a comparison both say of a passage. */
function facts(passages: WireComparison["passages"] | WireReport["sources"][number]["passages"]) {
  return passages.map((passage) => ({
    query: [passage.query_start, passage.query_end],
    source: [passage.source_document_start, passage.source_document_end],
    match_type: passage.match_type,
    runs: passage.runs,
    meaning: passage.meaning,
  }));
}

describe("a comparison with a source, beside a check with that source in the corpus", function () {
  this.timeout(120_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });

  const around = (text: string, seed: number) => `${prose(seed, 60)}\n\n${text}\n\n${prose(seed + 1, 60)}`;
  const source = around(HARBOUR, 841);

  before(async () => {
    const { document_id } = await engine.client.addDocument("harbour.txt", source, { language: "en" });
    await engine.client.encoded([document_id]);
  });

  const cases = {
    verbatim: { text: around(HARBOUR, 851), language: "en", kinds: ["identical"] },
    edited: { text: around(EDITED, 853), language: "en", kinds: ["minor_changes"] },
    reworded: { text: around(REWORDED, 855), language: "en", kinds: ["paraphrased"] },
    translated: {
      text: `${GERMAN_OWN}\n\n${GERMAN}\n\n${GERMAN_OWN}`,
      language: "de",
      kinds: ["translated"],
    },
    "copied and translated": {
      text: `${GERMAN}\n\n${prose(857, 40)}\n\n${HARBOUR.slice(HARBOUR.indexOf("The council"))}`,
      language: "en",
      kinds: ["translated", "identical"],
    },
  };

  it("finds the same passages: a long text with all of them", async () => {
    const parts = [HARBOUR, EDITED, REWORDED, GERMAN].flatMap((text, at) => [prose(861 + at, 300), text]);
    const text = `${parts.join("\n\n")}\n\n${prose(869, 300)}`;
    const report = await engine.client.checked(text, { language: "en" });
    const comparison = await compare(engine.client, text, source, { language: "en", source_language: "en" });
    expectComparisonLaws(comparison);
    expect(comparison.passages.length).to.be.at.least(3);
    expect(facts(comparison.passages)).to.deep.equal(facts(report.sources[0]?.passages ?? []));
  });

  for (const [name, { text, language, kinds }] of Object.entries(cases)) {
    it(`finds the same passages: ${name}`, async () => {
      const report = await engine.client.checked(text, { language });
      const comparison = await compare(engine.client, text, source, { language, source_language: "en" });
      expectComparisonLaws(comparison);
      expect(comparison.passages.map(({ match_type }) => match_type)).to.deep.equal(kinds);
      expect(facts(comparison.passages)).to.deep.equal(facts(report.sources[0]?.passages ?? []));
      // In one case, most of the text is in English.
      for (const { meaning } of comparison.passages.filter(({ match_type }) => match_type === "translated"))
        expect(meaning).to.include({ query_language: "de", source_language: "en" });
      expect(comparison.query.overall_similarity_pct).to.equal(report.overall_similarity_pct);
      expect(comparison.query.match_types).to.deep.equal(report.match_types);
      expect(comparison.query.unique_passages).to.deep.equal(report.unique_passages);
      expect(comparison).to.include({ semantic_coverage: "full", semantic_coverage_reason: null });
    });
  }

  it("needs no encoder when words have found everything, and says when a text has no sentence", async () => {
    expect((await compare(engine.client, HARBOUR, HARBOUR)).semantic_coverage).to.equal("full");
    expect(await compare(engine.client, "Contents", HARBOUR)).to.include({
      semantic_coverage: "none",
      semantic_coverage_reason: "no_sentences",
    });
  });

  it("obeys the laws of offsets for texts that are pieced together at random", async () => {
    const piece = fc.oneof(
      fc.constantFrom(HARBOUR, EDITED, REWORDED, GERMAN, GERMAN_OWN),
      fc.integer({ min: 900, max: 910 }).map((seed) => prose(seed, 40)),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    );
    const text = fc
      .array(piece, { minLength: 1, maxLength: 6 })
      .map((pieces) => pieces.join("\n\n").replaceAll("\0", "").toWellFormed())
      .filter((one) => one !== "");
    const law = fc.asyncProperty(
      text,
      text,
      fc.constantFrom("code_point", "utf16"),
      async (one, other, unit) => {
        const query = `?offset_unit=${unit}`;
        expectComparisonLaws(await compare(engine.client, one, other, { query }));
      },
    );
    await fc.assert(law, { seed: 17, numRuns: 40 });
  });
});
