import { expect } from "chai";
import { DocumentList } from "../../src/corpus/api/schema.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { hasOcr, scannedText } from "../support/work/scanned-text.ts";
import { BatchClient } from "./batch-client.ts";

describe("a batch with a scan", function () {
  this.timeout(240_000);

  before(async function () {
    if (!(await hasOcr())) this.skip();
  });

  describe("with OCR", () => {
    const engine = useEngine({ ocr: true, ocrLanguages: ["eng"], ocrPageMs: 200_000 });
    const batches = new BatchClient(() => engine.client);

    it("is accepted before the scan is read, compares it, and its member's report names the page", async () => {
      const copied = prose(201, 80);
      const response = await batches.submitFiles(
        {
          "scan.pdf": await scannedText(`${prose(202, 60)} ${copied}`),
          "text.txt": `${copied} ${prose(203, 60)}`,
        },
        { add_to_corpus: "true" },
      );
      expect(response.status).to.equal(202);
      const { batch_id: batchId } = JSON.parse(await response.text());
      const { members } = await batches.ended(batchId);
      expect(members.map(({ name, status }) => [name, status])).to.have.deep.members([
        ["scan.pdf", "compared"],
        ["text.txt", "compared"],
      ]);
      const { pairs } = await batches.report(batchId);
      expect(pairs).to.have.lengthOf(1);
      const scan = members.find(({ name }) => name === "scan.pdf");
      const report = await engine.client.report(scan?.check_id ?? "");
      expect(report.page_notes).to.deep.equal([{ kind: "ocr", pages: [1] }]);
      const listed = await engine.client.request("/v1/corpus/documents");
      const { items } = DocumentList.parse(await listed.json());
      expect(items.map(({ page_notes: notes }) => notes)).to.have.deep.members([
        [{ kind: "ocr", pages: [1] }],
        undefined,
      ]);
    });
  });
});
