import { type ExecFileException, execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { StatisticsStore } from "../../src/statistics/read-model/statistics-store.ts";
import { childEnvironment } from "../support/processes/child-environment.ts";
import { freshDatabase } from "../support/stores.ts";

const SCRIPTS = join(import.meta.dirname, "..", "..", "scripts");

const COUNTS = "dimension,key,year,publications,publications_fractional";

type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string };

describe("decisions, Running it: the commands that load the statistics", function () {
  this.timeout(120_000);
  const store = new StatisticsStore();
  let databaseUrl: string;
  let database: Database;
  let folder: string;

  before(async function () {
    this.timeout(240_000);
    databaseUrl = await freshDatabase("statistics_load");
    database = new Database(databaseUrl, pino({ level: "silent" }));
    folder = await mkdtemp(join(tmpdir(), "statistics-"));
  });
  after(async () => {
    await database?.close();
    await rm(folder, { recursive: true });
  });

  /** Run where the files are, as npm tells by INIT_CWD. */
  function run(script: string, ...args: readonly string[]): Promise<Ended> {
    const env = childEnvironment({ DATABASE_URL: databaseUrl, INIT_CWD: folder, LOG_LEVEL: "warn" });
    return new Promise((resolve) => {
      const ended = (error: ExecFileException | null, stdout: string, stderr: string) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      execFile(process.execPath, [join(SCRIPTS, `${script}.ts`), ...args], { env }, ended);
    });
  }

  it("say how they are used", async () => {
    const none = await run("statistics/load");
    expect(none.status).to.equal(2);
    expect(none.stderr).to.match(/^Which file\? .*--retractions/);
    const missing = await run("statistics/load", "--works", "nowhere.jsonl");
    expect(missing.status).to.equal(2);
    expect(missing.stderr).to.match(/^--works: there is no file nowhere\.jsonl/);
    const help = await run("statistics/load", "--help");
    expect(help.status).to.equal(0);
    expect(help.stdout).to.match(/^Usage: npm run statistics:load/);
  });

  it("load the synthetic set into an empty database", async () => {
    const { status, stdout } = await run("statistics/demo");
    expect(status).to.equal(0);
    expect(stdout).to.match(/^Dataset demo-[0-9a-f]+ is loaded/);
    expect((await store.dataset(database)).isDemo).to.equal(true);
  });

  it("put real data in its place, and say what they did in one line of JSON", async () => {
    await writeFile(join(folder, "P.csv"), `${COUNTS}\ncountry,DE,2015,70000,50000\n`);
    const { status, stdout, stderr } = await run("statistics/load", "--publications", "P.csv", "--json");
    expect(status, stderr).to.equal(0);
    const { isDemo, datasetVersion, revision } = await store.dataset(database);
    expect(isDemo).to.equal(false);
    expect(JSON.parse(stdout)).to.deep.include({
      dataset_version: datasetVersion,
      revision,
      loaded: [{ part: "publications", notes: ["1 count of publications, of 2015 to 2015"] }],
      unchanged: [],
    });
  });

  it("change nothing for a malformed file, and name its file, row and column", async () => {
    const before = await store.dataset(database);
    await writeFile(join(folder, "broken.csv"), `${COUNTS}\ncountry,DE,2015,70000,1\ncountry,FR,20155,1,1\n`);
    const { status, stdout, stderr } = await run("statistics/load", "--publications", "broken.csv", "--json");
    expect(status).to.equal(1);
    expect(stdout).to.equal("");
    expect(stderr).to.contain('broken.csv, row 3, column year: must be a year, not "20155".');
    expect(await store.dataset(database)).to.deep.equal(before);
  });

  it("remove no real data for synthetic ones unless they are told to", async () => {
    const refused = await run("statistics/demo");
    expect(refused.status).to.equal(1);
    expect(refused.stderr).to.match(/Real data are loaded .*--replace/);
    expect((await store.dataset(database)).isDemo).to.equal(false);
    expect((await run("statistics/demo", "--replace")).status).to.equal(0);
    expect((await store.dataset(database)).isDemo).to.equal(true);
  });
});
