import { expect } from "chai";
import { pino } from "pino";
import { ConfigError } from "../../../src/platform/domain-error.ts";
import { type Corpus, type CorpusOptions, openCorpus } from "../../../src/service/connect-corpus.ts";
import { freshDatabase, freshPrefix, testStores } from "../../support/stores.ts";

/** Each would take the other's chunks for those of deleted documents. */
describe("two installations with the same index prefix", function () {
  this.timeout(120_000);
  const log = pino({ level: "silent" });
  let options: CorpusOptions;

  before(async () => {
    const { opensearchNodes } = await testStores();
    options = { databaseUrl: await freshDatabase(), opensearchNodes, opensearchIndexPrefix: freshPrefix() };
  });

  async function meta({ opensearch, indexVersions }: Corpus) {
    const { body } = await opensearch.indices.getMapping({ index: indexVersions.names.everyIndex });
    return Object.values(body).map(({ mappings }) => mappings._meta);
  }

  it("are refused when their databases differ; processes of one installation share the indices", async () => {
    const first = await openCorpus(options, log);
    try {
      const second = await openCorpus(options, log);
      expect(await meta(second)).to.deep.equal(await meta(first));
      await second.close();
      const others = await openCorpus({ ...options, databaseUrl: await freshDatabase() }, log).then(
        async (corpus) => {
          await corpus.close();
          return undefined;
        },
        (error: unknown) => error,
      );
      if (!(others instanceof ConfigError)) throw new Error(`not refused, but ${others}`);
      expect(others.message).to.match(/belongs to another database.+OPENSEARCH_INDEX_PREFIX/);
    } finally {
      await first.close();
    }
  });

  it("mark indices of earlier releases at the next start, and keep what is in the mapping", async () => {
    const first = await openCorpus(options, log);
    const [marked] = await meta(first);
    const { database_set_up, ...before } = marked ?? {};
    expect(database_set_up).to.match(/^\d{4}-\d\d-\d\d /);
    await first.opensearch.indices.putMapping({
      index: first.indexVersions.names.everyIndex,
      body: { _meta: before },
    });
    await first.close();
    const next = await openCorpus(options, log);
    expect(await meta(next)).to.deep.equal([marked]);
    await next.close();
  });
});
