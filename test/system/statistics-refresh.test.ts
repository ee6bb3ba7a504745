import { type ExecFileException, execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { SixSources } from "../statistics/refresh/six-sources.ts";
import { childEnvironment } from "../support/processes/child-environment.ts";
import { type SourceServer, startSource } from "../support/servers/source-server.ts";
import { freshDatabase } from "../support/stores.ts";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "statistics", "refresh.ts");

type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string };

describe("the command that refreshes the statistics", function () {
  this.timeout(120_000);
  const sources = new SixSources();
  let server: SourceServer;
  let databaseUrl: string;
  let dataDir: string;

  before(async function () {
    this.timeout(240_000);
    databaseUrl = await freshDatabase("statistics_refresh");
    dataDir = await mkdtemp(join(tmpdir(), "refreshed-"));
    server = await startSource((question) => sources.reply(question));
    const mirrors = {
      retractionWatchUrl: `${server.base}/retraction_watch.csv`,
      openalexUrl: `${server.base}/openalex`,
      rorDumpUrl: `${server.base}/zenodo/records/1`,
      wikipediaApiUrl: `${server.base}/w/api.php`,
      gdeltUrl: `${server.base}/gdelt`,
    };
    await writeFile(join(dataDir, "sources.json"), JSON.stringify(mirrors));
  });
  after(async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true });
  });

  function environment() {
    return childEnvironment({
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: "warn" },
      STATISTICS_SOURCES: join(dataDir, "sources.json"),
      CONTACT: "ops@example.org",
    });
  }

  function run(...args: readonly string[]): Promise<Ended> {
    return new Promise((resolve) => {
      const ended = (error: ExecFileException | null, stdout: string, stderr: string) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
      execFile(process.execPath, [SCRIPT, ...args], { env: environment() }, ended);
    });
  }

  /** Runs the command until it has asked so many questions, and kills it. @returns the questions. */
  async function killedAfter(count: number, ...args: readonly string[]): Promise<string[]> {
    const before = server.questions.length;
    const child = spawn(process.execPath, [SCRIPT, ...args], { env: environment(), stdio: "ignore" });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    while (server.questions.length < before + count && child.exitCode === null) await sleep(20);
    child.kill("SIGKILL");
    await ended;
    return server.questions.slice(before).map(({ parameters }) => parameters.toString());
  }

  it("says how it is used", async () => {
    const wrong = await run("--parts", "retractions,weather");
    expect(wrong.status).to.equal(2);
    expect(wrong.stderr).to.match(/^There is no part weather\. Parts: retractions, works/);
    const help = await run("--help");
    expect(help.status).to.equal(0);
    expect(help.stdout).to.match(/^Usage: npm run statistics:refresh/);
  });

  it("fetches the named parts, prints what was loaded, and the result as JSON in the last line", async () => {
    const { status, stdout, stderr } = await run(
      "--parts",
      "retractions,works,organisations,cases",
      "--json",
    );
    expect(status, stderr).to.equal(0);
    expect(stderr)
      .to.match(/retractions: fetching/)
      .and.to.match(/3 papers with a core plagiarism reason/);
    const result = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    expect(result)
      .to.have.property("dataset_version")
      .that.matches(/^[0-9a-f]{16}$/);
    expect(result.parts).to.have.length(4);
    expect(
      server.questions.every(({ headers }) => headers["user-agent"]?.includes("ops@example.org")),
    ).to.equal(true);
  });

  it("goes on where it was killed", async () => {
    const first = await killedAfter(8, "--parts", "publications");
    const second = await killedAfter(4, "--parts", "publications");
    expect(second).to.have.length.of.at.least(4);
    // The answer to the last question may not have been kept any more.
    expect(second.filter((question) => first.slice(0, -1).includes(question))).to.deep.equal([]);
  });

  it("ends with status 1 when a source fails, and does what it can of the others", async () => {
    sources.broken = "/retraction_watch.csv";
    const { status, stdout } = await run("--parts", "retractions,cases");
    expect(status).to.equal(1);
    expect(stdout).to.match(/retractions: failed: 127\.0\.0\.1:\d+ answered with status 403/);
    expect(stdout).to.match(/cases: unchanged since the last load/);
  });
});
