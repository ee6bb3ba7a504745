import { spawnSync } from "node:child_process";
import { symlink, truncate } from "node:fs/promises";
import { expect } from "chai";
import { FILE_BYTES_MAX } from "../../../../src/corpus/ingest/folder/read-source.ts";
import type { IngestResult } from "../../../../src/corpus/ingest/ingest-tally.ts";
import { makeDocx, paragraph } from "../../../extract/made-documents.ts";
import { prose } from "../../../support/work/prose.ts";
import { NOTHING, useFolders } from "./folder-corpus.ts";

describe("files of a folder that can't be ingested", () => {
  const made = useFolders();

  it("are reported with their reasons, and the readable ones are ingested", async function () {
    if (process.platform === "win32") this.skip();
    await made.folders.write("library", {
      "good.txt": prose(1, 30),
      "empty.txt": "",
      "blank.md": " \n",
      "binary.txt": Uint8Array.from({ length: 400 }, (_, at) => (at * 7) % 256),
      "page.pdf": "<html><body>Not found</body></html>",
      "cut.docx": makeDocx({ body: paragraph(prose(2, 30)) }).subarray(0, 600),
      "huge.txt": "",
      "z/also-good.txt": prose(3, 30),
    });
    await truncate(made.folders.at("library", "huge.txt"), FILE_BYTES_MAX + 1);
    await symlink("gone.txt", made.folders.at("library", "link.txt"));
    await symlink(made.folders.at(), made.folders.at("library", "outside"));
    spawnSync("mkfifo", [made.folders.at("library", "pipe.txt")]);

    const result = await made.folders.ingest("library");
    expect(result).to.deep.include({ added: 2, failed: 8 });
    expect(await made.folders.paths("library")).to.deep.equal(["good.txt", "z/also-good.txt"]);
    const reasons = new Map(result.failures.map(({ path, reason }) => [path, reason]));
    expect([...reasons.keys()]).to.have.members([
      "binary.txt",
      "blank.md",
      "cut.docx",
      "empty.txt",
      "huge.txt",
      "link.txt",
      "page.pdf",
      "pipe.txt",
    ]);
    expect(reasons.get("empty.txt")).to.include("empty");
    expect(reasons.get("page.pdf")).to.include("an HTML page");
    expect(reasons.get("huge.txt")).to.equal("It has 257 MiB; the limit is 256 MiB.");
    for (const reason of reasons.values()) expect(reason).to.match(/^[A-Z].*\.$/);
    expect(made.folders.said).to.deep.equal([
      "1 symbolic link leads out of the folder and was not followed.",
    ]);
    expect(await made.folders.ingest("library")).to.deep.include({ ...NOTHING, unchanged: 2, failed: 8 });
  });

  it("counts a document that can't be stored as failed, alone of its batch", async () => {
    await made.folders.write("library", {
      "a.txt": prose(1, 30),
      "b.txt": prose(2, 30),
      "c.txt": prose(3, 30),
    });
    const { ingestDocuments } = made.folders.corpus;
    const refusing = {
      ingestDocuments: (documents: Parameters<typeof ingestDocuments>[0]) =>
        documents.some(({ filename }) => filename === "b.txt")
          ? Promise.reject(new Error("no room for b"))
          : ingestDocuments(documents),
    };
    const result: IngestResult = await made.folders.ingest("library", {}, refusing);
    expect(result).to.deep.include({ ...NOTHING, added: 2, failed: 1, chunks: 2 });
    expect(result.failures).to.deep.equal([
      { path: "b.txt", reason: "It could not be stored. no room for b" },
    ]);
    await made.folders.expectMatchable("library");
  });

  it("leaves a document pending that can't be fingerprinted, and tries it again the next time", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    const { fingerprintDocuments, database } = made.folders.corpus;
    const refusing = {
      fingerprintDocuments: async (ids: readonly string[]) => {
        const rows = await database.query(
          "select 1 from documents where document_id = any($1) and path = 'b.txt'",
          [ids],
        );
        if (rows.length > 0) throw new Error("no chunks of b");
        return fingerprintDocuments(ids);
      },
    };
    for (const expected of [
      { added: 1, unchanged: 0, failed: 1 },
      { added: 0, unchanged: 2, failed: 1 },
    ]) {
      const result = await made.folders.ingest("library", {}, refusing);
      expect(result).to.include(expected);
      expect(result.failures.map(({ path }) => path)).to.deep.equal(["b.txt"]);
    }
    expect(await made.folders.ingest("library")).to.deep.include({ ...NOTHING, unchanged: 2, chunks: 1 });
    await made.folders.expectMatchable("library");
  });
});
