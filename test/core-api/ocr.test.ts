import { expect } from "chai";
import { prose } from "../support/work/prose.ts";
import { hasOcr, scannedText } from "../support/work/scanned-text.ts";
import { useCoreApi } from "./use-core-api.ts";

describe("a submission of a scan by a plug-in", function () {
  this.timeout(240_000);

  before(async function () {
    if (!(await hasOcr())) this.skip();
  });

  describe("with OCR", () => {
    const api = useCoreApi(() => ({ ocr: true, ocrLanguages: ["eng"], ocrPageMs: 200_000 }));

    it("is read after the upload is answered, and its similarity counts the words on it", async () => {
      const copied = prose(211, 80);
      await api.addDocument("source.txt", `${copied} ${prose(212, 40)}`);
      const scan = await scannedText(`${copied} ${prose(213, 80)}`);
      const submission = await api.first.submit(scan, {}, "scan.pdf");
      expect(submission).to.include({ status: "COMPLETE" });
      expect(submission.word_count).to.be.within(150, 165);
      const similarity = await api.first.check(submission.id);
      expect(similarity.overall_match_percentage).to.be.within(40, 60);
    });
  });
});
