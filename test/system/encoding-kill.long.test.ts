import { expect } from "chai";
import { pino } from "pino";
import { openCorpus } from "../../src/service/connect-corpus.ts";
import { verifyAll } from "../corpus/upkeep/damaged-corpus.ts";
import { useEncoderFiles } from "../support/encoder.ts";
import { MetricsText } from "../support/metrics-text.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";
import { untilTrue } from "./faults/workload.ts";

const DOCUMENTS = 6;
const WORDS = 3_000;

/** The connections to this database, but for the asking one, that are at work or within a transaction. */
const BUSY = `select 1 from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'`;

describe("a kill while the sentences of the corpus are encoded", function () {
  this.timeout(600_000);
  useEncoderFiles();

  it("loses nothing, and repeats at most what was not stored yet", async () => {
    const { opensearchNodes } = await testStores();
    const options = {
      databaseUrl: await freshDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: freshPrefix(),
    };
    const environment = {
      DATABASE_URL: options.databaseUrl,
      OPENSEARCH_URL: opensearchNodes.join(","),
      OPENSEARCH_INDEX_PREFIX: options.opensearchIndexPrefix,
      LOG_LEVEL: "warn",
    };
    const corpus = await openCorpus(options, pino({ level: "silent" }));
    const storedSentences = async () => {
      const [row] = await corpus.database.query<{ sum: number }>(
        "select coalesce(sum(sentence_count), 0)::int as sum from semantic_sections",
      );
      return row?.sum ?? 0;
    };
    let service = await ServiceProcess.start(environment);
    try {
      const ids: string[] = [];
      for (let at = 0; at < DOCUMENTS; at += 1)
        ids.push((await service.client.addDocument(`${at}.txt`, prose(at, WORDS))).document_id);
      await untilTrue(async () => (await storedSentences()) > 128);
      await service.end("SIGKILL");
      // PostgreSQL ends what the killed process has begun a moment later.
      await untilTrue(async () => (await corpus.database.query(BUSY)).length === 0);
      const before = await storedSentences();
      expect((await corpus.meaning.progress(corpus.database)).waiting).to.be.above(0);

      service = await ServiceProcess.start(environment);
      await service.client.encoded(ids);
      const metrics = new MetricsText(await (await service.client.request("/metrics")).text());
      const encodedAfter = metrics.sum("similarity_sentences_encoded_total", {});
      expect(encodedAfter).to.equal((await storedSentences()) - before);
      expect(encodedAfter).to.be.above(0);

      const { agrees, sampled, faults, meaning } = await verifyAll(corpus);
      expect({ agrees, sampled, faults }).to.deep.equal({ agrees: true, sampled: DOCUMENTS, faults: [] });
      expect(meaning).to.deep.equal({ encoded: DOCUMENTS, waiting: 0, lacking: 0 });
    } finally {
      await service.end("SIGKILL");
      await corpus.close();
    }
  });
});
