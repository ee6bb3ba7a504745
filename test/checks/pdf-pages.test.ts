import { expect } from "chai";
import type { WireReport } from "../support/client.ts";
import { useEngine } from "../support/use-engine.ts";
import { pagedPdf as asPdf, PAGED_HEADER as HEADER } from "../support/work/paged-pdf.ts";
import { prose } from "../support/work/prose.ts";

describe("checks of PDFs with headers and page numbers", () => {
  const engine = useEngine();
  const copied = prose(71, 300);
  const own = [prose(72, 90), prose(73, 90)] as const;
  let report: WireReport;

  before(async () => {
    await engine.client.addDocument("copied.pdf", asPdf(copied, 14));
    report = await engine.client.checkedFile("thesis.pdf", asPdf(`${own[0]} ${copied} ${own[1]}`, 12));
  });

  it("find a copy over several pages as one passage", () => {
    expect(report.sources.map(({ passages }) => passages.length)).to.deep.equal([1]);
    expect(report.sources[0]?.passages[0]?.match_type).to.equal("identical");
  });

  it("name headers, footers and page numbers, which are not compared", () => {
    const characters = [...report.query_text];
    const margins = report.page_margins.map(([start, end]) => characters.slice(start, end).join(""));
    expect(margins.join("").split(HEADER).length - 1).to.equal(report.query_text.split(HEADER).length - 1);
    expect(margins.join("")).to.include("Page 2");
    expect(report.query_text).to.include(HEADER);
  });

  it("match no header of a document in the corpus", async () => {
    const other = await engine.client.checkedFile("other.pdf", asPdf(prose(74, 300), 12));
    expect(other.sources).to.deep.equal([]);
  });

  it("read documents of the corpus without headers and page numbers", async () => {
    const id = report.sources[0]?.source_document_id;
    const document = await engine.client.request(`/v1/checks/${report.check_id}/sources/${id}/text`);
    const { text } = (await document.json()) as { text: string };
    expect(text).not.to.match(/Proceedings|Page \d/);
    expect(text.replaceAll(/\s+/g, " ").trim()).to.equal(copied);
  });
});
