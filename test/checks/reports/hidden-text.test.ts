import { expect } from "chai";
import { makePdf } from "../../extract/made-documents.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { expectReportLaws } from "./report-laws.ts";

/** A page with the lines of a text, and white lines between them. */
function page(text: string, white: readonly string[]): string {
  const lines = (text.match(/.{1,80}(?:\s|$)/g) ?? []).map((line) => line.trim());
  const shown = lines.map((line, at) => `BT /F1 10 Tf 72 ${700 - 24 * at} Td (${line}) Tj ET`);
  const hidden = white.map((line, at) => `BT /F1 10 Tf 72 ${688 - 24 * at} Td (${line}) Tj ET`);
  return `${shown.join("\n")}\n1 g\n${hidden.join("\n")}\n0 g`;
}

describe("reports of files that hide text from their reader", () => {
  const engine = useEngine();

  it("do not compare it, flag it with its place, means and length, and show it struck", async () => {
    const copied = prose(9_500, 60);
    await engine.client.addDocument("source.txt", copied);
    const filler = prose(9_501, 10).slice(0, 60);
    const hidden = `${filler} References x y`;
    const file = makePdf({ pages: [page(copied, [filler, "References", "x", "y"])] });
    const report = await engine.client.checkedFile("thesis.pdf", file);
    expect(report.overall_similarity_pct).to.equal(100);
    expect(report.query_text).not.to.include(filler.slice(0, 20));
    const flags = report.integrity_flags;
    expect(flags.map(({ kind }) => kind)).to.deep.equal(flags.map(() => "hidden_text"));
    expect(flags[0]?.hidden).to.deep.equal({
      means: "background_colour",
      chars: hidden.length,
      text: hidden,
    });
    for (const { start, end } of flags) expect(start).to.equal(end);
    expectReportLaws(report);
    const filtered = await engine.client.report(
      report.check_id,
      "?exclude_bibliography=true&exclude_quotes=true",
    );
    expect(filtered.overall_similarity_pct).to.equal(100);
    const html = await (await engine.client.request(`/v1/checks/${report.check_id}/report.html`)).text();
    expect(html).to.include(`<del>${hidden}</del>`);
  });
});
