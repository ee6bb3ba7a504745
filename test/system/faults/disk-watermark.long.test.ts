import { expect } from "chai";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { recordFault } from "../../support/faults/fault-record.ts";
import { OwnStores } from "../../support/processes/own-stores.ts";
import { closeAfterTests, TriedService } from "./tried-service.ts";
import { CHECKS, UPLOADS, untilTrue } from "./workload.ts";

const PREFIX = "full-";
const TRIES = 3;

/** OpenSearch looks at its disks this often, at least. */
const LOOK = "10s";

/** Every disk holds more than this share; with the defaults, none of a machine on which tests can run is over. */
const OVER = "1%";

describe(`a disk over OpenSearch's flood stage, with ${CHECKS} checks and ${UPLOADS} uploads under way`, function () {
  this.timeout(1_200_000);
  let stores: OwnStores;
  let opensearch: OpenSearch;
  let service: TriedService;

  before(async () => {
    stores = await OwnStores.open();
    const { databaseUrl, opensearchNodes } = stores;
    opensearch = connectOpenSearch(opensearchNodes);
    service = await TriedService.open({ databaseUrl, opensearchNodes, opensearchIndexPrefix: PREFIX });
  });
  closeAfterTests(() => service);
  after(async () => {
    await opensearch?.close();
    await stores?.close();
  });

  it("has uploads wait and checks go on; once the disk has room, all of it comes right by itself", async () => {
    let healSeconds = 0;
    for (let number = 1; number <= TRIES; number += 1) {
      await floodStage(OVER);
      await untilTrue(isBlocked);
      const workload = service.newWorkload();
      workload.begin();
      // OpenSearch has refused writes, while checks are done as ever.
      await untilTrue(async () => (await metric(/bulk_retries_total\{reason="item_rejected"\} (\d+)/)) > 0);
      for (const path of ["/health", "/ready", "/v1/checks"])
        expect((await service.client.request(path)).status).to.equal(200);
      expect(await isBlocked()).to.equal(true);
      await floodStage(null);
      await untilTrue(async () => !(await isBlocked()));
      const ended = performance.now();
      await workload.end();
      healSeconds = Math.max(healSeconds, (performance.now() - ended) / 1000);
      expect(workload.refusals).to.deep.equal([]);
      await workload.expectUnchanged(service.undisturbed);
      await service.expectTidy(workload, 0);
    }
    recordFault({
      fault: "the disk is over OpenSearch's flood stage",
      under: `${CHECKS} checks, ${UPLOADS} uploads`,
      tries: TRIES,
      lost: 0,
      healSeconds,
    });
  });

  async function floodStage(share: string | null): Promise<void> {
    const watermarks = Object.fromEntries(
      ["low", "high", "flood_stage"].map((name) => [
        `cluster.routing.allocation.disk.watermark.${name}`,
        share,
      ]),
    );
    await opensearch.cluster.putSettings({
      body: { persistent: { ...watermarks, "cluster.info.update.interval": LOOK } },
    });
  }

  async function isBlocked(): Promise<boolean> {
    const { body } = await opensearch.indices.getSettings({
      index: `${PREFIX}chunks-v1`,
      flat_settings: true,
    });
    return JSON.stringify(body).includes('"index.blocks.read_only_allow_delete":"true"');
  }

  async function metric(line: RegExp): Promise<number> {
    const text = await (await service.client.request("/metrics")).text();
    return Number(line.exec(text)?.[1] ?? 0);
  }
});
