import { expect } from "chai";
import { pino } from "pino";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { addTexts, LICENCE, NOTICE, ownText } from "../../corpus/index/boilerplate-corpus.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import {
  expectReportLaws,
  markedTexts,
  onlyPassage,
  onlySource,
  sourceTextOf,
} from "../reports/report-laws.ts";

/** So that a corpus of a test is large enough. */
const DOCUMENTS_MIN = 10;

/** 12 documents that begin and end with what all of them have. */
const TEXTS = [...Array(12).keys()].map((number) => `${NOTICE} ${ownText(number)} ${LICENCE}`);

/** The text with one word in so many replaced by a new one. */
function edited(text: string, every: number): string {
  return text
    .split(" ")
    .map((word, at) => (at % every === every - 1 ? `new${at}` : word))
    .join(" ");
}

describe("checks against a corpus with boilerplate", () => {
  const engine = useEngine();
  let corpus: Corpus;
  let documentIds: string[];

  before(async () => {
    corpus = await openCorpus(engine.options, pino({ level: "silent" }));
    documentIds = await addTexts(corpus, TEXTS);
  });
  after(() => corpus?.close());

  it("reports what many documents share while nothing was measured", async () => {
    const report = await engine.client.checked(`${prose(1, 60)} ${LICENCE} ${prose(2, 60)}`);
    expect(markedTexts(report)).to.deep.equal([LICENCE]);
    expect(report.sources).to.have.lengthOf(TEXTS.length);
  });

  describe("after they were measured, while the service runs", () => {
    before(() => corpus.measureFrequencies({ documentsMin: DOCUMENTS_MIN, say: () => {} }));

    it("reports none of it, and has checked all of the text", async () => {
      for (const phrase of [LICENCE, NOTICE, edited(LICENCE, 15)]) {
        const report = await engine.client.checked(`${prose(1, 60)} ${phrase} ${prose(2, 60)}`);
        expectReportLaws(report);
        expect(report).to.deep.include({ sources: [], overall_similarity_pct: 0, coverage: "full" });
        expect(report.checked_chunks).to.equal(report.total_chunks);
      }
    });

    it("finds a copied passage whole that begins, ends or stands between them, in the one document that has it", async () => {
      const own = ownText(3);
      for (const copy of [`${NOTICE} ${own}`, `${own} ${LICENCE}`, TEXTS[3] ?? ""]) {
        const report = await engine.client.checked(`${prose(3, 60)} ${copy} ${prose(4, 60)}`);
        expectReportLaws(report);
        expect(markedTexts(report)).to.deep.equal([copy]);
        expect(onlySource(report).source_document_id).to.equal(documentIds[3]);
        expect(onlyPassage(report).match_type).to.equal("identical");
      }
    });

    it("finds it with small edits as well, from its beginning to its end", async () => {
      const copy = edited(TEXTS[5] ?? "", 9);
      const report = await engine.client.checked(`${prose(5, 60)} ${copy} ${prose(6, 60)}`);
      expect(onlySource(report).source_document_id).to.equal(documentIds[5]);
      const passage = onlyPassage(report);
      expect(passage.match_type).to.equal("minor_changes");
      const marked = markedTexts(report)[0] ?? "";
      expect(marked.length).to.be.greaterThan(0.95 * copy.length);
      expect(sourceTextOf(report, TEXTS[5] ?? "", passage).length).to.be.greaterThan(0.95 * copy.length);
    });

    it("gives a document that contains them 100.00 against itself, in one passage", async () => {
      const long = [...Array(6).keys()].map((number) => `${prose(50 + number, 150)} ${LICENCE}`).join(" ");
      await addTexts(corpus, [long]);
      for (const text of [TEXTS[0] ?? "", long]) {
        const report = await engine.client.checked(text);
        expect(report.overall_similarity_pct).to.equal(100);
        expect(onlyPassage(report)).to.deep.include({ query_start: 0, query_end: text.length });
      }
    });

    it("reports nothing of a text that consists of nothing else, and calls it checked", async () => {
      for (const text of [LICENCE, NOTICE, Array(8).fill(LICENCE).join(" ")]) {
        const checkId = await engine.client.submit(text);
        const check = await engine.client.ended(checkId);
        expect(check).to.deep.include({ status: "complete", overall_similarity_pct: 0, coverage: "full" });
        expect(check.chunks_done).to.equal(check.chunks_total);
        const report = await engine.client.report(checkId);
        expect([report.sources, report.checked_chunks]).to.deep.equal([[], report.total_chunks]);
      }
    });

    it("finds all of a document that has nothing else for many chunks in its middle", async () => {
      const middle = Array(40).fill(LICENCE).join(" ");
      const text = `${prose(70, 180)} ${middle} ${prose(71, 180)}`;
      await addTexts(corpus, [text]);
      const report = await engine.client.checked(text);
      expect(report.overall_similarity_pct).to.equal(100);
      expect(onlySource(report).passages).to.have.lengthOf(1);
    });

    it("reports it again when a new measurement no longer finds it frequent", async () => {
      await corpus.measureFrequencies({ documentsMin: 1_000, say: () => {} });
      const report = await engine.client.checked(`${prose(1, 60)} ${LICENCE} ${prose(2, 60)}`);
      expect(markedTexts(report)).to.deep.equal([LICENCE]);
    });
  });
});
