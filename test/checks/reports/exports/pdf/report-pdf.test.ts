import { expect } from "chai";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import comparisonExamples from "../../../../../src/checks/comparisons/api/examples.json" with {
  type: "json",
};
import { ComparisonAnswer } from "../../../../../src/checks/comparisons/api/schema.ts";
import { extractText } from "../../../../../src/extract/extract-text.ts";
import { FALLBACK } from "../../../../../src/http/languages/languages.ts";
import reportExamples from "../../../../../src/report/api/examples.json" with { type: "json" };
import { createMakePdf } from "../../../../../src/report/exports/pdf/report-pdf.ts";
import { Report } from "../../../../../src/report/presented-report.ts";
import { expectProblem } from "../../../../support/expect-problem.ts";
import { useEngine } from "../../../../support/use-engine.ts";
import { prose } from "../../../../support/work/prose.ts";

/** Programs on the same machine may keep the process waiting. */
const TIMEOUT_MS = 120_000;

const HOSTILE =
  '#panic("x") #read("/etc/passwd") $x^2$ *b* _i_ [a](b) \\u{202e} "] #box[ <label> @ref `raw` // /* {{1}}';

/** The foot of a page, which the text runs over. */
const FOOT = /Similarityreport·[\da-f-]{36}\dof\d/g;

/** What is printed, without the white space that the layout moves. */
const printed = (text: string) => text.normalize("NFC").replaceAll(/\s+/g, "");

async function textOf(bytes: Uint8Array): Promise<string> {
  const options = { filename: "report.pdf", accept: ["application/pdf"] as const, textCharsMax: 5_000_000 };
  return printed((await extractText(bytes, options)).text).replaceAll(FOOT, "");
}

