import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { recordFault } from "../../support/faults/fault-record.ts";
import { OwnCluster } from "../../support/processes/own-cluster.ts";
import { freshDatabase } from "../../support/stores.ts";
import { closeAfterTests, TriedService } from "./tried-service.ts";
import { CHECKS, UPLOADS } from "./workload.ts";

/** One request at a time and one that waits: a second check or upload is rejected. */
const POOLS = ["search", "get", "write"] as const;
const NARROW = POOLS.flatMap((pool) => [`thread_pool.${pool}.size: 1`, `thread_pool.${pool}.queue_size: 1`]);

/** Heap is always used to this share, so the parent breaker rejects whatever it may. */
const TRIPPED = "1%";
const TRIPPED_MS = 15_000;

const Stats = z.object({
  nodes: z.record(
    z.string(),
    z.looseObject({
      thread_pool: z.record(z.string(), z.looseObject({ rejected: z.int().optional() })),
      breakers: z.object({ parent: z.looseObject({ tripped: z.int() }) }),
    }),
  ),
});

describe(`an overloaded OpenSearch, with ${CHECKS} checks and ${UPLOADS} uploads under way`, function () {
  this.timeout(1_200_000);
  let cluster: OwnCluster;
  let opensearch: OpenSearch;
  let service: TriedService;

  before(async () => {
    cluster = await OwnCluster.open({ nodeCount: 1, settings: NARROW });
    const { opensearchNodes } = cluster;
    opensearch = connectOpenSearch(opensearchNodes);
    // The node has no other users, so that a template may match everything.
    await opensearch.indices.putIndexTemplate({
      name: "everything",
      body: {
        index_patterns: ["*"],
        priority: 500,
        template: { settings: { number_of_shards: 3, refresh_interval: "-1" }, mappings: { dynamic: false } },
      },
    });
    service = await TriedService.open({
      databaseUrl: await freshDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: "overloaded-",
    });
  });
  closeAfterTests(() => service);
  after(async () => {
    await opensearch?.close();
    await cluster?.close();
  });

  /** Requests that the node has rejected since its start. */
  async function rejections(): Promise<{ readonly pools: number; readonly breaker: number }> {
    const stats = Stats.parse(await cluster.ask("/_nodes/stats/thread_pool,breaker"));
    const [node] = Object.values(stats.nodes);
    const pools = POOLS.reduce((sum, pool) => sum + (node?.thread_pool[pool]?.rejected ?? 0), 0);
    return { pools, breaker: node?.breakers.parent.tripped ?? 0 };
  }

  it("that rejects requests, as its thread pools are full (429), changes no report and loses no upload", async () => {
    const before = (await rejections()).pools;
    const workload = service.newWorkload();
    const began = performance.now();
    workload.begin();
    await workload.end();
    const healSeconds = (performance.now() - began) / 1000;
    const rejected = (await rejections()).pools - before;
    expect(rejected).to.be.above(0);
    expect(workload.refusals).to.deep.equal([]);
    await workload.expectUnchanged(service.undisturbed);
    await service.expectTidy(workload, 0);
    recordFault({
      fault: "OpenSearch's thread pools are full (429)",
      under: `${CHECKS} checks, ${UPLOADS} uploads`,
      tries: 1,
      lost: 0,
      healSeconds,
      more: { rejected },
    });
  });

  it("whose circuit breaker rejects everything for a while is waited for", async () => {
    const workload = service.newWorkload();
    workload.begin();
    await sleep(500);
    await limitHeap(TRIPPED);
    await sleep(TRIPPED_MS);
    const { breaker } = await rejections();
    await limitHeap(null);
    const ended = performance.now();
    expect(breaker).to.be.above(0);
    await workload.end();
    const healSeconds = (performance.now() - ended) / 1000;
    expect(workload.refusals).to.deep.equal([]);
    await workload.expectUnchanged(service.undisturbed);
    await service.expectTidy(workload, 0);
    recordFault({
      fault: "OpenSearch's circuit breaker rejects requests",
      under: `${CHECKS} checks, ${UPLOADS} uploads`,
      tries: 1,
      lost: 0,
      healSeconds,
      more: { rejected: breaker },
    });
  });

  async function limitHeap(share: string | null): Promise<void> {
    await opensearch.cluster.putSettings({ body: { persistent: { "indices.breaker.total.limit": share } } });
  }
});
