import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { Spool, type SpoolEntry } from "../../src/core-api/spool.ts";

const ID = "3f9a1c52-6c1e-4b60-9d2a-5f0c4e8b7a11";

function entry(keyName: string, changes: Partial<SpoolEntry> = {}): SpoolEntry {
  return { kind: "create", keyName, submissionId: ID, at: new Date(1_000), content: null, ...changes };
}

describe("the spool of the core api", () => {
  const log = pino({ level: "silent" });
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "spool-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("entries of two keys about the same submission do not replace each other", async () => {
    const spool = await Spool.open(folder, log);
    await spool.add(entry("first"));
    expect(await spool.isOfAnother("first", ID)).to.equal(false);
    expect(await spool.isOfAnother("second", ID)).to.equal(true);
    await spool.add(entry("second"));
    expect((await spool.list()).map(({ keyName }) => keyName)).to.deep.equal(["first", "second"]);
    await spool.remove(entry("second"));
    expect(await spool.find("first", ID, "create")).to.deep.equal(entry("first"));
  });

  it("an entry that can't be read is set aside, and no file is lost for it", async () => {
    const spool = await Spool.open(folder, log);
    await spool.receive("u1", Readable.from([Buffer.from("text")]), 10);
    await spool.add(entry("first"));
    const name = `${ID}.2-upload.first.json`;
    writeFileSync(join(folder, name), '{"kind":');
    const opened = await Spool.open(folder, log);
    expect((await opened.list()).map(({ kind }) => kind)).to.deep.equal(["create"]);
    const names = readdirSync(folder);
    expect(names).to.include(`${name}.failed`).and.to.include("u1.bin");
  });

  it("an entry that was set aside is not listed", async () => {
    const spool = await Spool.open(folder, log);
    await spool.add(entry("first"));
    await spool.setAside(entry("first"));
    expect(await spool.list()).to.deep.equal([]);
  });

  it("entries that were set aside are removed with their files after a time, and no others", async () => {
    const spool = await Spool.open(folder, log, 10);
    const file = (uploadId: string) => ({ kind: "upload", file: { uploadId, filename: "a.txt" } }) as const;
    for (const uploadId of ["lost", "waiting"])
      await spool.receive(uploadId, Readable.from([Buffer.alloc(5)]), 10);
    await spool.add(entry("first", file("lost")));
    await spool.setAside(entry("first", { kind: "upload" }));
    await spool.add(entry("second", file("waiting")));
    writeFileSync(join(folder, `${ID}.1-create.first.json.failed`), '{"kind":');
    const before = readdirSync(folder);
    expect(await spool.removeSetAside(Date.now() - 60_000)).to.equal(0);
    expect(readdirSync(folder)).to.deep.equal(before);
    await sleep(20);
    expect(await spool.removeSetAside(Date.now() - 5)).to.equal(2);
    expect(readdirSync(folder).toSorted()).to.deep.equal([`${ID}.2-upload.second.json`, "waiting.bin"]);
    // Its bytes count no longer.
    await spool.receive("next", Readable.from([Buffer.alloc(5)]), 10);
  });

  it("a start removes files without an entry, and none that an entry set aside may need", async () => {
    const spool = await Spool.open(folder, log);
    for (const name of ["lost.bin", "nobody.bin", "broken.part"]) writeFileSync(join(folder, name), "text");
    await spool.add(entry("first", { kind: "upload", file: { uploadId: "lost", filename: "a.txt" } }));
    await spool.setAside(entry("first", { kind: "upload" }));
    await Spool.open(folder, log);
    expect(readdirSync(folder).toSorted()).to.deep.equal([`${ID}.2-upload.first.json.failed`, "lost.bin"]);
  });

  it("uploads that arrive at the same time share its limit, and a refused one frees its bytes", async () => {
    const spool = await Spool.open(folder, log, 10);
    const slow = new PassThrough();
    const receiving = spool.receive("u1", slow, 100);
    slow.write(Buffer.alloc(6));
    while (!readdirSync(folder).includes("u1.bin.part") || statSync(join(folder, "u1.bin.part")).size < 6)
      await sleep(5);
    const other = await spool
      .receive("u2", Readable.from([Buffer.alloc(6)]), 100)
      .catch((error: unknown) => error);
    expect(other).to.be.an("error").with.property("message").that.includes("Too many files are waiting");
    slow.end(Buffer.alloc(2));
    await receiving;
    await spool.receive("u3", Readable.from([Buffer.alloc(2)]), 100);
  });
});
