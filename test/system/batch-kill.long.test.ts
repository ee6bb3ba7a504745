import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { BatchClient, pairNames, type WireBatchReport } from "../batches/batch-client.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const MEMBERS = 60;
const RINGS = 6;

describe("a kill while a batch is read or compared", function () {
  this.timeout(400_000);

  it("gives the same pairs as without it, each once", async () => {
    const { opensearchNodes } = await testStores();
    const environment = {
      DATABASE_URL: await freshDatabase(),
      OPENSEARCH_URL: opensearchNodes.join(","),
      OPENSEARCH_INDEX_PREFIX: freshPrefix(),
      SEMANTIC: "off",
      LOG_LEVEL: "warn",
    };
    const members = Array.from({ length: MEMBERS }, (_, at) => ({
      name: `m${String(at).padStart(2, "0")}`,
      text: `${prose(100 + at, 250)} ${prose(at % RINGS, at % 2 === 0 ? 80 : 60)}`,
    }));
    let service = await ServiceProcess.start(environment);
    const batches = new BatchClient(() => service.client);
    try {
      const batchId = await batches.submit(members);
      for (const isReached of [
        ({ members_read }: Progress) => members_read > 0,
        ({ members_compared }: Progress) => members_compared > 5,
      ]) {
        while (!isReached(await batches.batch(batchId))) await sleep(20);
        await service.end("SIGKILL");
        service = await ServiceProcess.start(environment);
      }
      const killed = await batches.ended(batchId);
      expect(killed).to.include({ status: "complete", members_compared: MEMBERS, members_failed: 0 });
      const undisturbed = await batches.compared(members);
      expect(undisturbed.report.pairs_total).to.be.above(MEMBERS);
      const report = await batches.report(batchId, "?limit=1000");
      const other = await batches.report(undisturbed.batch.batch_id, "?limit=1000");
      expect(pairNames(report)).to.deep.equal(pairNames(other));
      expect(new Set(pairNames(report)).size).to.equal(report.pairs_total);
      expect(figures(report)).to.deep.equal(figures(other));
    } finally {
      await service.end("SIGKILL");
    }
  });
});

type Progress = { readonly members_read: number; readonly members_compared: number };

function figures({ pairs }: WireBatchReport): string[] {
  return pairs.map(({ a, b }) => `${a.name} ${a.matched_chars} ${b.name} ${b.matched_chars}`).toSorted();
}
