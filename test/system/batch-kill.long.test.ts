import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import { connectOpenSearch } from "../../src/platform/opensearch/opensearch.ts";
import { BatchClient, pairNames, type WireBatchReport } from "../batches/batch-client.ts";
import { OwnStores, type Store } from "../support/processes/own-stores.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { prose } from "../support/work/prose.ts";

const MEMBERS = 60;
const RINGS = 6;
const PREFIX = "killed-";

/** A restart of OpenSearch takes 10 s on a machine with nothing else to do, and two minutes on a busy one. */
const TEST_TIMEOUT_MS = 900_000;

const Progress = z.looseObject({ members_read: z.int(), members_compared: z.int() });

type Progress = z.output<typeof Progress>;

/** What is killed, and at which moment of a batch. */
const KILLS: readonly { readonly what: Store | "service"; readonly at: (progress: Progress) => boolean }[] = [
  { what: "service", at: ({ members_read }) => members_read > 0 },
  { what: "opensearch", at: ({ members_read }) => members_read > 0 },
  { what: "opensearch", at: ({ members_compared }) => members_compared > 5 },
  { what: "postgres", at: ({ members_compared }) => members_compared > 10 },
  { what: "service", at: ({ members_compared }) => members_compared > 15 },
];

describe("a kill of the service or of a store while a batch is read or compared", function () {
  this.timeout(TEST_TIMEOUT_MS);
  let stores: OwnStores;
  let service: ServiceProcess;
  let undisturbed: WireBatchReport;
  const batches = new BatchClient(() => service.client);
  const members = Array.from({ length: MEMBERS }, (_, at) => ({
    name: `m${String(at).padStart(2, "0")}`,
    text: `${prose(100 + at, 250)} ${prose(at % RINGS, at % 2 === 0 ? 80 : 60)}`,
  }));

  before(async () => {
    stores = await OwnStores.open();
    service = await ServiceProcess.start(environment());
    undisturbed = (await batches.compared(members)).report;
  });
  after(async () => {
    await service?.end("SIGKILL");
    await stores?.close();
  });

  it("gives the same pairs as without them, each once", async () => {
    const batchId = await batches.submit(members);
    for (const { what, at } of KILLS) {
      await until(batchId, at);
      await killAndStart(what);
    }
    await until(batchId, ({ members_compared }) => members_compared === MEMBERS);
    expect(await batches.ended(batchId)).to.include({ status: "complete", members_failed: 0 });
    const report = await batches.report(batchId, "?limit=1000");
    expect(report.pairs_total).to.be.above(MEMBERS);
    expect(new Set(pairNames(report)).size).to.equal(report.pairs_total);
    const expected = await batches.report(undisturbed.batch_id, "?limit=1000");
    expect(pairNames(report)).to.deep.equal(pairNames(expected));
    expect(figures(report)).to.deep.equal(figures(expected));
  });

  it("leaves nothing of a deleted batch in the index", async () => {
    const batchId = await batches.submit(members);
    await until(batchId, ({ members_compared }) => members_compared > 5);
    const deleted = await service.client.request(`/v1/batches/${batchId}`, { method: "DELETE" });
    expect(deleted.status).to.equal(204);
    await killAndStart("opensearch");
    await killAndStart("service");
    const opensearch = connectOpenSearch(stores.opensearchNodes);
    const index = `${PREFIX}member-chunks-read`;
    const query = { term: { batch_id: batchId } };
    try {
      for (let left = 1; left > 0; await sleep(500)) {
        await opensearch.indices.refresh({ index });
        left = (await opensearch.count({ index, body: { query } })).body.count;
      }
    } finally {
      await opensearch.close();
    }
  });

  function environment() {
    return {
      DATABASE_URL: stores.databaseUrl,
      OPENSEARCH_URL: stores.opensearchNodes.join(","),
      OPENSEARCH_INDEX_PREFIX: PREFIX,
      SEMANTIC: "off",
      LOG_LEVEL: "warn",
    };
  }

  async function killAndStart(what: Store | "service"): Promise<void> {
    if (what !== "service") {
      await stores.kill(what);
      await stores.start(what);
      return;
    }
    await service.end("SIGKILL");
    service = await ServiceProcess.start(environment());
  }

  /** Waits through an outage: while a store is away, the service answers 503. */
  async function until(batchId: string, isReached: (progress: Progress) => boolean): Promise<void> {
    for (;;) {
      const response = await service.client.request(`/v1/batches/${batchId}`);
      if (response.status !== 503 && isReached(Progress.parse(await response.json()))) return;
      await sleep(20);
    }
  }
});

function figures({ pairs }: WireBatchReport): string[] {
  return pairs.map(({ a, b }) => `${a.name} ${a.matched_chars} ${b.name} ${b.matched_chars}`).toSorted();
}
