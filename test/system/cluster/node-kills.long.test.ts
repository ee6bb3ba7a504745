import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { recordFault } from "../../support/faults/fault-record.ts";
import { corpusEnvironment } from "../../support/processes/corpus-environment.ts";
import { OwnCluster } from "../../support/processes/own-cluster.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { freshDatabase } from "../../support/stores.ts";
import { mulberry32, prose } from "../../support/work/prose.ts";
import { closeAfterTests, TriedService } from "../faults/tried-service.ts";
import { CHECKS, findings, SOURCE_TEXTS, UPLOADS } from "../faults/workload.ts";
import { IngestProcess } from "../ingest-process.ts";

const KILLS = Number(process.env.FAULT_NODE_KILLS ?? 3);

/** A node needs one to two minutes to start beside others on two busy cores, and then gets its copies. */
const TRY_TIMEOUT_MS = 1_200_000;

const FILES = 60;
const FILE_WORDS = 600;

/** Of a check whose shard does not come back: long enough for some searches, short enough for the test. */
const BUDGET_SECONDS = 5;

type Victim = { readonly name: string; readonly isManager: boolean };

const VICTIMS: readonly Victim[] = [
  { name: "a node of three", isManager: false },
  { name: "the node that manages the cluster", isManager: true },
];

describe(`a cluster of three nodes, with ${CHECKS} checks, ${UPLOADS} uploads and an ingest of ${FILES} files under way`, function () {
  this.timeout(TRY_TIMEOUT_MS * KILLS);
  const random = mulberry32(9);
  let cluster: OwnCluster;
  let service: TriedService;
  let folder: string;
  let ingested = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "similarity-ingested-"));
    cluster = await OwnCluster.open();
    const databaseUrl = await freshDatabase();
    const { opensearchNodes } = cluster;
    const layout = { indexShards: 3, indexReplicas: 1 };
    service = await TriedService.open({
      databaseUrl,
      opensearchNodes,
      opensearchIndexPrefix: "nodes-",
      ...layout,
    });
  });
  closeAfterTests(() => service);
  after(async () => {
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const { name, isManager } of VICTIMS) {
    it(`loses nothing and fails no check when ${name} is killed, and is whole again when it is back`, async () => {
      let [healSeconds, wholeSeconds] = [0, 0];
      for (let number = 1; number <= KILLS; number += 1) {
        await cluster.untilWhole();
        const manager = await cluster.manager();
        const others = cluster.names.filter((one) => one !== manager);
        const victim = isManager ? manager : (others[number % others.length] ?? "");
        await addFiles();
        const ingest = new IngestProcess([folder, "--json"], corpusEnvironment(service.options));
        const workload = service.newWorkload();
        workload.begin();
        // In the middle of it: later workloads are done sooner than the first, undisturbed one.
        await sleep((random() * service.undisturbedMs) / 3);
        await cluster.kill(victim);
        const killed = performance.now();
        await workload.end();
        expect(await ingest.ended(), ingest.stderr).to.equal(0);
        healSeconds = Math.max(healSeconds, (performance.now() - killed) / 1000);
        expect(ingest.result).to.include({ added: FILES, unchanged: ingested - FILES, failed: 0 });
        // All of this without the node. Each report says that the whole corpus was searched, as the undisturbed one does.
        expect(workload.refusals).to.deep.equal([]);
        await workload.expectUnchanged(service.undisturbed);
        await service.expectTidy(workload, 0, ingested);
        expect((await service.client.request("/ready")).status).to.equal(200);

        await cluster.startKilled();
        const back = performance.now();
        await cluster.untilWhole();
        wholeSeconds = Math.max(wholeSeconds, (performance.now() - back) / 1000);
        await service.expectTidy(workload, 0, ingested);
      }
      recordFault({
        fault: `${name} is killed (SIGKILL)`,
        under: `${CHECKS} checks, ${UPLOADS} uploads, an ingest of ${FILES} files`,
        tries: KILLS,
        lost: 0,
        healSeconds,
        more: {
          "all copies made after its return (s)": wholeSeconds,
          "undisturbed (s)": service.undisturbedMs / 1000,
        },
      });
    });
  }

  it("without copies, never says that all was searched while the node is away, and does so when it is back", async () => {
    await cluster.untilWhole();
    const options = {
      databaseUrl: await freshDatabase(),
      opensearchNodes: cluster.opensearchNodes,
      opensearchIndexPrefix: "alone-",
      indexShards: 3,
      indexReplicas: 0,
    };
    const alone = await ServiceProcess.start({
      ...corpusEnvironment(options),
      CHECK_TIME_BUDGET_SECONDS: String(BUDGET_SECONDS),
      ROLES: "engine,worker",
      LOG_LEVEL: "fatal",
    });
    try {
      const { client } = alone;
      for (const [at, text] of SOURCE_TEXTS.entries()) await client.addDocument(`source-${at}.txt`, text);
      const text = SOURCE_TEXTS.map((source) => source.slice(0, 900)).join(" ");
      const known = await client.checked(text);
      expect([known.coverage, known.sources.length]).to.deep.equal(["full", SOURCE_TEXTS.length]);

      const manager = await cluster.manager();
      const victim = cluster.names.find((one) => one !== manager) ?? "";
      await cluster.kill(victim);
      const checkIds = await Promise.all([text, text].map((one) => client.submit(one)));
      await sleep((BUDGET_SECONDS + 10) * 1_000);
      for (const checkId of checkIds) {
        const { status } = await client.check(checkId);
        expect(status).to.be.oneOf(["pending", "running", "complete"]);
        if (status !== "complete") continue;
        const { coverage, checked_chunks, total_chunks } = await client.report(checkId);
        expect([coverage, checked_chunks < total_chunks]).to.deep.equal(["partial", true]);
      }
      await cluster.startKilled();
      for (const checkId of checkIds) expect((await client.ended(checkId)).status).to.equal("complete");
      const again = await client.checked(text);
      expect(findings(again)).to.deep.equal(findings(known));
    } finally {
      await alone.end("SIGKILL");
    }
  });

  async function addFiles(): Promise<void> {
    for (let number = 0; number < FILES; number += 1) {
      const text = prose(900_000 + ingested, FILE_WORDS);
      await writeFile(join(folder, `${ingested}.txt`), text);
      ingested += 1;
    }
  }
});