describe("reports: the report as a PDF", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const copied = {
    first: prose(1, 60),
    quoted: prose(2, 30).slice(0, -1),
    second: prose(3, 50),
    third: prose(4, 50),
  };
  const own = [prose(11, 60), prose(12, 60), `${prose(13, 30)} ${HOSTILE}`];
  const text = [
    own[0],
    copied.first,
    own[1],
    `»${copied.quoted}« ${prose(14, 20)}`,
    copied.second,
    own[2],
    copied.third,
    `${"x".repeat(500)} Ἀρχή душа שלום ${"字".repeat(120)}`,
  ].join("\n\n");
  let checkId: string;
  const ids: string[] = [];

  before(async () => {
    for (const [name, parts] of Object.entries({
      one: [prose(21, 40), copied.first, prose(22, 40), copied.quoted],
      two: [prose(23, 40), copied.second, prose(24, 40)],
      three: [prose(25, 40), copied.third],
    })) {
      const document = await engine.client.addDocument(`${name}.txt`, parts.join("\n\n"), {
        title: `Source ${name} ${HOSTILE}`,
        source_url: `https://example.org/${name}`,
      });
      ids.push(document.document_id);
    }
    const report = await engine.client.checked(text, { title: `Thesis ${HOSTILE}` });
    checkId = report.check_id;
    for (const [id, note] of [
      [ids[0], `Quoted in chapter 2.\nSecond line ${HOSTILE}`],
      [ids[1], "Wording of the template"],
    ] as const) {
      const [passage] = report.sources.find((source) => source.source_document_id === id)?.passages ?? [];
      const path = `/v1/checks/${checkId}/notes/${passage?.query_start}-${passage?.query_end}-${id}`;
      expect((await engine.client.json("PUT", path, { text: note })).status).to.equal(200);
    }
  });

  async function pdf(query = "") {
    const answer = await engine.client.request(`/v1/checks/${checkId}/report.pdf${query}`);
    if (answer.status !== 200) throw new Error(await answer.text());
    expect(answer.headers.get("content-type")).to.equal("application/pdf");
    expect(answer.headers.get("content-disposition")).to.match(/^attachment; filename=.*\.pdf/);
    return new Uint8Array(await answer.arrayBuffer());
  }

  const excluding = async () => {
    const report = await engine.client.report(checkId);
    const references = report.sources.flatMap(({ source_document_id: id, passages }) =>
      ids.indexOf(id) > 0
        ? passages.map(({ query_start, query_end }) => `${query_start}-${query_end}-${id}`)
        : [],
    );
    expect(references).to.have.lengthOf(2);
    return `?exclude_quotes=true&exclude_passages=${references.join(",")}`;
  };

  it("has the score, all sources, the whole text in its order, and the notes", async () => {
    const report = await engine.client.report(checkId);
    const read = await textOf(await pdf());
    expect(read).to.include(`${report.overall_similarity_pct.toFixed(2)}%`);
    for (const name of ["one", "two", "three"]) {
      expect(read).to.include(printed(`Source ${name} ${HOSTILE}`));
      expect(read).to.include(`https://example.org/${name}`);
    }
    // Passages may begin within a paragraph.
    const unlabelled = read.replaceAll(/\d[=CPT](?:Note\d)?/g, "");
    const paragraphs = text.split("\n\n").slice(0, -1).map(printed);
    const places = paragraphs.map((paragraph) => unlabelled.indexOf(paragraph.slice(0, 100)));
    expect(places).to.not.include(-1);
    expect(places).to.deep.equal(places.toSorted((a, b) => a - b));
    for (const paragraph of paragraphs) expect(unlabelled).to.include(paragraph);
    expect(read)
      .to.include("x".repeat(500))
      .and.to.include(printed("Ἀρχή душа"))
      .and.to.include("字".repeat(120));
    expect(read)
      .to.include(printed(`Second line ${HOSTILE}`))
      .and.to.include(printed("Wording of the template"));
    expect(read).to.include(printed("In the score: text that stands in several sources is counted once"));
    expect(read).to.not.include("Exclusions");
  });

  it("prints each passage beside the text of its source, and the share of each source in the score", async () => {
    const report = await engine.client.report(checkId);
    const read = await textOf(await pdf());
    const [, printedPairs = ""] = read.split(printed("Passages beside their sources"));
    const [pairs = ""] = printedPairs.split("NotesNote1");
    for (const part of Object.values(copied)) {
      const beginning = printed(part).slice(5, 45);
      expect(pairs.split(beginning), part).to.have.lengthOf(3);
    }
    for (const { exclusive_matched_chars: chars, matched_chars: all } of report.sources) {
      expect(chars).to.equal(all);
      const share = `${((100 * chars) / report.compared_chars).toFixed(2)}%`;
      const count = chars.toLocaleString("en");
      expect(read).to.include(`${count}${share}${share}${count}`);
    }
  });

  it("is named after the text, not after its file", async () => {
    const named = async (title: string) => {
      const id = await engine.client.submit("A text.", { title });
      await engine.client.ended(id);
      const answer = await engine.client.request(`/v1/checks/${id}/report.pdf`);
      return decodeURIComponent(answer.headers.get("content-disposition")?.split("UTF-8''")[1] ?? "");
    };
    expect(await named("thesis.docx")).to.equal("thesis – similarity report.pdf");
    expect(await named("Vol. 2.5")).to.equal("Vol. 2.5 – similarity report.pdf");
    expect(await named(".pdf")).to.equal("pdf – similarity report.pdf");
  });

  it("labels each passage with its source and its kind", async () => {
    const report = await engine.client.report(checkId);
    const read = await textOf(await pdf());
    for (const { number, passages } of report.sources)
      for (const { query_start, query_end } of passages) {
        const start = printed([...text].slice(query_start, query_end).join("")).slice(0, 30);
        expect(read).to.match(new RegExp(`${number}=(?:Note\\d)?${start}`));
      }
  });

  it("keeps the numbers of the sources when a filter leaves one out, as do HTML, CSV and the API", async () => {
    const whole = await engine.client.report(checkId);
    const [left, ...others] = whole.sources;
    const query = `?exclude_sources=${left?.source_document_id}`;
    const filtered = await engine.client.report(checkId, query);
    const numbers = (sources: typeof whole.sources) =>
      sources.map(({ number, source_document_id: id }) => [number, id]);
    expect(numbers(filtered.sources)).to.deep.equal(numbers(others));
    expect(filtered.sources.map(({ number }) => number)).to.deep.equal([2, 3]);
    const address = `/v1/checks/${checkId}`;
    const html = await (await engine.client.request(`${address}/report.html${query}`)).text();
    const csv = await (await engine.client.request(`${address}/passages.csv${query}`)).text();
    const read = await textOf(await pdf(query));
    for (const { number, title, source_document_id: id } of others) {
      expect(html).to.match(new RegExp(`id="source-${number}">.*${title.slice(0, 10)}`));
      expect(csv).to.include(`\n${number},${id},`);
      expect(read).to.include(printed(`${number}${title}`));
    }
    expect(html).to.not.include('id="source-1"');
  });

  it("lists what the filters exclude, with the notes on it", async () => {
    const read = await textOf(await pdf(await excluding()));
    const exclusions = read.slice(read.lastIndexOf("Exclusions"));
    expect(exclusions).to.include("Excludedpassages").and.to.include("Matchesinquotationmarks");
    expect(exclusions).to.include(printed(copied.second).slice(0, 60));
    expect(exclusions).to.include(printed(copied.third).slice(0, 60));
    expect(exclusions).to.include(printed(copied.quoted).slice(0, 60));
    expect(exclusions).to.include(printed("Note: Wording of the template"));
    expect(exclusions).to.not.include("Quotedinchapter2");
    expect(read).to.include("2passagesexcluded,listedattheend").and.to.include("Quotationsexcluded");
  });

  it("cuts no word in its excerpts", async () => {
    const report = await engine.client.report(checkId);
    const [first] = report.sources;
    const query = `?exclude_passages=${first?.passages.map((one) => `${one.query_start}-${one.query_end}-${first.source_document_id}`).join(",")}`;
    const read = await textOf(await pdf(query));
    const exclusions = read.slice(read.lastIndexOf("Exclusions"));
    const excerpts = [...exclusions.matchAll(/“([^“”]+)…”/g)].map(([, excerpt = ""]) => excerpt);
    expect(excerpts).to.have.lengthOf(first?.passages.length ?? 0);
    // Without spaces, the excerpt is the beginning of the words up to a whole one.
    const heads = (words: readonly string[]) =>
      words.map((_, at) => printed(words.slice(0, at + 1).join(" ")));
    for (const [at, excerpt] of excerpts.entries()) {
      const { query_start: start, query_end: end } = first?.passages[at] ?? { query_start: 0, query_end: 0 };
      const words = [...text].slice(start, end).join("").split(/\s+/);
      expect(heads(words).map((head) => head.replace(/[.,]$/, ""))).to.include(excerpt.replace(/[.,]$/, ""));
    }
  });

  it("outlines excluded text in its place, and the legend says so", async () => {
    const legend = printed("Text with a grey outline matches too");
    expect(await textOf(await pdf())).to.not.include(legend);
    const bytes = await pdf(await excluding());
    expect(await textOf(bytes)).to.include(legend);
    const html = await engine.client.request(`/v1/checks/${checkId}/report.html${await excluding()}`);
    const outlined = [...(await html.text()).matchAll(/<span class="excluded">([^<]*)<\/span>/g)].map(
      ([, all]) => all,
    );
    expect(outlined.join(""))
      .to.include(copied.second.slice(0, 60))
      .and.to.include(copied.third.slice(0, 60));
  });

  it("has a title, a language, tags, page numbers and links, and the same bytes each time", async () => {
    const bytes = await pdf();
    expect(Buffer.from(await pdf()).equals(Buffer.from(bytes))).to.equal(true);
    const document = await getDocument({ data: bytes.slice() }).promise;
    const { info } = await document.getMetadata();
    expect(info).to.include({ Title: `Thesis ${HOSTILE} · Similarity report`, Language: "en" });
    expect(await document.getMarkInfo()).to.include({ Marked: true });
    const links: unknown[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      for (const { url } of await page.getAnnotations()) if (url !== undefined) links.push(url);
      const { items } = await page.getTextContent();
      const words = items.flatMap((item) => ("str" in item ? item.str : [])).join("");
      expect(printed(words)).to.include(`${number}of${document.numPages}`);
    }
    expect(links).to.have.members(["one", "two", "three"].map((name) => `https://example.org/${name}`));
    await document.loadingTask.destroy();
  });

  it("the HTML document has the same notes and exclusions", async () => {
    const answer = await engine.client.request(`/v1/checks/${checkId}/report.html${await excluding()}`);
    const html = await answer.text();
    expect(html).to.include("Quoted in chapter 2.").and.to.include("Excluded passages");
    expect(html).to.include("<strong>Note:</strong> Wording of the template");
  });

  it("answers errors like the report does", async () => {
    const missing = "/v1/checks/01a1fdd2-fc66-74d3-872a-6fcc3985a6fd/report.pdf";
    await expectProblem(await engine.client.request(missing), 404, "check-not-found");
    const bad = `/v1/checks/${checkId}/report.pdf?min_words=x`;
    await expectProblem(await engine.client.request(bad), 422, "invalid-input", ["min_words"]);
  });

  it("says when it takes too long or too much memory, and ends when the client leaves", async () => {
    const request = {
      kind: "report" as const,
      ...{
        report: Report.parse(reportExamples.report.match.value),
        exclusions: { advice: "", groups: [] },
        pairs: [],
      },
      language: FALLBACK.tag,
    };
    const stays = new AbortController().signal;
    for (const limits of [{ timeMs: 10 }, { memoryMb: 30 }]) {
      const make = createMakePdf(limits);
      const error: unknown = await make(request, stays).catch((reason: unknown) => reason);
      expect(error).to.include({ code: "pdf_too_large" });
    }
    const comparison = ComparisonAnswer.parse(comparisonExamples.comparison.match.value);
    for (const [asked, advice] of [
      [request, "or read the report on its page or as HTML."],
      [{ kind: "comparison", comparison, language: FALLBACK.tag }, "or read the comparison on its page."],
    ] as const) {
      const error: unknown = await createMakePdf({ timeMs: 1 })(asked, stays).catch(
        (reason: unknown) => reason,
      );
      expect(error).to.include({ code: "pdf_too_large" });
      expect(String(error)).to.include(advice);
    }
    const make = createMakePdf({ waitingMax: 0 });
    const leaving = new AbortController();
    const left = make(request, leaving.signal).catch((reason: unknown) => reason);
    const second: unknown = await make(request, stays).catch((reason: unknown) => reason);
    expect(second).to.include({ code: "service_busy" });
    const reason = new Error("the client disconnected");
    leaving.abort(reason);
    expect(await left).to.equal(reason);
    expect(
      Buffer.from(await make(request, stays))
        .subarray(0, 5)
        .toString(),
    ).to.equal("%PDF-");
  });
});
