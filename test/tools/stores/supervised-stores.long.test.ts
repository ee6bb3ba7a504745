import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { composeAnswers } from "../../../tools/stores/compose.ts";
import { isAlive, type StoreProcess } from "../../../tools/stores/daemon.ts";
import { openStores, type Stores } from "../../../tools/stores/open-stores.ts";
import { readStoreRecord } from "../../../tools/stores/store-record.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { prose } from "../../support/work/prose.ts";

/** OpenSearch starts several times, on a machine that may do other work. */
const TIMEOUT_MS = 10 * 60_000;

/** Submitted before each kill. */
const CHECKS = 6;

/** Longer than the first wait before a restart. */
const NO_RESTART_MS = 3_000;

const STORES = [
  ["postgres", "PostgreSQL"],
  ["opensearch", "OpenSearch"],
] as const;

describe("embedded stores of a service and of a second process", function () {
  this.timeout(TIMEOUT_MS);
  let dataDir = "";
  let service: ServiceProcess;
  let second: Stores | undefined;
  const said: string[] = [];

  const recordFile = () => join(dataDir, "stores.json");
  const running = (store: "postgres" | "opensearch"): StoreProcess => {
    const process = readStoreRecord(recordFile())[store];
    return process ?? expect.fail(`${store} is not recorded`);
  };
  /** Lines of both processes since `from`. */
  const lines = (from = { service: 0, second: 0 }) => [
    ...service.output.slice(from.service),
    ...said.slice(from.second),
  ];
  const now = () => ({ service: service.output.length, second: said.length });
  const isReady = async () => (await service.client.request("/ready").catch(() => undefined))?.status === 200;

  before(async function () {
    // Where Docker answers, the stores are its containers, which it restarts.
    if (await composeAnswers()) this.skip();
    dataDir = mkdtempSync(join(tmpdir(), "supervised-stores-"));
    chmodSync(dataDir, 0o755);
    service = await ServiceProcess.start({
      DATA_DIR: dataDir,
      OPENSEARCH_HEAP: "512m",
      ROLES: "engine,worker",
      SEMANTIC: "off",
    });
    second = await openStores({ dataDir, opensearchHeap: "512m", say: (line) => void said.push(line) });
    await service.client.addDocument("source.txt", prose(1, 200));
  });

  after(async () => {
    await service?.end("SIGTERM");
    await second?.stop();
    if (dataDir !== "") rmSync(dataDir, { recursive: true, force: true });
  });

  for (const [store, title] of STORES) {
    it(`${title} that is killed is started again by one of them, at its address, and no check is lost`, async () => {
      const killed = running(store);
      const { ports } = readStoreRecord(recordFile());
      const from = now();
      const checkIds: string[] = [];
      for (let at = 0; at < CHECKS; at += 1) {
        checkIds.push(await service.client.submit(`${prose(1, 200)} ${prose(100 + at, 400)}`));
      }
      process.kill(killed.pid, "SIGKILL");
      while (isAlive(killed) || !isAlive(running(store)) || !(await isReady())) await sleep(100);
      for (const checkId of checkIds) {
        while ((await service.client.check(checkId)).status !== "complete") await sleep(100);
        const { coverage, sources } = await service.client.report(checkId);
        expect([coverage, sources.length]).to.deep.equal(["full", 1]);
      }
      const told = new RegExp(`^${title} \\(process ${killed.pid}\\) ended unexpectedly by SIGKILL`);
      // The other one need not have looked before the store ran again.
      expect(
        lines(from).some((line) => told.test(line)),
        "says so",
      ).to.equal(true);
      expect(
        lines(from).filter((line) => line === `Starting the embedded ${title}`),
        "started once",
      ).to.have.lengthOf(1);
      expect(readStoreRecord(recordFile()).ports).to.deep.equal(ports);
    });
  }

  it("PostgreSQL that keeps ending is started again after growing waits, with its own words, until it stays", async () => {
    const elsewhere = join(dataDir, "stores-elsewhere");
    const root = existsSync(elsewhere) ? readFileSync(elsewhere, "utf8").trim() : dataDir;
    const settings = join(root, "postgres", "data", "postgresql.auto.conf");
    const good = readFileSync(settings, "utf8");
    const killed = running("postgres");
    const from = now();
    appendFileSync(settings, "no_such_setting = 1\n");
    process.kill(killed.pid, "SIGKILL");
    const waits = () =>
      service.output
        .slice(from.service)
        .flatMap((line) => /^Starting PostgreSQL again in (\d+) s$/.exec(line)?.[1] ?? []);
    while (waits().length < 4) await sleep(100);
    const shown = waits().map(Number);
    expect(shown).to.deep.equal(shown.toSorted((a, b) => a - b));
    expect(new Set(shown)).to.have.lengthOf(shown.length);
    expect(lines(from).join("\n")).to.match(/unrecognized configuration parameter "no_such_setting"/);
    writeFileSync(settings, good);
    while (!isAlive(running("postgres")) || !(await isReady())) await sleep(100);
  });

  it("that their last user has left are not started again", async () => {
    const processes = STORES.map(([store]) => running(store));
    const from = now();
    expect(await service.end("SIGTERM")).to.equal(0);
    expect(processes.map(isAlive)).to.deep.equal([true, true]);
    await second?.stop();
    await sleep(NO_RESTART_MS);
    expect(processes.map(isAlive)).to.deep.equal([false, false]);
    expect(readStoreRecord(recordFile())).to.deep.include({ users: [], postgres: null, opensearch: null });
    expect(lines(from).filter((line) => /ended unexpectedly|^Starting/.test(line))).to.deep.equal([]);
  });
});
