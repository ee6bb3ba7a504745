import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { isAlive, processIdentity, stopDaemon } from "../../../tools/stores/daemon.ts";
import { withStartLock } from "../../../tools/stores/start-lock.ts";
import {
  EMPTY_RECORD,
  otherUsers,
  readStoreRecord,
  updateRecord,
} from "../../../tools/stores/store-record.ts";

const self = { pid: process.pid, identity: processIdentity(process.pid) ?? "" };
/** The number of a living process, with the identity of an earlier one. */
const reused = { pid: process.pid, identity: "another boot:1" };

describe("the record of running stores", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "store-record-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("is read as it was written, and only its owner can read the file", () => {
    const file = join(folder, "stores.json");
    const record = {
      users: [{ id: "a", ...self }],
      ports: { postgres: 40001, opensearch: 40002, opensearchTransport: 40003 },
      postgres: { ...self, startedAt: "2026-11-20T09:30:00.000Z" },
      opensearch: null,
      composeServices: [],
    };
    updateRecord(file, record);
    expect(readStoreRecord(file)).to.deep.equal(record);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(["stores.json"]);
  });

  it("is empty if the file is missing or damaged", () => {
    expect(readStoreRecord(join(folder, "none.json"))).to.deep.equal(EMPTY_RECORD);
    for (const damaged of ["", '{"users": [', '{"users": 1}', '{"pid": -4}']) {
      writeFileSync(join(folder, "damaged.json"), damaged);
      expect(readStoreRecord(join(folder, "damaged.json")), damaged).to.deep.equal(EMPTY_RECORD);
    }
  });

  it("counts only users that are alive", () => {
    const users = [
      { id: "me", ...self },
      { id: "other", ...self },
      { id: "killed", ...reused },
      { id: "gone", pid: 2 ** 30, identity: "x" },
    ];
    expect(otherUsers({ ...EMPTY_RECORD, users }, "me").map(({ id }) => id)).to.deep.equal(["other"]);
  });
});

describe("the identity of a process", () => {
  it("distinguishes a process from a later one with the same number", () => {
    expect(isAlive(self)).to.equal(true);
    expect(isAlive(reused)).to.equal(false);
    expect(processIdentity(2 ** 30)).to.equal(undefined);
  });

  it("protects another process with the same number from a stop", async () => {
    const bystander = spawn("sleep", ["30"], { stdio: "ignore", detached: true });
    await once(bystander, "spawn");
    const pid = bystander.pid ?? 0;
    const startedAt = new Date().toISOString();
    await stopDaemon({ pid, identity: "another boot:1", startedAt }, "SIGTERM", 500);
    expect(processIdentity(pid)).to.be.a("string");
    await stopDaemon({ pid, identity: processIdentity(pid) ?? "", startedAt }, "SIGTERM", 5_000);
    expect(processIdentity(pid)).to.equal(undefined);
  });
});

describe("the start lock", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "start-lock-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("admits one process at a time, and announces the wait once", async () => {
    const lock = join(folder, "a.lock");
    const said: string[] = [];
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      // The first stays until both others have found the lock taken.
      while (said.length < 2) await new Promise((done) => setTimeout(done, 5));
      inside -= 1;
    };
    const run = () => withStartLock(lock, { say: (line) => void said.push(line) }, work);
    await Promise.all([run(), run(), run()]);
    expect(most).to.equal(1);
    expect(said).to.have.lengthOf(2);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("is taken over from a killed holder", async () => {
    const lock = join(folder, "b.lock");
    writeFileSync(lock, `${reused.pid} ${reused.identity}`);
    const result = await withStartLock(lock, { say: (line) => expect.fail(line) }, async () => "done");
    expect(result).to.equal("done");
  });

  it("is released when the work fails", async () => {
    const lock = join(folder, "c.lock");
    const failing = withStartLock(lock, { say: () => undefined }, () => Promise.reject(new Error("no")));
    const error = await failing.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.an("error").with.property("message", "no");
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
