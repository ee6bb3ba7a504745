import { expect } from "chai";
import { pino } from "pino";
import { ConfigError } from "../../../src/platform/domain-error.ts";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { type CorpusOptions, openCorpus } from "../../../src/service/connect-corpus.ts";
import { EngineClient } from "../../support/client.ts";
import { startTestService } from "../../support/service.ts";
import { freshDatabase, freshPrefix, testStores } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";

/** What no index of the service could work with. */
const CONFLICTING = {
  settings: { number_of_shards: 3, refresh_interval: "-1", default_pipeline: "no-such-pipeline" },
  mappings: {
    dynamic: false,
    _source: { enabled: false },
    properties: { document_id: { type: "text" }, fingerprint: { type: "integer" }, status: { type: "text" } },
  },
} as const;

/** Templates match all indices of one service instead of `*`, as other tests use the same OpenSearch. */
describe("a foreign index template that matches the service's indices", function () {
  this.timeout(120_000);
  const name = freshPrefix();
  let options: CorpusOptions;
  let opensearch: OpenSearch;

  beforeEach(async () => {
    const { opensearchNodes } = await testStores();
    options = {
      databaseUrl: await freshDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: freshPrefix(),
    };
    opensearch = connectOpenSearch(opensearchNodes);
  });
  afterEach(async () => {
    await opensearch.indices.deleteIndexTemplate({ name });
    await opensearch.close();
  });

  async function putForeign(priority: number): Promise<void> {
    const index_patterns = [`${options.opensearchIndexPrefix}*`];
    await opensearch.indices.putIndexTemplate({
      name,
      body: { index_patterns, priority, template: CONFLICTING },
    });
  }

  async function startFailure(): Promise<Error> {
    const failure = await openCorpus(options, pino({ level: "silent" })).then(
      async (corpus) => {
        await corpus.close();
        return expect.fail("it started");
      },
      (error: unknown) => error,
    );
    if (!(failure instanceof ConfigError)) throw failure;
    return failure;
  }

  for (const priority of [0, 500]) {
    it(`changes nothing with priority ${priority}`, async () => {
      await putForeign(priority);
      const service = await startTestService(options);
      try {
        const client = new EngineClient(service.base);
        const text = prose(70 + priority, 300);
        await client.addDocument("a.txt", text);
        const { coverage, overall_similarity_pct } = await client.checked(text);
        expect([coverage, overall_similarity_pct]).to.deep.equal(["full", 100]);
      } finally {
        await service.stop();
      }
    });
  }

  it("with the same priority is named, as OpenSearch rejects the service's", async () => {
    await putForeign(1_200);
    const { message } = await startFailure();
    expect(message).to.include(`because ${name} has the same priority (1200)`);
    expect(message).to.match(/Give \S+ another priority, below 1200/);
  });

  it("with a higher priority stops the start, which leaves no index of it behind", async () => {
    await putForeign(2_000);
    const { message } = await startFailure();
    expect(message).to.match(/created \S+chunks-v1 from a foreign index template/);
    expect(message).to.include("GET /_index_template");
    const { body } = await opensearch.indices.get({ index: `${options.opensearchIndexPrefix}*chunks-v*` });
    expect(Object.keys(body)).to.deep.equal([]);
    // And the start succeeds once the advice is followed.
    await putForeign(500);
    await (await openCorpus(options, pino({ level: "silent" }))).close();
  });
});
