import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { expect } from "chai";
import type { IngestProgress } from "../../../../src/corpus/ingest/ingest-tally.ts";
import { removeBulkDocuments } from "../../../../src/corpus/upkeep/bulk-documents.ts";
import { makeDocx, makePdf, paragraph } from "../../../extract/made-documents.ts";
import { PARAGRAPHS } from "../../../support/work/paragraphs.ts";
import { prose } from "../../../support/work/prose.ts";
import { failure, MANY, NOTHING, useFolders } from "./folder-corpus.ts";

describe("ingesting a folder", () => {
  const made = useFolders();

  it("makes all documents of the tree matchable, with their names, types and texts", async () => {
    await made.folders.write("library", {
      "plain.txt": prose(1, 400),
      "marked.md": `# ${prose(2, 40)}`,
      "shelf/Page One.PDF": makePdf({ pages: ["BT /F1 12 Tf (A page of words.) Tj ET"] }),
      "shelf/lower/word.docx": makeDocx({ body: paragraph(prose(3, 40)) }),
      "picture.png": "no document",
    });
    const result = await made.folders.ingest("library", { language: "de" });
    const { files } = await made.folders.contents("library");
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
    await made.folders.expectMatchable("library");
  });

  it("changes nothing the second time, even through a link to the folder", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 300), "b/c.txt": prose(2, 30) });
    await made.folders.ingest("library");
    const first = await made.folders.contents("library");
    await symlink(made.folders.at("library"), made.folders.at("other-name"));
    for (const name of ["library", "other-name"]) {
      expect(await made.folders.ingest(name)).to.deep.include({ ...NOTHING, unchanged: 2 });
    }
    expect(await made.folders.contents("library")).to.deep.equal(first);
  });

  it("replaces the document of a file whose bytes have changed", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 900), "b.txt": prose(2, 30) });
    await made.folders.ingest("library");
    await made.folders.write("library", { "a.txt": prose(3, 300), "c.txt": prose(4, 30) });
    expect(await made.folders.ingest("library")).to.deep.include({ added: 1, replaced: 1, unchanged: 1 });
    const { files } = await made.folders.contents("library");
    expect(files.get("a.txt")?.text).to.equal(prose(3, 300));
    await made.folders.expectMatchable("library");
  });

  it("recognises the documents of a moved folder by the name of the collection", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30) });
    expect(await made.folders.ingest("library", { collection: "Our-library_1.0" })).to.include({ added: 1 });
    await rename(made.folders.at("library"), made.folders.at("moved"));
    expect(await made.folders.ingest("moved", { collection: "Our-library_1.0" })).to.deep.include({
      ...NOTHING,
      unchanged: 1,
    });
  });

  it("processes each file once when it runs twice at the same time: the second waits for the first", async () => {
    await made.folders.write("library", MANY);
    const results = await Promise.all([
      made.folders.ingest("library", { prune: true }),
      made.folders.ingest("library", { prune: true }),
    ]);
    expect(results.map(({ added }) => added).toSorted()).to.deep.equal([0, 450]);
    expect(results.map(({ unchanged }) => unchanged).toSorted()).to.deep.equal([0, 450]);
    expect(made.folders.said).to.deep.equal([
      "Another ingest of these documents is running; waiting for it to finish.",
    ]);
    expect(await made.folders.paths("library")).to.have.lengthOf(450);
    await made.folders.expectMatchable("library");
  }).timeout(120_000);

  it("reports its progress", async () => {
    await made.folders.write("library", { ...MANY, "empty.txt": "" });
    const seen: IngestProgress[] = [];
    await made.folders.ingest("library", { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).to.deep.equal({ done: 451, total: 451, totalIsFinal: true, failed: 1, begun: 0 });
    const done = seen.map((progress) => progress.done);
    expect(done).to.deep.equal(done.toSorted((a, b) => a - b));
  });

  it("rejects paths that are not folders and invalid names before it does anything", async () => {
    await made.folders.write("library", { "a.txt": prose(1, 30) });
    for (const [name, input, message] of [
      ["nowhere", {}, "It does not exist."],
      ["library/a.txt", {}, "It is a file, not a folder."],
      ["library", { collection: "" }, "A collection name"],
      ["library", { collection: "a/b" }, "A collection name"],
      ["library", { collection: "x".repeat(101) }, "A collection name"],
    ] as const) {
      const error = await failure(made.folders.ingest(name, input));
      expect(error).to.have.property("code", "invalid_input");
      expect(error).to.have.property("message").that.includes(message);
    }
    const far = "d".repeat(250);
    await mkdir(made.folders.at(far, far, far), { recursive: true });
    await writeFile(made.folders.at(far, far, far, "a.txt"), prose(1, 30));
    expect(await failure(made.folders.ingest([far, far, far].join("/"))))
      .to.have.property("message")
      .that.includes("--collection");
  });

  it("tells how many documents are in work, and none at the end", async () => {
    await made.folders.write("library", MANY);
    const begun: number[] = [];
    await made.folders.ingest("library", { onProgress: (progress) => begun.push(progress.begun) });
    expect(Math.max(...begun)).to.be.within(200, 450);
    expect(begun.at(-1)).to.equal(0);
  }).timeout(120_000);

  it("detects the language of each file unless it is stated; unchanged files keep theirs", async () => {
    const { de, fr } = PARAGRAPHS;
    await made.folders.write("library", { "de.txt": de, "fr.txt": fr, "short.txt": "Bonjour." });
    const first = await made.folders.ingest("library", { language: undefined });
    expect(first.languages).to.have.deep.members([
      { language: "de", languageOrigin: "detected", count: 1 },
      { language: "fr", languageOrigin: "detected", count: 1 },
      { language: "en", languageOrigin: "default", count: 1 },
    ]);
    const languages = async () => {
      const rows = await made.folders.corpus.database.query<{ row: string }>(
        "select concat_ws(' ', path, language, language_origin) as row from documents order by path",
      );
      return rows.map(({ row }) => row);
    };
    const detected = ["de.txt de detected", "fr.txt fr detected", "short.txt en default"];
    expect(await languages()).to.deep.equal(detected);
    const second = await made.folders.ingest("library", { language: "it" });
    expect(await languages()).to.deep.equal(detected);
    expect(second.languages).to.deep.equal([]);
  });

  it("says which languages unchanged documents keep, and how to change them", async () => {
    await made.folders.write("library", {
      "a.txt": prose(1, 30),
      "b.txt": prose(2, 30),
      "c.txt": prose(3, 30),
    });
    await made.folders.ingest("library", { language: "de" });
    await made.folders.write("library", { "c.txt": prose(4, 30), "d.txt": prose(5, 30) });
    await made.folders.ingest("library", { language: "fr" });
    const [line = "", ...more] = made.folders.said;
    expect(more).to.deep.equal([]);
    expect(line).to.match(/^2 unchanged documents keep their language \(2 de\); .* fr\./);

    const [, collection = "", language = ""] =
      /npm run corpus:remove -- --collection '([^']+)' --language (\w+)$/.exec(line) ?? [];
    const selection = { collection, languages: [language] };
    const removed = await removeBulkDocuments(made.folders.corpus, {
      ...{ selection, collections: [selection], say: () => undefined },
    });
    expect(removed).to.equal(2);
    expect(await made.folders.paths("library")).to.deep.equal(["c.txt", "d.txt"]);
    expect(await made.folders.ingest("library", { language: "fr" })).to.include({ added: 2, unchanged: 2 });
    expect(made.folders.said).to.deep.equal([]);
  });
});
