import { expect } from "chai";
import type { WireReport } from "../../support/client.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { expectReportLaws, onlyPassage, onlySource, textAt } from "./report-laws.ts";

const COPIED = prose(21, 60);
/** What the query and a document that is not in the report begin with: too little to be reuse. */
const OPENING = prose(22, 5).slice(0, -1);
const OWN = prose(23, 40);
const QUERY = `${OPENING} ${OWN} 🎻 “${COPIED}”`;

describe("reports: explain=true", () => {
  const engine = useEngine();
  let sourceId: string;
  let nearId: string;
  let checkId: string;

  before(async () => {
    const source = await engine.client.addDocument("source.txt", `${prose(24, 300)} 🎻 ${COPIED}`);
    const near = await engine.client.addDocument("near.txt", `${OPENING} ${prose(25, 60)}`, {
      title: "Near",
    });
    [sourceId, nearId] = [source.document_id, near.document_id];
    checkId = await engine.client.submit(QUERY);
    await engine.client.ended(checkId);
  });

  const explained = (more = "") => engine.client.report(checkId, `?explain=true${more}`);

  it("is off by default: a report then says nothing of it, and all else is the same", async () => {
    const plain = await engine.client.report(checkId);
    expect(JSON.stringify(plain)).not.to.include('"explanation"');
    expect(await engine.client.report(checkId, "?explain=false")).to.deep.equal(plain);
    const report = await explained();
    expectReportLaws(report);
    expect(withoutExplanations(report)).to.deep.equal(plain);
    expect(report.filters).to.equal(null);
  });

  it("says of each source by which chunks and terms it was retrieved", async () => {
    const source = onlySource(await explained());
    expect(source.source_document_id).to.equal(sourceId);
    const { hits = [], hit_count: hitCount } = source.explanation ?? {};
    expect(hits).to.not.have.lengthOf(0);
    expect(hitCount).to.be.at.least(hits.length);
    for (const hit of hits) {
      expect(hit.query_chunk_index).to.equal(0);
      expect(hit.shared_shingles + hit.shared_terms).to.be.above(0);
    }
    expect(hits[0]?.source_chunk_index).to.equal(onlyPassage(await explained()).source_chunk_index);
  });

  it("says of each passage what speaks for it", async () => {
    const { explanation } = onlyPassage(await explained());
    expect(explanation).to.deep.include({ matched_words: 60, similarity: 1 });
    expect(explanation?.seeds).to.be.at.least(1);
    expect(explanation?.score).to.be.above(0);
  });

  it("names the candidates that are not in the report, with the matches that were dropped and why", async () => {
    const report = await explained();
    expect(report.explanation?.candidate_count).to.equal(2);
    const [near, ...others] = report.explanation?.unreported_candidates ?? [];
    expect(others).to.deep.equal([]);
    expect(near).to.deep.include({ source_document_id: nearId, title: "Near" });
    expect(near?.explanation.hit_count).to.equal(1);
    const [match] = near?.explanation.dropped_matches ?? [];
    expect(match?.matched_words).to.equal(5);
    expect(near?.explanation.dropped_counts).to.deep.equal({ [match?.reason ?? ""]: 1 });
    expect(textAt("code_point", QUERY, match?.query_start ?? 0, match?.query_end ?? 0)).to.equal(OPENING);
    expect([match?.source_document_start, match?.source_document_end]).to.deep.equal([0, OPENING.length]);
  });

  it("counts in the unit asked for", async () => {
    const quoted = "&exclude_quotes=true";
    const [inCodePoints] = (await explained(quoted)).explanation?.filtered_out ?? [];
    const [inUnits] = (await explained(`${quoted}&offset_unit=utf16`)).explanation?.filtered_out ?? [];
    const text = `${COPIED}”`;
    expect(
      textAt("code_point", QUERY, inCodePoints?.query_start ?? 0, inCodePoints?.query_end ?? 0),
    ).to.equal(text);
    expect(QUERY.slice(inUnits?.query_start, inUnits?.query_end)).to.equal(text);
  });

  it("says what the filters of the request left out, each passage with its filter", async () => {
    const filters = {
      exclude_quotes: "true",
      exclude_sources: sourceId,
      min_words: "200",
      match_types: "paraphrased",
    };
    for (const [filter, value] of Object.entries(filters)) {
      const report = await explained(`&${filter}=${value}`);
      expect(report.sources, filter).to.deep.equal([]);
      expect(
        report.explanation?.filtered_out.map((part) => [part.source_document_id, part.filter]),
      ).to.deep.equal([[sourceId, filter]]);
    }
    expect((await explained()).explanation?.filtered_out).to.deep.equal([]);
  });

  it("takes true and false only", async () => {
    const response = await engine.client.request(`/v1/checks/${checkId}/report?explain=why`);
    await expectProblem(response, 422, "invalid-input", ["explain"]);
  });

  it("forgets documents that have left the corpus, and goes with its check", async () => {
    const gone = await engine.client.addDocument("gone.txt", `${OPENING} ${prose(26, 60)}`);
    const check = await engine.client.submit(QUERY);
    await engine.client.ended(check);
    const ids = async () =>
      (await engine.client.report(check, "?explain=true")).explanation?.unreported_candidates.map(
        ({ source_document_id }) => source_document_id,
      );
    expect(await ids()).to.have.members([nearId, gone.document_id]);
    await engine.client.request(`/v1/corpus/documents/${gone.document_id}`, { method: "DELETE" });
    expect(await ids()).to.deep.equal([nearId]);

    const count = async () => {
      const sql = "select 1 from report_explanations where check_id = $1";
      return (await engine.database.query(sql, [check])).length;
    };
    expect(await count()).to.equal(1);
    await engine.client.request(`/v1/checks/${check}`, { method: "DELETE" });
    expect(await count()).to.equal(0);
  });
});

function withoutExplanations({ explanation: _, ...report }: WireReport): WireReport {
  return {
    ...report,
    sources: report.sources.map(({ explanation: _of, ...source }) => ({
      ...source,
      passages: source.passages.map(
        ({ explanation: _why, acknowledgement: _acknowledged, ...passage }) => passage,
      ),
    })),
  };
}
