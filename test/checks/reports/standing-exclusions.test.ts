import { expect } from "chai";
import type { WireDocument, WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { markedTexts } from "./report-laws.ts";

const copied = { declaration: prose(1, 40), abstract: prose(2, 40), body: prose(3, 40) };
const query = [
  `Declaration\n\n${copied.declaration}`,
  `Abstract\n\n${copied.abstract}`,
  `1 Introduction\n\n${prose(4, 60)} ${copied.body} ${prose(5, 60)}`,
].join("\n\n");

describe("decisions, Engine: standing exclusions", () => {
  const engine = useEngine({
    standingExclusions: {
      sources: [],
      collections: [],
      phrases: [copied.abstract.slice(0, -1)],
      sections: ["declaration"],
    },
  });
  let document: WireDocument;
  let report: WireReport;

  before(async () => {
    document = await engine.client.addDocument(
      "source.txt",
      Object.values(copied).join(`\n\n${prose(6, 60)}\n\n`),
    );
    report = await engine.client.checked(query);
  });

  it("leaves phrases and sections out of each report, and says what that took away", () => {
    const marked = markedTexts(report).join("\n");
    expect(marked).to.include(copied.body.slice(0, -1));
    expect(marked)
      .to.not.include(copied.declaration.slice(0, -1))
      .and.to.not.include(copied.abstract.slice(0, -1));
    expect(report.filters).to.equal(null);
    const {
      excluded_chars: chars,
      similarity_pct_without: without,
      ...stated
    } = report.standing_exclusions ?? {};
    expect(stated).to.deep.include({ is_applied: true, sections: ["declaration"] });
    expect(chars).to.be.at.least(copied.declaration.length + copied.abstract.length - 10);
    expect(without).to.be.above(report.overall_similarity_pct);
  });

  it("shows one report with them when asked, and lists what is left out in documents", async () => {
    const read = async (path: string) =>
      (await engine.client.request(`/v1/checks/${report.check_id}/${path}`)).text();
    const whole = JSON.parse(await read("report?standing_exclusions=false"));
    expect(whole.overall_similarity_pct).to.equal(report.standing_exclusions?.similarity_pct_without);
    expect(whole.standing_exclusions.is_applied).to.equal(false);
    expect(whole.filters).to.equal(null);
    const html = await read("report.html");
    expect(html).to.include(
      "The operator leaves this out of all reports: 1 phrase and the section “declaration”.",
    );
    expect(html).to.include("<h3>Left out of all reports</h3>");
  });

  it("names a source by its document", () => {
    expect(report.sources.map(({ source_document_id: id }) => id)).to.deep.equal([document.document_id]);
  });
});

describe("decisions, Engine: standing exclusions of collections", () => {
  const engine = useEngine({
    standingExclusions: { sources: [], collections: ["forms"], phrases: [], sections: [] },
  });

  it("leaves out the documents of a collection", async () => {
    const text = prose(7, 60);
    const { document_id: id } = await engine.client.addDocument("form.txt", text);
    await engine.database.query("update documents set collection = 'forms' where document_id = $1", [id]);
    const report = await engine.client.checked(text);
    expect(report.sources).to.deep.equal([]);
    expect(report.overall_similarity_pct).to.equal(0);
    expect(report.standing_exclusions).to.deep.include({ excluded_passages: 1, similarity_pct_without: 100 });
  });
});
