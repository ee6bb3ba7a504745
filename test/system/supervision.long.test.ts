import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { isAlive } from "../../tools/stores/daemon.ts";
import { readStoreRecord } from "../../tools/stores/store-record.ts";
import { descendants, lives } from "../support/processes/process-tree.ts";
import { freshDatabase, freshPrefix, testStores } from "../support/stores.ts";

const ROOT = join(import.meta.dirname, "../..");

/** `npm start`: the launcher, with the service as its child. */
class Launch {
  readonly output: string[] = [];
  readonly #launcher: ChildProcess;
  readonly #ended: Promise<unknown[]>;

  constructor(environment: Readonly<Record<string, string>>) {
    const { PATH, HOME } = process.env;
    this.#launcher = spawn(process.execPath, [join(ROOT, "scripts", "launch.mjs"), "start"], {
      env: {
        PATH,
        HOME,
        ENGINE_PORT: "0",
        STATISTICS_PORT: "0",
        DRAIN_SECONDS: "0",
        SAMPLE_CORPUS: "off",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#ended = once(this.#launcher, "exit");
    for (const stream of [this.#launcher.stdout, this.#launcher.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => this.output.push(line));
    }
  }

  /** The service; undefined between two starts. */
  get service(): number | undefined {
    return descendants(this.#launcher.pid ?? 0)[0];
  }

  /** Waits until a line has been printed so many times, and gives the last of them. */
  async printed(line: RegExp, times = 1): Promise<string> {
    for (;;) {
      const found = this.output.filter((one) => line.test(one));
      if (found.length >= times) return found.at(-1) ?? "";
      if (this.#launcher.exitCode !== null) throw new Error(`ended without it:\n${this.output.join("\n")}`);
      await sleep(20);
    }
  }

  async address(starts = 1): Promise<string> {
    await this.printed(/^Stop with Ctrl-C$/, starts);
    return (await this.printed(/^Engine:/, starts)).split(/\s+/)[1] ?? "";
  }

  signal(name: NodeJS.Signals): void {
    this.#launcher.kill(name);
  }

  /** The exit status of the launcher; null when a signal ended it. */
  async end(): Promise<unknown> {
    return (await this.#ended)[0];
  }
}

describe("npm start, which supervises the service", function () {
  this.timeout(120_000);
  let environment: Readonly<Record<string, string>>;
  let opensearchUrl: string;
  let launch: Launch | undefined;

  before(async function () {
    this.timeout(240_000);
    const { opensearchNodes } = await testStores();
    opensearchUrl = opensearchNodes.join(",");
    environment = {
      DATABASE_URL: await freshDatabase("supervised"),
      OPENSEARCH_URL: opensearchUrl,
      OPENSEARCH_INDEX_PREFIX: freshPrefix(),
      LOG_LEVEL: "warn",
    };
  });
  afterEach(() => {
    const service = launch?.service;
    launch?.signal("SIGKILL");
    if (service !== undefined && lives(service)) process.kill(service, "SIGKILL");
    launch = undefined;
  });

  it("starts it again when a signal has ended it, and says so", async () => {
    launch = new Launch(environment);
    await launch.address();
    process.kill(launch.service ?? 0, "SIGKILL");
    expect(await launch.printed(/ended/)).to.match(/SIGKILL.* 1 s/);
    const again = await launch.address(2);
    expect((await fetch(`${again}/health`)).status).to.equal(200);
    process.kill(launch.service ?? 0, "SIGABRT");
    expect(await launch.printed(/ended/, 2)).to.match(/SIGABRT.* 2 s/);
    await launch.address(3);
    launch.signal("SIGTERM");
    expect(await launch.end()).to.equal(0);
  });

  it("starts it again when it fails while the sample corpus is being loaded for the first time", async () => {
    const folder = await mkdtemp(join(tmpdir(), "similarity-supervised-"));
    try {
      const [fetching, failing] = [join(folder, "fetching"), join(folder, "failing.mjs")];
      // Fetching the sample takes until the test ends.
      await writeFile(join(folder, "python3"), `#!/bin/sh\ntouch '${fetching}'\nexec sleep 30\n`, {
        mode: 0o755,
      });
      await writeFile(failing, 'process.on("SIGUSR2", () => { throw new Error("failing"); });\n');
      launch = new Launch({
        ...environment,
        DATA_DIR: folder,
        SAMPLE_CORPUS: "on",
        // The encoder would be fetched by the same program.
        SEMANTIC: "off",
        PATH: `${folder}:${process.env.PATH}`,
        NODE_OPTIONS: `--import=${failing}`,
      });
      while (!existsSync(fetching)) await sleep(20);
      process.kill(launch.service ?? 0, "SIGUSR2");
      expect(await launch.printed(/ended/)).to.match(/with status \d+\. Restarting in 1 s/);
      launch.signal("SIGTERM");
      await launch.end();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("reports a taken port before anything else", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      launch = new Launch({ ...environment, ENGINE_PORT: String(port) });
      expect(await launch.end()).to.equal(1);
      expect(launch.output).to.have.lengthOf(1);
      expect(launch.output[0]).to.include("ENGINE_PORT").and.to.include(String(port));
    } finally {
      taken.close();
    }
  });

  it("does not repeat a start that fails, and passes its status on", async () => {
    launch = new Launch({ ...environment, ENGINE_PORT: "http" });
    expect(await launch.end()).to.equal(1);
    expect(launch.output.join("\n")).to.include("ENGINE_PORT").and.not.to.match(/ s$/m);
  });

  it("ends the service in an orderly way when the launcher itself is killed", async () => {
    launch = new Launch(environment);
    await launch.address();
    const service = launch.service ?? 0;
    launch.signal("SIGKILL");
    expect(await launch.end()).to.equal(null);
    await launch.printed(/^Stopping/);
    while (lives(service)) await sleep(20);
  });

  it("stops the stores of a service that was killed, when it is told to stop before the next start", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "similarity-supervised-"));
    try {
      // PostgreSQL may run as a user of its own, who has to enter.
      await chmod(dataDir, 0o755);
      launch = new Launch({ ...environment, DATABASE_URL: "", DATA_DIR: dataDir });
      await launch.address();
      const { postgres } = readStoreRecord(join(dataDir, "stores.json"));
      if (postgres === null) throw new Error("PostgreSQL is not recorded");
      expect(isAlive(postgres)).to.equal(true);
      process.kill(launch.service ?? 0, "SIGKILL");
      await launch.printed(/ended/);
      launch.signal("SIGTERM");
      expect(await launch.end()).to.equal(137);
      expect(isAlive(postgres)).to.equal(false);
      expect(readStoreRecord(join(dataDir, "stores.json"))).to.deep.include({ users: [], postgres: null });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
