import { expect } from "chai";
import { z } from "zod";
import { MetricsIndex } from "../../../src/platform/opensearch/metrics-index.ts";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { freshPrefix, testStores } from "../../support/stores.ts";

const Hits = z.looseObject({
  hits: z.looseObject({
    hits: z.array(z.looseObject({ _id: z.string(), _source: z.record(z.string(), z.unknown()) })),
  }),
});

const CHECK = {
  check_id: "01a1fdf3-9c91-7723-b42e-04574ef854cd",
  status: "complete",
  coverage: "full",
  semantic_coverage: "partial",
  language: "en",
  word_count: 900,
  char_count: 5_000,
  chunk_count: 6,
  similarity_pct: 67.76,
  sources: 3,
  match_types: ["identical", "paraphrased"],
  duration_ms: 59,
  created_at: "2026-11-20T09:30:00.000Z",
  completed_at: "2026-11-20T09:30:01.000Z",
};

describe("the indices of metrics", () => {
  const prefix = freshPrefix();
  const failures: unknown[] = [];
  let client: OpenSearch;
  let checks: MetricsIndex;

  const indexOf = (name: string, at = prefix, opensearch = client) =>
    new MetricsIndex(opensearch, at, name, (error) => failures.push(error));

  before(async function () {
    this.timeout(240_000);
    const { opensearchNodes } = await testStores();
    client = connectOpenSearch(opensearchNodes);
    checks = indexOf("check-metrics");
    for (const index of [checks, indexOf("corpus-metrics")]) await index.prepare();
  });
  after(() => client.close());
  beforeEach(() => failures.splice(0));

  it("have all their fields before the first write, even if several processes create them", async () => {
    const other = indexOf("check-metrics", freshPrefix());
    await Promise.all([other.prepare(), other.prepare(), checks.prepare()]);
    const { body } = await client.indices.getMapping({ index: `${prefix}*` });
    expect(Object.keys(body).toSorted()).to.deep.equal(
      ["check-metrics", "corpus-metrics"].map((name) => `${prefix}${name}`),
    );
    const fields = Object.keys(body[`${prefix}check-metrics`]?.mappings?.properties ?? {});
    expect(fields).to.have.members(Object.keys(CHECK));
  });

  it("have templates that match no index of chunks", async () => {
    const { body } = await client.indices.getIndexTemplate({ name: `${prefix}*` });
    const patterns = body.index_templates.flatMap(({ index_template }) => index_template.index_patterns);
    expect(patterns).to.have.lengthOf(2);
    for (const pattern of patterns) expect(pattern).to.match(/^[^*]*-metrics$/);
  });

  it("contain one document for each id, however often it is written", async () => {
    const failed = { ...CHECK, check_id: "failed", status: "failed", coverage: null, similarity_pct: null };
    for (const check of [CHECK, failed, CHECK]) await checks.write(check.check_id, check);
    expect(failures).to.deep.equal([]);
    const found = await all("check-metrics", "check_id");
    expect(found.map(({ _source }) => _source)).to.deep.equal([CHECK, failed]);
  });

  it("report writes that are refused or do not reach OpenSearch, and continue", async () => {
    await checks.write("refused", { ...CHECK, check_id: "refused", language: "x".repeat(40_000) });
    const nowhere = connectOpenSearch(["http://127.0.0.1:1"]);
    await indexOf("check-metrics", prefix, nowhere).write("lost", CHECK);
    await nowhere.close();
    expect(failures).to.have.lengthOf(2);
    for (const failure of failures) expect(failure).to.be.instanceOf(Error);
  });

  async function all(name: string, sort: string) {
    const index = `${prefix}${name}`;
    await client.indices.refresh({ index });
    const { body } = await client.search({ index, sort, size: 5_000 });
    return Hits.parse(body).hits.hits;
  }
});
