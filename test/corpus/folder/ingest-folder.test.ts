import { spawnSync } from "node:child_process";
import { mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { expect } from "chai";
import type { FolderIngest, IngestProgress } from "../../../src/corpus/folder/ingest-tally.ts";
import { FILE_BYTES_MAX } from "../../../src/corpus/folder/read-source-file.ts";
import { makeDocx, makePdf, paragraph } from "../../platform/extract/made-documents.ts";
import { prose } from "../../support/prose.ts";
import { FolderCorpus } from "./folder-corpus.ts";

const NOTHING = { added: 0, replaced: 0, unchanged: 0, removed: 0, failed: 0, chunks: 0 };

/** More files than one batch holds, so that an ingest can be met between two. */
const MANY = Object.fromEntries(
  Array.from({ length: 450 }, (_, at) => [`part-${at % 7}/${at}.txt`, prose(at, 30)]),
);

describe("ingesting a folder", () => {
  let folders: FolderCorpus;

  before(async function () {
    this.timeout(240_000);
    folders = await FolderCorpus.open();
  });
  afterEach(() => folders.clear());
  after(() => folders.close());

  async function paths(folder = "library", collection?: string): Promise<string[]> {
    return [...(await folders.contents(folder, collection)).files.keys()];
  }

  /** All of the library is matchable, and the index holds no chunk of what is gone. */
  async function expectMatchable(): Promise<void> {
    await folders.corpus.sweepRemoved();
    const { files, strayChunks } = await folders.contents("library");
    expect(strayChunks).to.equal(0);
    for (const [path, { borders, chunks }] of files) {
      expect(
        chunks.map(({ chunk_index }) => chunk_index),
        path,
      ).to.deep.equal([...Array((borders?.length ?? 0) - 1).keys()]);
    }
  }

  it("makes all documents of the tree matchable, with their names, types and texts", async () => {
    await folders.write("library", {
      "plain.txt": prose(1, 400),
      "marked.md": `# ${prose(2, 40)}`,
      "shelf/Page One.PDF": makePdf({ pages: ["BT /F1 12 Tf (A page of words.) Tj ET"] }),
      "shelf/lower/word.docx": makeDocx({ body: paragraph(prose(3, 40)) }),
      "picture.png": "no document",
    });
    const result = await folders.ingest("library", { language: "de" });
    const { files } = await folders.contents("library");
    const chunks = [...files.values()].flatMap((file) => file.chunks);
    expect(result).to.deep.include({ ...NOTHING, added: 4, chunks: chunks.length, failures: [] });
    expect(chunks.length).to.be.above(4);
    expect(files.get("plain.txt")).to.deep.include({ text: prose(1, 400) });
    expect(files.get("shelf/lower/word.docx")?.text).to.include(prose(3, 40));
    expect(files.get("shelf/Page One.PDF")?.facts).to.include({
      filename: "Page One.PDF",
      title: "Page One",
      media_type: "application/pdf",
      language: "de",
    });
    expect(files.get("marked.md")?.facts).to.include({ media_type: "text/markdown" });
    await expectMatchable();
  });

  it("changes nothing the second time, also by way of a link to the folder", async () => {
    await folders.write("library", { "a.txt": prose(1, 300), "b/c.txt": prose(2, 30) });
    await folders.ingest("library");
    const first = await folders.contents("library");
    await symlink(folders.at("library"), folders.at("other-name"));
    for (const name of ["library", "other-name"]) {
      expect(await folders.ingest(name)).to.deep.include({ ...NOTHING, unchanged: 2 });
    }
    expect(await folders.contents("library")).to.deep.equal(first);
  });

  it("replaces the document of a file whose bytes have changed", async () => {
    await folders.write("library", { "a.txt": prose(1, 900), "b.txt": prose(2, 30) });
    await folders.ingest("library");
    await folders.write("library", { "a.txt": prose(3, 300), "c.txt": prose(4, 30) });
    expect(await folders.ingest("library")).to.deep.include({ added: 1, replaced: 1, unchanged: 1 });
    const { files } = await folders.contents("library");
    expect(files.get("a.txt")?.text).to.equal(prose(3, 300));
    await expectMatchable();
  });

  it("keeps documents whose file is gone, and removes them with `prune`: those of this folder only", async () => {
    await folders.write("library", {
      "a.txt": prose(1, 300),
      "b.txt": prose(2, 30),
      "c/d.txt": prose(3, 30),
    });
    await folders.write("library2", { "e.txt": prose(4, 30) });
    await folders.ingest("library");
    await folders.ingest("library2");
    await rm(folders.at("library", "a.txt"));
    await rm(folders.at("library", "c"), { recursive: true });
    expect(await folders.ingest("library")).to.deep.include({ ...NOTHING, unchanged: 1 });
    expect(await paths()).to.deep.equal(["a.txt", "b.txt", "c/d.txt"]);
    expect(await folders.ingest("library", { prune: true })).to.deep.include({
      ...NOTHING,
      unchanged: 1,
      removed: 2,
    });
    expect(await paths()).to.deep.equal(["b.txt"]);
    expect(await paths("library2")).to.deep.equal(["e.txt"]);
    await expectMatchable();
  });

  it("removes with `prune` as many as there are", async () => {
    await folders.write("library", { ...MANY, "kept.txt": prose(1_000, 30) });
    await folders.ingest("library");
    for (let part = 0; part < 7; part++) await rm(folders.at("library", `part-${part}`), { recursive: true });
    expect(await folders.ingest("library", { prune: true })).to.deep.include({ unchanged: 1, removed: 450 });
    expect(await paths()).to.deep.equal(["kept.txt"]);
  });

  it("knows the documents of a folder that was moved by the collection's name", async () => {
    await folders.write("library", { "a.txt": prose(1, 30) });
    expect(await folders.ingest("library", { collection: "Our-library_1.0" })).to.include({ added: 1 });
    await rename(folders.at("library"), folders.at("moved"));
    expect(await folders.ingest("moved", { collection: "Our-library_1.0" })).to.deep.include({
      ...NOTHING,
      unchanged: 1,
    });
  });

  it("takes all it can read beside what it can't, and says why of each", async function () {
    if (process.platform === "win32") this.skip();
    await folders.write("library", {
      "good.txt": prose(1, 30),
      "empty.txt": "",
      "blank.md": " \n",
      "binary.txt": Uint8Array.from({ length: 400 }, (_, at) => (at * 7) % 256),
      "page.pdf": "<html><body>Not found</body></html>",
      "cut.docx": makeDocx({ body: paragraph(prose(2, 30)) }).subarray(0, 600),
      "huge.txt": "",
      "z/also-good.txt": prose(3, 30),
    });
    await truncate(folders.at("library", "huge.txt"), FILE_BYTES_MAX + 1);
    await symlink("gone.txt", folders.at("library", "link.txt"));
    await symlink(folders.at(), folders.at("library", "outside"));
    spawnSync("mkfifo", [folders.at("library", "pipe.txt")]);

    const result = await folders.ingest("library");
    expect(result).to.deep.include({ added: 2, failed: 8 });
    expect(await paths()).to.deep.equal(["good.txt", "z/also-good.txt"]);
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
    expect(reasons.get("huge.txt")).to.equal("It is too large: 257 MiB, and the most is 256 MiB.");
    for (const reason of reasons.values()) expect(reason).to.match(/^[A-Z].*\.$/);
    expect(folders.said).to.deep.equal(["1 symbolic link leads out of the folder and was not followed."]);
    expect(await folders.ingest("library")).to.deep.include({ ...NOTHING, unchanged: 2, failed: 8 });
  });

  it("does not prune a file that it can't read, and whose document it has from before", async () => {
    await folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    await folders.ingest("library");
    await folders.write("library", { "a.txt": "" });
    await rm(folders.at("library", "b.txt"));
    await symlink("gone.txt", folders.at("library", "b.txt"));
    expect(await folders.ingest("library", { prune: true })).to.deep.include({ ...NOTHING, failed: 2 });
    expect(await paths()).to.deep.equal(["a.txt", "b.txt"]);
  });

  it("prunes nothing when a directory can't be read: what lies in it is unknown", async function () {
    if (process.platform === "win32") this.skip();
    // Permissions don't stop root; a path that is longer than the system takes stops everybody.
    const deep = `${"d".repeat(240)}/`;
    const library = `${deep.repeat(9)}library`;
    await folders.write(library, { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    await folders.ingest(library, { collection: "deep" });
    await rm(folders.at(library, "a.txt"));
    spawnSync("mkdir", ["-p", deep.repeat(8)], { cwd: folders.at(library) });
    const result = await folders.ingest(library, { collection: "deep", prune: true });
    spawnSync("rm", ["-rf", "d".repeat(240)], { cwd: folders.at(library) });
    expect(result).to.deep.include({ ...NOTHING, unchanged: 1, failed: 1 });
    expect(result.failures[0]?.reason).to.equal("Its path is longer than the system takes.");
    expect(folders.said).to.deep.equal(["Nothing is removed, as a directory could not be read."]);
    expect(await paths(library, "deep")).to.deep.equal(["a.txt", "b.txt"]);
  });

  it("does each file once when it runs twice at the same time: the second waits for the first", async () => {
    await folders.write("library", MANY);
    const results = await Promise.all([
      folders.ingest("library", { prune: true }),
      folders.ingest("library", { prune: true }),
    ]);
    expect(results.map(({ added }) => added).toSorted()).to.deep.equal([0, 450]);
    expect(results.map(({ unchanged }) => unchanged).toSorted()).to.deep.equal([0, 450]);
    expect(folders.said).to.deep.equal([
      "Another ingest of this folder is under way; waiting until it has ended.",
    ]);
    expect(await paths()).to.have.lengthOf(450);
    await expectMatchable();
  }).timeout(40_000);

  it("says how far it has come", async () => {
    await folders.write("library", { ...MANY, "empty.txt": "" });
    const seen: IngestProgress[] = [];
    await folders.ingest("library", { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).to.deep.equal({ done: 451, total: 451, totalIsFinal: true, failed: 1 });
    const done = seen.map((progress) => progress.done);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
  });

  describe("that is cut off", () => {
    it("ends at once by the signal, and goes on where it stopped", async () => {
      const stopping = new AbortController();
      await folders.write("library", MANY);
      const { ingestDocuments } = folders.corpus;
      const stopped = folders.ingest(
        "library",
        { signal: stopping.signal },
        {
          ingestDocuments: async (documents) => {
            const ingested = await ingestDocuments(documents);
            stopping.abort(new Error("enough"));
            return ingested;
          },
        },
      );
      expect(await failure(stopped)).to.have.property("message", "enough");
      const left = await folders.contents("library");
      expect([...left.files.values()].filter(({ borders }) => borders === null)).not.to.deep.equal([]);

      const rest = await folders.ingest("library");
      expect(rest).to.include({ added: 450 - left.files.size, unchanged: left.files.size, failed: 0 });
      const resumed = await folders.contents("library");
      await expectMatchable();
      await folders.clear();
      await folders.write("library", MANY);
      await folders.ingest("library");
      expect(resumed).to.deep.equal(await folders.contents("library"));
    }).timeout(40_000);

    for (const store of ["postgres", "opensearch"] as const) {
      it(`waits for ${store} when that is away for a while, and loses nothing`, async () => {
        await folders.write("library", MANY);
        const { ingestDocuments } = folders.corpus;
        const say = (line: string) => {
          folders.said.push(line);
          if (line.includes("Waiting for it")) folders[store].mend();
        };
        let isCut = false;
        const result = await folders.ingest(
          "library",
          { say },
          {
            ingestDocuments: async (documents) => {
              if (!isCut) await folders[store].cut();
              isCut = true;
              return ingestDocuments(documents);
            },
          },
        );
        expect(result).to.include({ added: 450, failed: 0 });
        expect(folders.said[0]).to.match(/^(PostgreSQL|OpenSearch) .* Waiting for it, for \d+ s at most\.$/);
        expect(folders.said[1]).to.equal("The stores answer again.");
        await expectMatchable();
      }).timeout(60_000);
    }

    it("gives up when a store stays away, and says that the next run goes on", async () => {
      await folders.write("library", { "a.txt": prose(1, 30) });
      await folders.opensearch.cut();
      const error = await failure(folders.ingest("library", {}, { storeWaitMs: 100 }));
      expect(error).to.have.property("code", "store_unavailable");
      expect(error)
        .to.have.property("message")
        .that.matches(/^OpenSearch .* The same command goes on where this one stopped\.$/);
      await folders.opensearch.mend();
      expect(await folders.ingest("library")).to.include({ unchanged: 1, failed: 0, chunks: 1 });
      await expectMatchable();
    }).timeout(40_000);

    it("goes on without its lock when that connection is lost, but does not prune", async () => {
      await folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
      await folders.ingest("library");
      await rm(folders.at("library", "a.txt"));
      await folders.write("library", { "c.txt": prose(3, 30) });
      const { database, ingestDocuments } = folders.corpus;
      const result = await folders.ingest(
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
      expect(await paths()).to.deep.equal(["a.txt", "b.txt", "c.txt"]);
      expect(await folders.ingest("library", { prune: true })).to.include({ removed: 1, failed: 0 });
    });
  });

  it("counts a document that can't be stored as failed, alone of its batch", async () => {
    await folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30), "c.txt": prose(3, 30) });
    const { ingestDocuments } = folders.corpus;
    const refusing = {
      ingestDocuments: (documents: Parameters<typeof ingestDocuments>[0]) =>
        documents.some(({ filename }) => filename === "b.txt")
          ? Promise.reject(new Error("no room for b"))
          : ingestDocuments(documents),
    };
    const result: FolderIngest = await folders.ingest("library", {}, refusing);
    expect(result).to.deep.include({ ...NOTHING, added: 2, failed: 1, chunks: 2 });
    expect(result.failures).to.deep.equal([
      { path: "b.txt", reason: "It could not be stored. no room for b" },
    ]);
    await expectMatchable();
  });

  it("leaves a document pending that can't be fingerprinted, and tries it again the next time", async () => {
    await folders.write("library", { "a.txt": prose(1, 30), "b.txt": prose(2, 30) });
    const { fingerprintDocuments, database } = folders.corpus;
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
      const result = await folders.ingest("library", {}, refusing);
      expect(result).to.include(expected);
      expect(result.failures.map(({ path }) => path)).to.deep.equal(["b.txt"]);
    }
    expect(await folders.ingest("library")).to.deep.include({ ...NOTHING, unchanged: 2, chunks: 1 });
    await expectMatchable();
  });

  it("refuses what is no folder, and names that are none, before it does anything", async () => {
    await folders.write("library", { "a.txt": prose(1, 30) });
    for (const [name, input, message] of [
      ["nowhere", {}, "There is none at this path."],
      ["library/a.txt", {}, "It is a file, not a folder."],
      ["library", { collection: "" }, "The name of a collection"],
      ["library", { collection: "a/b" }, "The name of a collection"],
      ["library", { collection: "x".repeat(101) }, "The name of a collection"],
    ] as const) {
      const error = await failure(folders.ingest(name, input));
      expect(error).to.have.property("code", "invalid_input");
      expect(error).to.have.property("message").that.includes(message);
    }
    const far = "d".repeat(250);
    await mkdir(folders.at(far, far, far), { recursive: true });
    await writeFile(folders.at(far, far, far, "a.txt"), prose(1, 30));
    expect(await failure(folders.ingest([far, far, far].join("/"))))
      .to.have.property("message")
      .that.includes("--collection");
  });
});

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error,
  );
}
