import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { freePorts, readEnd, startDaemon, stopDaemon, waitUntilReady } from "../../../tools/stores/daemon.ts";

describe("a store that starts", () => {
  let folder = "";
  let started = 0;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "daemon-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Starts a shell script in the place of a store. */
  async function start(script: string, answers: () => boolean | string, stallMs: number) {
    started += 1;
    const logFile = join(folder, `store-${started}.log`);
    const daemon = { name: "Store", command: "/bin/sh", args: ["-c", script], env: {}, logFile };
    const process = await startDaemon({ ...daemon, account: undefined });
    const wait = { name: "Store", process, logFile, answers: async () => answers(), stallMs };
    const outcome = await waitUntilReady({ ...wait, say: () => undefined }).catch(
      (error: Error) => error.message,
    );
    return { outcome, process, logFile };
  }

  it("is waited for as long as its log grows or its activity changes", async () => {
    const cases = [
      ["while :; do echo line; sleep .1; done", () => ""],
      ["sleep 60", () => `at ${performance.now()}`],
    ] as const;
    const waited = cases.map(async ([script, activity]) => {
      const startedMs = performance.now();
      const answers = () => (performance.now() - startedMs > 6_000 ? true : activity());
      const { outcome, process } = await start(script, answers, 4_000);
      await stopDaemon(process, "SIGKILL", 0);
      return outcome;
    });
    expect(await Promise.all(waited)).to.deep.equal([undefined, undefined]);
  });

  it("is given up when neither does", async () => {
    const { outcome, process } = await start("echo hanging; sleep 60", () => "the same", 3_000);
    expect(outcome).to.match(/^Store made no progress for .*while it was starting.*\nhanging$/s);
    await stopDaemon(process, "SIGKILL", 0);
  });

  it("and ends is reported with its signal or status, and the end of its log", async () => {
    for (const [script, how] of [
      ["echo failing; sleep .3; kill -9 $$", "by SIGKILL"],
      ["echo failing; sleep .3; exit 3", "with status 3"],
    ] as const) {
      const { outcome, logFile } = await start(script, () => false, 60_000);
      expect(outcome)
        .to.match(/^Store ended while it was starting/)
        .and.to.include(how)
        .and.to.include("failing");
      expect((await readEnd(logFile)).how).to.equal(` ${how}`);
    }
  });
});

describe("free ports", () => {
  it("are all different", async () => {
    const ports = await freePorts(Array.from({ length: 20 }, () => undefined));
    expect(new Set(ports).size).to.equal(20);
  });

  it("are the preferred ones while they are free, and otherwise others", async () => {
    const [last] = await freePorts([undefined]);
    expect(await freePorts([last])).to.deep.equal([last]);
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(last, "127.0.0.1", done));
    const [other] = await freePorts([last]);
    expect(other).to.be.a("number").and.not.equal(last);
    await new Promise((done) => taken.close(done));
  });
});
