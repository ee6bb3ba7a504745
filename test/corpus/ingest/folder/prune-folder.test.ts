import { spawnSync } from "node:child_process";
import { rm, symlink } from "node:fs/promises";
import { expect } from "chai";
import { prose } from "../../../support/work/prose.ts";
import { failure, MANY, NOTHING, useFolders } from "./folder-corpus.ts";

describe("pruning a folder's documents", () => {
  const made = useFolders();

  it("keeps documents whose file is gone, and removes them with `prune`: those of this folder only", async () => {
    await made.folders.write("library", {
      "a.txt": prose(1, 300),
      "b.txt": prose(2, 30),
      "c/d.txt": prose(3, 30),
    });
    await made.folders.write("library2", { "e.txt": prose(4, 30) });
    await made.folders.ingest("library");
    await made.folders.ingest("library2");
    await rm(made.folders.at("library", "a.txt"));
    await rm(made.folders.at("library", "c"), { recursive: true });
    expect(await made.folders.ingest("library")).to.deep.include({ ...NOTHING, unchanged: 1 });
    expect(await made.folders.paths("library")).to.deep.equal(["a.txt", "b.txt", "c/d.txt"]);
    expect(await made.folders.ingest("library", { prune: true })).to.deep.include({
      ...NOTHING,
      unchanged: 1,
      removed: 2,
    });
    expect(await made.folders.paths("library")).to.deep.equal(["b.txt"]);
    expect(await made.folders.paths("library2")).to.deep.equal(["e.txt"]);
    await made.folders.expectMatchable("library");
  });

  it("deletes any number of documents with `prune`", async () => {
    await made.folders.write("library", { ...MANY, "kept.txt": prose(1_000, 30) });
    await made.folders.ingest("library");
    for (let part = 0; part < 7; part++)
      await rm(made.folders.at("library", `part-${part}`), { recursive: true });
    expect(await made.folders.ingest("library", { prune: true })).to.deep.include({
      unchanged: 1,
      removed: 450,
    });
    expect(await made.folders.paths("library")).to.deep.equal(["kept.txt"]);
  });

  it("does not prune the document of a file that it can't read", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    await made.folders.ingest("library");
    await made.folders.write("library", { "a.txt": "" });
    await rm(made.folders.at("library", "b.txt"));
    await symlink("gone.txt", made.folders.at("library", "b.txt"));
    expect(await made.folders.ingest("library", { prune: true })).to.deep.include({ ...NOTHING, failed: 2 });
    expect(await made.folders.paths("library")).to.deep.equal(["a.txt", "b.txt"]);
  });

  it("prunes nothing when a directory can't be read, as its files are unknown", async function () {
    if (process.platform === "win32") this.skip();
    // Permissions don't stop root; a path that is longer than the system takes stops everybody.
    const deep = `${"d".repeat(240)}/`;
    const library = `${deep.repeat(9)}library`;
    await made.folders.write(library, { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    await made.folders.ingest(library, { collection: "deep" });
    await rm(made.folders.at(library, "a.txt"));
    spawnSync("mkdir", ["-p", deep.repeat(8)], { cwd: made.folders.at(library) });
    const result = await made.folders.ingest(library, { collection: "deep", prune: true });
    spawnSync("rm", ["-rf", "d".repeat(240)], { cwd: made.folders.at(library) });
    expect(result).to.deep.include({ ...NOTHING, unchanged: 1, failed: 1 });
    expect(result.failures[0]?.reason).to.equal("Its path is too long for the system.");
    expect(made.folders.said).to.deep.equal([
      "No document was deleted, because a directory could not be read.",
    ]);
    expect(await made.folders.paths(library, "deep")).to.deep.equal(["a.txt", "b.txt"]);
  });

  it("continues without its lock when that connection is lost, but does not prune", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    await made.folders.ingest("library");
    await rm(made.folders.at("library", "a.txt"));
    await made.folders.write("library", { "c.txt": prose(3, 30) });
    const { database, ingestDocuments } = made.folders.corpus;
    const result = await made.folders.ingest(
      "library",
      { prune: true },
      {
        ingestDocuments: async (documents) => {
          const ended = await database.query(
            `select pg_terminate_backend(pid, 5000) from pg_locks
              where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
                and pid in (select pid from pg_stat_activity where query like '%pg_temp.seen_paths%')`,
          );
          expect(ended).to.have.lengthOf(1);
          return ingestDocuments(documents);
        },
      },
    );
    expect(result).to.deep.include({ ...NOTHING, added: 1, unchanged: 1, failed: 1, chunks: 1 });
    expect(result.failures[0]?.reason).to.include("remain until the next run");
    expect(await made.folders.paths("library")).to.deep.equal(["a.txt", "b.txt", "c.txt"]);
    expect(await made.folders.ingest("library", { prune: true })).to.include({ removed: 1, failed: 0 });
  });

  it("refuses to delete all documents of a folder without files, unless requested", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    await made.folders.ingest("library");
    await rm(made.folders.at("library", "a.txt"));
    await rm(made.folders.at("library", "b.txt"));
    await made.folders.write("library", { "left.png": "no document", ".hidden.txt": prose(3, 30) });
    const refused = await failure(made.folders.ingest("library", { prune: true }));
    expect(refused).to.have.property("code", "invalid_input");
    expect(refused).to.have.property("message").that.includes("--allow-empty");
    expect(await made.folders.paths("library")).to.deep.equal(["a.txt", "b.txt"]);

    expect(await made.folders.ingest("library")).to.deep.include(NOTHING);
    const asked = await made.folders.ingest("library", { prune: true, allowEmpty: true });
    expect(asked).to.deep.include({ ...NOTHING, removed: 2 });
    expect(await made.folders.paths("library")).to.deep.equal([]);
  });

  it("accepts a folder without files that never had documents", async () => {
    await made.folders.write("library", {});
    expect(await made.folders.ingest("library", { prune: true })).to.deep.include(NOTHING);
  });
});
