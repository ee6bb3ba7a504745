import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import type { CorpusOptions } from "../../../src/service/connect-corpus.ts";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { addTexts } from "../../corpus/upkeep/damaged-corpus.ts";
import { agrees, chunksInNext, rebuiltWork, roles, runCommand } from "../../corpus/upkeep/rebuild-runs.ts";
import { recordFault } from "../../support/faults/fault-record.ts";
import { corpusEnvironment } from "../../support/processes/corpus-environment.ts";
import { OwnCluster } from "../../support/processes/own-cluster.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { freshDatabase } from "../../support/stores.ts";
import { RepeatedWork } from "../../support/work/repeated-work.ts";
import { findings } from "../faults/workload.ts";

const BATCH = 100;

/** The node is killed when the new index has about as many of them. */
const CHUNKS_BEFORE_KILL = 600;

const CHECKS_AT_ONCE = 2;
const SHARDS = 2;
const NEW_SHARDS = 3;

describe("a rebuild on a cluster of three nodes, while checks go on", function () {
  this.timeout(900_000);
  let cluster: OwnCluster;
  let options: CorpusOptions;
  let corpus: Corpus;
  let service: ServiceProcess;
  const { texts, queries } = rebuiltWork();

  before(async () => {
    cluster = await OwnCluster.open();
    options = {
      databaseUrl: await freshDatabase(),
      opensearchNodes: cluster.opensearchNodes,
      opensearchIndexPrefix: "rolling-",
      indexShards: SHARDS,
    };
    corpus = await openCorpus(options, pino({ level: "silent" }));
    for (let from = 0; from < texts.length; from += BATCH)
      await addTexts(corpus, texts.slice(from, from + BATCH));
    await cluster.untilWhole();
    service = await ServiceProcess.start({ ...corpusEnvironment(options), LOG_LEVEL: "warn" });
  });
  after(async () => {
    await service?.end("SIGTERM");
    await corpus?.close();
    await cluster?.close();
  });

  it("gives the next index the shards that are set now", async () => {
    await rebuildUnderChecks({ ...options, indexShards: NEW_SHARDS }, 2, () => Promise.resolve());
    expect((await corpus.indexVersions.list()).map(({ shards }) => shards)).to.deep.equal([NEW_SHARDS]);
  });

  for (const [victim, number] of [
    ["a node", 3],
    ["the manager", 4],
  ] as const) {
    it(`goes on when ${victim} is killed, and is not waited for`, async () => {
      const manager = await cluster.manager();
      const name = victim === "a node" ? cluster.names.find((one) => one !== manager) : manager;
      const seconds = await rebuildUnderChecks({ ...options, indexShards: NEW_SHARDS }, number, async () => {
        while ((await chunksInNext(corpus).catch(() => 0)) < CHUNKS_BEFORE_KILL) await sleep(50);
        await cluster.kill(name ?? "");
      });
      recordFault({
        fault: `${victim} of a cluster is killed (SIGKILL) in a rebuild`,
        under: `${CHECKS_AT_ONCE} checks at once, ${texts.length} documents`,
        tries: 1,
        lost: 0,
        healSeconds: seconds,
      });
      await cluster.startKilled();
      await cluster.untilWhole();
      expect(await agrees(corpus)).to.equal(true);
    });
  }

  /** Gives the seconds from the end of `disturb` to that of the rebuild. */
  async function rebuildUnderChecks(
    wanted: CorpusOptions,
    number: number,
    disturb: () => Promise<void>,
  ): Promise<number> {
    const { client } = service;
    const known = await Promise.all(queries.map((text) => client.checked(text)));
    for (const { coverage, sources } of known)
      expect([coverage, sources.length]).to.deep.equal(["full", queries.length]);
    const work = new RepeatedWork();
    let checks = 0;
    for (let checker = 0; checker < CHECKS_AT_ONCE; checker += 1) {
      work.repeat(async (round) => {
        const at = (checker + round) % queries.length;
        const report = await client.checked(queries[at] ?? "");
        const before = known[at];
        expect(findings(report)).to.deep.equal(before && findings(before));
        checks += 1;
      });
    }
    const rebuild = runCommand("corpus/rebuild", ["--drop-old", "--json"], wanted).ended;
    await disturb();
    const disturbed = performance.now();
    const { status, stdout, stderr } = await rebuild;
    const seconds = (performance.now() - disturbed) / 1000;
    await work.end();
    expect(status, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.include({ index: `${options.opensearchIndexPrefix}chunks-v${number}` });
    expect(checks, "checks that ended meanwhile").to.be.above(3);
    expect(await roles(corpus)).to.deep.equal({ current: [number] });
    expect(await agrees(corpus)).to.equal(true);
    return seconds;
  }
});
