import { expect } from "chai";
import { z } from "zod";
import { OcrPages } from "../../src/checks/api/schema.ts";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { packagedTesseract, systemTesseract } from "../../src/extract/ocr/tesseract.ts";
import { makePdf } from "../extract/made-documents.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { EngineClient } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { startTestService } from "../support/service.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { scannedPdf } from "../support/work/scanned-pdf.ts";

const TIMEOUT_MS = 240_000;
const DocumentUrl = z.object({ document_url: z.string() });
const COPIED = prose(91, 60);
const WORDS_OF_LINE = 10;

/** A page of 12-point lines, and where the line with a word begins: from the lower left corner, in points. */
function typewritten(text: string): { readonly pdf: Buffer; readonly lineOf: (word: number) => number } {
  const words = text.split(" ");
  const top = 720;
  const lines = Array.from({ length: Math.ceil(words.length / WORDS_OF_LINE) }, (_, at) =>
    words.slice(at * WORDS_OF_LINE, (at + 1) * WORDS_OF_LINE).join(" "),
  );
  const drawn = lines.map((line, at) => `BT /F1 11 Tf 60 ${top - 14 * at} Td (${line}) Tj ET`);
  return {
    pdf: makePdf({ pages: [drawn.join("\n")] }),
    lineOf: (word) => top - 14 * Math.floor(word / WORDS_OF_LINE),
  };
}

describe("a scan without text", function () {
  this.timeout(TIMEOUT_MS);
  const before60 = prose(92, 60);
  const page = typewritten(`${before60} ${COPIED} ${prose(93, 60)}`);
  let scan: Uint8Array = new Uint8Array();

  before(async function () {
    if ((await packagedTesseract()) === undefined && (await systemTesseract()) === undefined) {
      console.log("skipped: no Tesseract is installed");
      this.skip();
    }
    scan = await scannedPdf(page.pdf);
  });

  it("is refused without OCR", async () => {
    const running = await startTestService();
    try {
      const answer = await new EngineClient(running.base).upload("/v1/checks/upload", {
        name: "scan.pdf",
        content: scan,
      });
      const { detail } = await expectProblem(answer, 422, "no-extractable-text");
      expect(detail).to.include("OCR");
    } finally {
      await running.stop();
    }
  });

  describe("with OCR", () => {
    const engine = useEngine({ ocr: true, ocrLanguages: ["eng"], ocrPageMs: 200_000 });
    const browser = useBrowser();
    let checkId = "";

    before(async () => {
      await engine.client.addDocument("source.txt", `${prose(94, 60)} ${COPIED} ${prose(95, 60)}`, {
        title: "The source",
      });
      const report = await engine.client.checkedFile("scan.pdf", scan);
      checkId = report.check_id;
    });

    it("is checked, and its report names the pages and is full", async () => {
      const report = await engine.client.report(checkId);
      expect(report.page_notes).to.deep.equal([{ kind: "ocr", pages: [1] }]);
      expect(report).to.include({ coverage: "full", coverage_reason: null });
      const [source] = report.sources;
      expect(source?.title).to.equal("The source");
      expect(report.overall_similarity_pct).to.be.within(30, 37);
    });

    it("has its words with their places, and other checks have none", async () => {
      const answer = await engine.client.request(`/v1/checks/${checkId}/ocr-pages`);
      const { pages } = OcrPages.parse(await answer.json());
      const words = pages.flatMap(({ lines }) => lines.flatMap((line) => line.words));
      expect(words).to.have.lengthOf(180);
      for (const [at, { y }] of words.entries()) expect(y).to.be.closeTo(page.lineOf(at), 2);
      const { check_id: ofText } = await engine.client.checked("A text of a few words.");
      const none = await engine.client.request(`/v1/checks/${ofText}/ocr-pages`);
      expect(await none.json()).to.deep.equal({ pages: [] });
      const unknown = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";
      await expectProblem(
        await engine.client.request(`/v1/checks/${unknown}/ocr-pages`),
        404,
        "check-not-found",
      );
    });

    it("is added to the corpus by an upload", async () => {
      const added = await scannedPdf(typewritten(prose(96, 150)).pdf);
      const document = await engine.client.addDocument("scanned-source.pdf", added, {
        title: "A scanned source",
      });
      expect(document.page_notes).to.deep.equal([{ kind: "ocr", pages: [1] }]);
      const { sources } = await engine.client.checked(`${prose(97, 40)} ${prose(96, 150)}`);
      expect(sources.map(({ title }) => title)).to.include("A scanned source");
    });

    it("keeps its note when the check is added to the corpus", async () => {
      const path = `/v1/checks/${checkId}/document`;
      const answer = await engine.client.request(path, { method: "POST" });
      const { document_url } = DocumentUrl.parse(await answer.json());
      const document = await engine.client.request(document_url);
      expect(DocumentMetadata.parse(await document.json()).page_notes).to.deep.equal([
        { kind: "ocr", pages: [1] },
      ]);
    });

    it("is shown with the marks upon the copied lines, and the page says that OCR has read it", async () => {
      const { page: shown } = await browser.open(`${engine.client.base}/checks/${checkId}?view=original`);
      await shown.locator("canvas[data-drawn]").first().waitFor();
      await shown.locator(".page-marks mark").first().waitFor();
      const sheet = await shown.locator(".page").first().boundingBox();
      const marks = await Promise.all(
        (await shown.locator(".page-marks mark").all()).map((mark) => mark.boundingBox()),
      );
      const scale = 792 / (sheet?.height ?? 1);
      const middles = marks.map(
        (box) => 792 - ((box?.y ?? 0) + (box?.height ?? 0) / 2 - (sheet?.y ?? 0)) * scale,
      );
      expect(Math.max(...middles)).to.be.closeTo(page.lineOf(60) + 4, 5);
      expect(Math.min(...middles)).to.be.closeTo(page.lineOf(119) + 4, 5);
      expect(await shown.getByText(/Read by text recognition \(OCR\).*page 1/).count()).to.be.above(0);
    });
  });
});
