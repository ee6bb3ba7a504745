import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { recordFault } from "../../support/faults/fault-record.ts";
import { OwnCluster } from "../../support/processes/own-cluster.ts";
import { freshDatabase } from "../../support/stores.ts";
import { closeAfterTests, TriedService } from "../faults/tried-service.ts";
import { CHECKS, UPLOADS } from "../faults/workload.ts";

const Shards = z.array(z.looseObject({ node: z.string().nullable() }));

describe("a node of a cluster that is drained and shut down", function () {
  this.timeout(1_800_000);
  let cluster: OwnCluster;
  let opensearch: OpenSearch;
  let service: TriedService;

  before(async () => {
    cluster = await OwnCluster.open();
    const { opensearchNodes } = cluster;
    opensearch = connectOpenSearch(opensearchNodes);
    service = await TriedService.open({
      databaseUrl: await freshDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: "drained-",
      indexShards: 3,
      indexReplicas: 1,
    });
  });
  closeAfterTests(() => service);
  after(async () => {
    await opensearch?.close();
    await cluster?.close();
  });

  async function exclude(name: string | null): Promise<void> {
    const persistent = { "cluster.routing.allocation.exclude._name": name };
    await opensearch.cluster.putSettings({ body: { persistent } });
  }

  async function shardsOn(name: string): Promise<number> {
    const shards = Shards.parse(await cluster.ask("/_cat/shards?format=json&h=node"));
    // While a shard moves, both nodes are named.
    return shards.filter(({ node }) => node?.startsWith(name)).length;
  }

  it("loses nothing and fails no check, while its shards move and after it is gone", async () => {
    await cluster.untilWhole();
    const manager = await cluster.manager();
    const victim = cluster.names.find((name) => name !== manager) ?? "";
    expect(await shardsOn(victim)).to.be.above(0);
    const workload = service.newWorkload();
    workload.begin();
    const began = performance.now();
    await exclude(victim);
    while ((await shardsOn(victim)) > 0) await sleep(200);
    const drainSeconds = (performance.now() - began) / 1000;
    await cluster.kill(victim);
    const killed = performance.now();
    await workload.end();
    const healSeconds = (performance.now() - killed) / 1000;
    expect(workload.refusals).to.deep.equal([]);
    await workload.expectUnchanged(service.undisturbed);
    await service.expectTidy(workload, 0);
    expect((await service.client.request("/ready")).status).to.equal(200);
    // Nothing was on the node, so all copies are there without it.
    await cluster.untilWhole();

    await cluster.startKilled();
    await exclude(null);
    await cluster.untilWhole();
    await service.expectTidy(workload, 0);
    recordFault({
      fault: "a node is drained and killed (SIGKILL)",
      under: `${CHECKS} checks, ${UPLOADS} uploads`,
      tries: 1,
      lost: 0,
      healSeconds,
      more: { "drained after (s)": drainSeconds },
    });
  });
});
