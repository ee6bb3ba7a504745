import { expect } from "chai";
import { v7 as uuidv7 } from "uuid";
import type { WireDocument, WireReport } from "../../support/client.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { expectReportLaws, markedTexts, onlyPassage, onlySource, sourceTextOf } from "./report-laws.ts";

describe("reports over HTTP", () => {
  const engine = useEngine();
  const copied = prose(11, 60);
  const source = `${prose(12, 40)} ${copied} ${prose(13, 40)}`;
  const query = `${prose(14, 50)} ${copied} ${prose(15, 50)}`;
  let document: WireDocument;
  let emptyCorpus: WireReport;
  let report: WireReport;

  before(async () => {
    emptyCorpus = await engine.client.checked("Nothing stands in the corpus yet.");
    document = await engine.client.addDocument("Röhren & co.txt", source, {
      title: "About pipes",
      source_url: "https://example.org/pipes?a=1",
    });
    report = await engine.client.checked(query, { title: "Essay", language: "DE" });
  });

  describe("specification 2.2: Report", () => {
    it("derives overall_similarity_pct from total_matched_chars and the length of query_text", () => {
      expectReportLaws(report);
      expect(report.overall_similarity_pct).to.be.within(20, 60);
    });

    it("counts in total_matched_chars the lengths of the intervals in unique_passages", () => {
      expect(markedTexts(report)).to.deep.equal([copied]);
      expect(report.total_matched_chars).to.equal(copied.length);
    });

    it("carries the submitted text, its word count and the seconds the check took", async () => {
      expect(report.query_text).to.equal(query);
      expect(report.word_count).to.equal(160);
      const { started_at, completed_at } = await engine.client.check(report.check_id);
      const seconds = (Date.parse(completed_at ?? "") - Date.parse(started_at ?? "")) / 1000;
      expect(report.duration_seconds).to.be.greaterThan(0).and.closeTo(seconds, 0.0015);
    });

    it("has one entry in sources for each matched corpus document", () => {
      expect(onlySource(report)).to.deep.include({
        source_document_id: document.document_id,
        matched_chars: copied.length,
        similarity_pct: report.overall_similarity_pct,
      });
    });

    it("names a source by its file name, title and URL; the URL is null for a document without one", async () => {
      expect(onlySource(report)).to.deep.include({
        source_filename: "Röhren & co.txt",
        title: "About pipes",
        source_url: "https://example.org/pipes?a=1",
        document_url: `/v1/corpus/documents/${document.document_id}`,
      });
      const text = prose(16, 30);
      await engine.client.addDocument("plain.txt", text);
      expect(onlySource(await engine.client.checked(text))).to.deep.include({
        source_url: null,
        title: "plain",
      });
    });

    it("gives a passage offsets on both sides, a match type and a preview of the source", () => {
      const passage = onlyPassage(report);
      const start = query.indexOf(copied);
      expect(passage).to.deep.equal({
        query_start: start,
        query_end: start + copied.length,
        source_chunk_index: 0,
        source_start: source.indexOf(copied),
        source_end: source.indexOf(copied) + copied.length,
        source_document_start: source.indexOf(copied),
        source_document_end: source.indexOf(copied) + copied.length,
        match_type: "identical",
        runs: [
          {
            query_start: start,
            query_end: start + copied.length,
            source_document_start: source.indexOf(copied),
            source_document_end: source.indexOf(copied) + copied.length,
            match_type: "identical",
          },
        ],
        overlap_text_preview: passage.overlap_text_preview,
        meaning: null,
        note: null,
        match_group: "neither",
      });
      expect(sourceTextOf(report, source, passage)).to.equal(copied);
    });

    it("previews at most 200 characters of the matched source text", () => {
      const { overlap_text_preview: preview } = onlyPassage(report);
      expect(copied.length).to.be.greaterThan(250);
      expect(preview.length).to.be.within(150, 200);
      expect(copied.startsWith(preview.replace(/…$/u, ""))).to.equal(true);
    });

    it("says for a fully checked text: coverage full, no reason, all chunks checked", () => {
      expect(report).to.deep.include({ coverage: "full", coverage_reason: null });
      expect(report.checked_chunks).to.equal(report.total_chunks).and.to.be.greaterThan(0);
    });

    it("tells in corpus_sources how many documents the check ran against", () => {
      expect(emptyCorpus.corpus_sources).to.equal(0);
      expect(report.corpus_sources).to.equal(1);
    });

    it("is 0 with empty lists when nothing is matched", () => {
      expect(emptyCorpus).to.deep.include({
        overall_similarity_pct: 0,
        total_matched_chars: 0,
        sources: [],
        unique_passages: [],
        coverage: "full",
        coverage_reason: null,
      });
      expectReportLaws(emptyCorpus);
    });

    it("rule 1: each unique passage overlaps a passage of a source, and each passage lies in one", () => {
      for (const [start = 0, end = 0] of report.unique_passages) {
        const related = report.sources.filter(({ passages }) =>
          passages.some((passage) => passage.query_start < end && passage.query_end > start),
        );
        expect(related).to.have.lengthOf(1);
      }
    });

    it("gives the same report for the same text again", async () => {
      const again = await engine.client.checked(query, { title: "Essay", language: "de" });
      const first = await engine.client.report(report.check_id);
      const timeless = {
        check_id: "",
        created_at: "",
        completed_at: "",
        duration_seconds: 0,
        corpus_sources: 0,
        documents_pending: 0,
      };
      expect({ ...again, ...timeless }).to.deep.equal({ ...first, ...timeless });
    });
  });

  describe("specification 4.1 and 7: GET /v1/checks/{id}/report", () => {
    it("is 409 until the check is complete, also when it has failed", async () => {
      for (const [status, error] of [
        ["pending", null],
        ["running", null],
        ["failed", "It broke."],
      ] as const) {
        const checkId = await insertCheck(status, error);
        const response = await engine.client.request(`/v1/checks/${checkId}/report`);
        await expectProblem(response, 409, "check-not-complete");
        await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
      }
    });

    it("is 404 for an unknown, a deleted and a malformed identifier", async () => {
      const deleted = await engine.client.submit("A check that goes at once.");
      await engine.client.request(`/v1/checks/${deleted}`, { method: "DELETE" });
      for (const checkId of [uuidv7(), deleted, "1", "not-a-uuid", `${report.check_id}0`]) {
        const response = await engine.client.request(`/v1/checks/${checkId}/report`);
        await expectProblem(response, 404, "check-not-found");
      }
    });

    it("finds a check by its identifier in capitals as well", async () => {
      expect((await engine.client.report(report.check_id.toUpperCase())).check_id).to.equal(report.check_id);
    });
  });

  describe("decisions, Engine: checks: the report also has", () => {
    it("check_id, title, language, offset_unit, char_count, created_at and completed_at, and null filters", async () => {
      const check = await engine.client.check(report.check_id);
      expect(report).to.deep.include({
        check_id: check.check_id,
        title: "Essay",
        language: "de",
        offset_unit: "code_point",
        char_count: query.length,
        created_at: check.created_at,
        completed_at: check.completed_at,
        notes: [],
        filters: null,
        integrity_flags: [],
      });
      expect(report.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it("has the title of the day: a renamed check shows its new one, an unnamed one null", async () => {
      const checkId = await engine.client.submit("Some text that nobody wrote before.");
      await engine.client.ended(checkId);
      expect((await engine.client.report(checkId)).title).to.equal(null);
      await engine.client.json("PATCH", `/v1/checks/${checkId}`, { title: "Named" });
      expect((await engine.client.report(checkId)).title).to.equal("Named");
    });

    it("agrees with the check's metadata", async () => {
      const check = await engine.client.check(report.check_id);
      expect(check).to.deep.include({
        overall_similarity_pct: report.overall_similarity_pct,
        char_count: report.char_count,
        word_count: report.word_count,
        coverage: report.coverage,
        chunks_done: report.checked_chunks,
        chunks_total: report.total_chunks,
      });
    });
  });

  async function insertCheck(status: string, error: string | null): Promise<string> {
    const checkId = uuidv7();
    await engine.database.query(
      `insert into checks (check_id, status, language, language_origin, page_margins, template_spans, query_text, query_text_preview,
         char_count, word_count, error_message)
       values ($1, $2, 'en', 'stated', '{}', '{}', 'Some text.', 'Some text.', 10, 2, $3)`,
      [checkId, status, error],
    );
    return checkId;
  }
});
