import { expect } from "chai";
import { ocrSettings } from "../../../../src/extract/ocr/ocr-settings.ts";
import { prose } from "../../../support/work/prose.ts";
import { hasOcr, scannedText } from "../../../support/work/scanned-text.ts";
import { useFolders } from "./folder-corpus.ts";

describe("ingesting a folder with a scan", function () {
  this.timeout(240_000);
  const made = useFolders();

  before(async function () {
    if (!(await hasOcr())) this.skip();
  });

  it("names it as failed without OCR; with it, keeps its words and which page OCR has read", async () => {
    const text = prose(221, 120);
    await made.folders.write("library", { "scan.pdf": await scannedText(text), "plain.txt": prose(222, 40) });
    const without = await made.folders.ingest("library");
    expect(without).to.deep.include({ added: 1, failed: 1 });
    const ocr = await ocrSettings({ ocr: true, ocrLanguages: ["eng"], ocrPageMs: 200_000 });
    const result = await made.folders.ingest("library", {}, { ocr });
    expect(result).to.deep.include({ added: 1, unchanged: 1, failed: 0 });
    const { files } = await made.folders.contents("library");
    const scan = files.get("scan.pdf");
    const read = new Set(scan?.text.split(/\s+/));
    const words = text.split(" ");
    expect(words.filter((word) => read.has(word)).length).to.be.at.least(0.97 * words.length);
    const notes = await made.folders.corpus.database.query<{ path: string; notes: unknown }>(
      "select path, page_notes as notes from documents where tenant is null order by path",
    );
    expect(notes.map(({ path, notes: own }) => [path, own])).to.deep.equal([
      ["plain.txt", []],
      ["scan.pdf", [{ kind: "ocr", pages: [1] }]],
    ]);
    await made.folders.expectMatchable("library");
  });
});
