import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { gatherFiles } from "../../../src/client/command/read-file.ts";

describe("the files that are compared with each other", () => {
  const folder = join(tmpdir(), `gather-files-${randomUUID()}`);
  const at = (path: string) => join(folder, path);
  const namesOf = async (...paths: string[]) =>
    (await gatherFiles(paths.map(at))).files.map(({ name }) => name);

  before(async () => {
    const paths = [
      "class/alice/essay.txt",
      "class/alice/late/essay.txt",
      "class/bob/essay.txt",
      "class/bob/.DS_Store",
      "class/bob/Thumbs.db",
      "class/bob/desktop.ini",
      "class/bob/.git/config",
      "class/bob/__MACOSX/essay.txt",
      "large.txt",
    ];
    for (const path of paths) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), path === "large.txt" ? "x".repeat(10 * 1024 * 1024 + 1) : "A text.");
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("have their paths below the only folder as names", async () => {
    expect(await namesOf("class")).to.deep.equal([
      "alice/essay.txt",
      "alice/late/essay.txt",
      "bob/essay.txt",
    ]);
    expect(await namesOf("class/alice/")).to.deep.equal(["essay.txt", "late/essay.txt"]);
    expect(await namesOf("class/alice/essay.txt")).to.deep.equal(["essay.txt"]);
  });

  it("have their paths below the folder that holds everything named, if that is more", async () => {
    expect(await namesOf("class/alice", "class/bob")).to.deep.equal([
      "alice/essay.txt",
      "alice/late/essay.txt",
      "bob/essay.txt",
    ]);
    expect(await namesOf("class/alice/essay.txt", "class/bob/")).to.deep.equal([
      "alice/essay.txt",
      "bob/essay.txt",
    ]);
    expect(await namesOf("class/alice/essay.txt", "class/alice/late/essay.txt")).to.deep.equal([
      "essay.txt",
      "late/essay.txt",
    ]);
  });

  it("are read once each, under one name", async () => {
    expect(await namesOf("class/alice/late", "class/alice", "class/alice/essay.txt")).to.deep.equal([
      "alice/late/essay.txt",
      "alice/essay.txt",
    ]);
  });

  it("are none of the system's, not even where a pattern names them", async () => {
    expect(
      await namesOf("class/bob/Thumbs.db", "class/bob/desktop.ini", "class/bob/essay.txt"),
    ).to.have.length(1);
  });

  it("lack those that can't be read, which are listed by their paths", async () => {
    const { files, unreadable } = await gatherFiles(["class/bob", "large.txt", "missing.txt"].map(at));
    expect(files.map(({ name }) => name)).to.deep.equal(["class/bob/essay.txt"]);
    expect(unreadable).to.deep.equal([
      { path: at("large.txt"), message: "The file is larger than 10 MiB, the limit of the service." },
      { path: at("missing.txt"), message: "There is no such file." },
    ]);
  });
});
