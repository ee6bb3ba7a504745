import { expect } from "chai";
import { pino } from "pino";
import { z } from "zod";
import { ConfigError } from "../../../src/platform/domain-error.ts";
import { openCorpus } from "../../../src/service/connect-corpus.ts";
import { BatchClient } from "../../batches/batch-client.ts";
import { EngineClient } from "../../support/client.ts";
import { OwnCluster } from "../../support/processes/own-cluster.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { prose } from "../../support/work/prose.ts";

const PREFIX = "similarity-zones-";

const Settings = z.record(
  z.string(),
  z.looseObject({ settings: z.looseObject({ index: z.looseObject({ number_of_replicas: z.string() }) }) }),
);

describe("a cluster of three zones that spreads copies evenly", function () {
  this.timeout(1_200_000);
  let cluster: OwnCluster;

  before(async () => {
    cluster = await OwnCluster.open({ zoned: true });
  });
  after(() => cluster?.close());

  function start(indexReplicas: number): Promise<TestService> {
    const { opensearchNodes } = cluster;
    return startTestService({ opensearchNodes, opensearchIndexPrefix: PREFIX, indexReplicas });
  }

  /** The replicas of all indices of the service. */
  async function replicas(): Promise<Record<string, string>> {
    const answer = Settings.parse(await cluster.ask(`/${PREFIX}*/_settings`));
    return Object.fromEntries(
      Object.entries(answer).map(([name, { settings }]) => [
        name.slice(PREFIX.length),
        settings.index.number_of_replicas,
      ]),
    );
  }

  it("refuses the default number of replicas with a message that names the setting", async () => {
    const failure = await start(1).then(
      async (service) => {
        await service.stop();
        return expect.fail("it started");
      },
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(ConfigError);
    expect(failure)
      .to.have.property("message")
      .that.matches(/3 zones: set INDEX_REPLICAS=2\./);
  });

  it("needs INDEX_REPLICAS=2 alone: all indices have a copy in each zone, after a rebuild as well", async () => {
    const service = await start(2);
    try {
      const client = new EngineClient(service.base);
      const text = prose(970, 300);
      await client.addDocument("source.txt", text);
      expect((await client.checked(text)).coverage).to.equal("full");
      const { batch } = await new BatchClient(() => client).compared([
        { name: "a", text: prose(971, 100) },
        { name: "b", text: prose(971, 90) },
      ]);
      expect(batch.members_failed).to.equal(0);
      await cluster.untilWhole();
      expect(await replicas()).to.deep.equal({
        "chunks-v1": "2",
        "member-chunks-v1": "2",
        "check-metrics": "2",
        "corpus-metrics": "2",
      });

      const corpus = await openCorpus(service.options, pino({ level: "silent" }));
      try {
        await corpus.rebuildIndex({ dropOld: false, restart: false, say: () => undefined });
      } finally {
        await corpus.close();
      }
      await cluster.untilWhole();
      expect((await replicas())["chunks-v2"]).to.equal("2");
      const report = await client.checked(text);
      expect([report.coverage, report.overall_similarity_pct]).to.deep.equal(["full", 100]);
    } finally {
      await service.stop();
    }
    // Another start finds everything, and an index of another number of replicas is brought in line.
    await (await start(2)).stop();
  });
});
