import { expect } from "chai";
import { z } from "zod";
import { type CheckMetrics, MetricsIndex } from "../../../src/platform/opensearch/metrics-index.ts";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { freshPrefix, testStores } from "../../support/stores.ts";

const Hits = z.looseObject({
  hits: z.looseObject({
    hits: z.array(z.looseObject({ _id: z.string(), _source: z.record(z.string(), z.unknown()) })),
  }),
});

const CHECK: CheckMetrics = {
  checkId: "01a1fdf3-9c91-7723-b42e-04574ef854cd",
  status: "complete",
  coverage: "full",
  language: "en",
  wordCount: 900,
  charCount: 5_000,
  chunkCount: 6,
  similarityPct: 67.76,
  sources: 3,
  durationMs: 59,
  createdAt: new Date("2026-11-20T09:30:00.000Z"),
  completedAt: new Date("2026-11-20T09:30:01.000Z"),
};

describe("the indices of metrics", () => {
  const prefix = freshPrefix();
  const failures: unknown[] = [];
  let client: OpenSearch;
  let metrics: MetricsIndex;

  before(async function () {
    this.timeout(240_000);
    const { opensearchNodes } = await testStores();
    client = connectOpenSearch(opensearchNodes);
    metrics = new MetricsIndex(client, prefix, (error) => failures.push(error));
    await metrics.prepare();
  });
  after(() => client.close());
  beforeEach(() => failures.splice(0));

  it("are there with all their fields before anything is written, also when several processes make them", async () => {
    const other = new MetricsIndex(client, freshPrefix(), () => undefined);
    await Promise.all([other.prepare(), other.prepare(), metrics.prepare()]);
    const { body } = await client.indices.getMapping({ index: `${prefix}*` });
    expect(Object.keys(body).toSorted()).to.deep.equal(
      ["check-metrics", "corpus-metrics", "frequent-shingles"].map((name) => `${prefix}${name}`),
    );
    const fields = Object.keys(body[`${prefix}check-metrics`]?.mappings?.properties ?? {});
    expect(fields).to.have.members(Object.keys(written(CHECK)));
  });

  it("have templates that match no index of chunks", async () => {
    const { body } = await client.indices.getIndexTemplate({ name: `${prefix}*` });
    const patterns = body.index_templates.flatMap(({ index_template }) => index_template.index_patterns);
    expect(patterns).to.have.lengthOf(3);
    for (const pattern of patterns) expect(pattern).to.match(/^[^*]*-(metrics|shingles)$/);
  });

  it("hold one document for each check, however often it is written", async () => {
    const failed: CheckMetrics = {
      ...CHECK,
      checkId: "failed",
      status: "failed",
      coverage: null,
      similarityPct: null,
      sources: null,
    };
    for (const check of [CHECK, failed, CHECK]) await metrics.writeCheck(check);
    expect(failures).to.deep.equal([]);
    const found = await all("check-metrics", "check_id");
    expect(found.map(({ _source }) => _source)).to.deep.equal([written(CHECK), written(failed)]);
  });

  it("hold snapshots of the corpus with what is stored for each byte of text", async () => {
    const at = new Date("2026-11-21T00:00:00.000Z");
    const sizes = { documents: 2, chunks: 10, textBytes: 1_000, indexBytes: 400, postgresBytes: 600 };
    await metrics.writeCorpus({ at, ...sizes });
    await metrics.writeCorpus({ at, ...sizes });
    const empty = { documents: 0, chunks: 0, textBytes: 0, indexBytes: 200, postgresBytes: 300 };
    await metrics.writeCorpus({ at: new Date("2026-11-20T00:00:00.000Z"), ...empty });
    expect(failures).to.deep.equal([]);
    const found = await all("corpus-metrics", "at");
    expect(found.map(({ _source }) => _source.stored_per_text_byte)).to.deep.equal([null, 1]);
    expect(found[1]?._source).to.deep.include({ chunks: 10, text_bytes: 1_000, postgres_bytes: 600 });
  });

  it("replace a list of frequent shingles by the next one, also when that is shorter or empty", async () => {
    const list = (length: number, word: string) =>
      Array.from({ length }, (_, place) => ({
        term: `${word}${place}`,
        example: `${word} ${place}`,
        chunkCount: 5_000 - place,
        share: 1 / (place + 1),
      }));
    for (const [length, word] of [
      [2_300, "long"],
      [3, "short"],
      [0, "none"],
    ] as const) {
      await metrics.writeFrequentShingles(list(length, word), new Date());
      expect(failures).to.deep.equal([]);
      const terms = (await all("frequent-shingles", "rank")).map(({ _source }) => _source.term);
      expect(terms).to.deep.equal(list(length, word).map(({ term }) => term));
    }
  });

  it("tell of a write that OpenSearch refuses, and of one that does not reach it, and go on", async () => {
    await metrics.writeCheck({
      ...CHECK,
      checkId: "refused",
      wordCount: Number.NaN,
      language: "x".repeat(40_000),
    });
    await metrics.writeFrequentShingles([{ term: "x".repeat(40_000), chunkCount: 1, share: 1 }], new Date());
    const nowhere = connectOpenSearch(["http://127.0.0.1:1"]);
    const lost = new MetricsIndex(nowhere, prefix, (error) => failures.push(error));
    await lost.writeCheck(CHECK);
    await nowhere.close();
    expect(failures).to.have.lengthOf(3);
    for (const failure of failures) expect(failure).to.be.instanceOf(Error);
  });

  async function all(name: string, sort: string) {
    const index = `${prefix}${name}`;
    await client.indices.refresh({ index });
    const { body } = await client.search({ index, sort, size: 5_000 });
    return Hits.parse(body).hits.hits;
  }
});

/** As it stands in the index. */
function written(check: CheckMetrics) {
  return {
    check_id: check.checkId,
    status: check.status,
    coverage: check.coverage,
    language: check.language,
    word_count: check.wordCount,
    char_count: check.charCount,
    chunk_count: check.chunkCount,
    similarity_pct: check.similarityPct,
    sources: check.sources,
    duration_ms: check.durationMs,
    created_at: check.createdAt.toISOString(),
    completed_at: check.completedAt.toISOString(),
  };
}
