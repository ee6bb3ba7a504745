import { expect } from "chai";
import { readWordHtml } from "../../../src/extract/word/word-html.ts";
import { openWordPackage } from "../../../src/extract/word/word-package.ts";
import { readWordText } from "../../../src/extract/word/word-text.ts";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { makeDocx, makeZip, paragraph, wordPart } from "../made-documents.ts";

async function read(docx: Buffer): Promise<string> {
  return (await readWordText(await openWordPackage(docx, []))).text;
}

async function refusal(docx: Buffer): Promise<string> {
  try {
    return `no error, but the text ${JSON.stringify(await read(docx))}`;
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

function run(text: string): string {
  return `<w:r><w:t>${text}</w:t></w:r>`;
}

describe("readWordText: the visible text", () => {
  it("reads simple fields, links, inserted and moved text, text in another direction and ruby without its reading aid", async () => {
    const body =
      `<w:p><w:fldSimple w:instr="AUTHOR">${run("field ")}</w:fldSimple>` +
      `<w:hyperlink r:id="none" w:anchor="there">${run("link ")}</w:hyperlink>` +
      `<w:ins w:id="1">${run("inserted ")}</w:ins><w:moveTo w:id="2">${run("moved ")}</w:moveTo>` +
      `<w:moveFrom w:id="3">${run("from here")}</w:moveFrom><w:bdo w:val="rtl">${run("turned ")}</w:bdo>` +
      `<w:r><w:ruby><w:rt>${run("kanji")}</w:rt><w:rubyBase>${run("漢字")}</w:rubyBase></w:ruby></w:r></w:p>`;
    expect(await read(makeDocx({ body }))).to.equal("field link inserted moved turned 漢字\n\n");
  });

  it("reads tables and content controls in each other however deep, and so does the view", async () => {
    for (const [start, end] of [
      ["<w:tbl><w:tblPr/><w:tr><w:tc><w:tcPr/>", "</w:tc></w:tr></w:tbl>"],
      ["<w:sdt><w:sdtPr/><w:sdtContent>", "</w:sdtContent></w:sdt>"],
    ] as const)
      for (const depth of [49, 400, 3_000]) {
        const levels = Array.from({ length: depth }, (_, at) => at);
        const body = `${levels.map((at) => start + paragraph(`level ${at}`)).join("")}${end.repeat(depth)}${paragraph("behind")}`;
        const docx = makeDocx({ body });
        expect(await read(docx)).to.equal(`${levels.map((at) => `level ${at}\n\n`).join("")}behind\n\n`);
        const html = await readWordHtml(await openWordPackage(docx, []));
        expect(html.match(/level \d+|behind/g)).to.deep.equal([
          ...levels.map((at) => `level ${at}`),
          "behind",
        ]);
        expect(html).to.match(/<p>behind<\/p>$/);
      }
  });

  it("reads a text box once, whether it is written for new programs, for old ones or for both", async () => {
    const content = `<w:txbxContent>${paragraph("in the box")}</w:txbxContent>`;
    const modern = `<w:drawing xmlns:wps="wps" xmlns:wp="wp"><wp:anchor distT="0"><wp:posOffset>12</wp:posOffset><wps:txbx>${content}</wps:txbx></wp:anchor></w:drawing>`;
    const old = `<w:pict xmlns:v="v"><v:oval title="a > b"><v:textbox>${content}</v:textbox></v:oval></w:pict>`;
    const both = `<mc:AlternateContent xmlns:mc="mc"><mc:Choice Requires="wps">${modern}</mc:Choice><mc:Fallback>${old}</mc:Fallback></mc:AlternateContent>`;
    for (const box of [modern, old, both]) {
      const body = `<w:p>${run("before")}<w:r>${box}</w:r>${run(" after")}</w:p>`;
      expect(await read(makeDocx({ body }))).to.equal("before after\n\nin the box\n\n");
    }
  });

  it("reads of alternatives the first choice that Word understands, otherwise the fallback, also in each other", async () => {
    const choice = (requires: string, content: string) =>
      `<mc:Choice Requires="${requires}">${content}</mc:Choice>`;
    const fallback = (content: string) => `<mc:Fallback>${content}</mc:Fallback>`;
    const group = (...content: string[]) => `<mc:AlternateContent>${content.join("")}</mc:AlternateContent>`;
    const text = (own: string) => `<w:t>${own}</w:t>`;
    const cases: [content: string, expected: string][] = [
      [group(choice("foo", text("new")), fallback(text("old"))), "old"],
      [group(choice("w99", text("new")), fallback(text("old"))), "old"],
      [group(choice("wps", text("new")), fallback(text("old"))), "new"],
      [group(choice("wps foo", text("new")), fallback(text("old"))), "old"],
      [
        group(
          choice("foo", text("1")),
          choice("w15", text("2")),
          choice("wps", text("3")),
          fallback(text("4")),
        ),
        "2",
      ],
      [group(choice("foo", text("new"))), ""],
      [group(choice("foo", group(choice("wps", text("inner")))), fallback(text("old"))), "old"],
      [group(choice("foo", text("1")), fallback(group(choice("bar", text("2")), fallback(text("3"))))), "3"],
      [group(choice("wps", group(choice("foo", text("1")), fallback(text("2")))), fallback(text("3"))), "2"],
    ];
    const namespaces =
      'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:foo="urn:x-foo" xmlns:bar="http://example.org/bar" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"';
    for (const [content, expected] of cases) {
      const body = `<w:p ${namespaces}>${run("[")}<w:r>${content}</w:r>${run("]")}</w:p>`;
      expect(await read(makeDocx({ body })), content).to.equal(`[${expected}]\n\n`);
    }
  });

  it("reads letters that are set as symbols of a text font, and those of symbol fonts as their signs", async () => {
    const symbol = (font: string, char: string) => `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`;
    const body = `<w:p>${run("b")}${symbol("Times New Roman", "F065")}${run("ll &amp; ")}${symbol("Arial", "F0E9")}${symbol("Calibri", "0416")}${symbol("Calibri", "F03C")}${symbol("Symbol", "F061")}</w:p>`;
    expect(await read(makeDocx({ body }))).to.equal("bell & éЖ<α\n\n");
    const html = await readWordHtml(await openWordPackage(makeDocx({ body }), []));
    expect(html).to.equal("<p>bell &amp; éЖ&lt;α</p>");
  });

  it("reads the words of WordArt behind their paragraph, and plain text in formulas, but no signs and names of functions", async () => {
    const art = `<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><v:textpath style="a" string="Bells &amp; &quot;towers&quot;"/></v:shape></w:pict></w:r>`;
    const mathRun = (properties: string, text: string) =>
      `<m:r><m:rPr>${properties}</m:rPr><m:t>${text}</m:t></m:r>`;
    const upright = '<m:sty m:val="p"/>';
    const formula = `<m:oMathPara xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMath>${mathRun("", "x=2y")}${mathRun("<m:nor/>", " for all ")}${mathRun(upright, "sin")}${mathRun(upright, "the old workers")}</m:oMath></m:oMathPara>`;
    const body = `<w:p>${run("before ")}${art}${formula}${run(" after")}</w:p>`;
    expect(await read(makeDocx({ body }))).to.equal(
      'before  for all the old workers after\n\nBells & "towers"\n\n',
    );
  });

  it("reads sentences that are set as formulas, and upright words that are one each", async () => {
    const formula = (properties: string, text: string) =>
      `<m:oMath><m:r><m:rPr>${properties}</m:rPr><m:t>${text}</m:t></m:r></m:oMath>`;
    const upright = '<m:sty m:val="p"/>';
    const body = `<w:p>${formula("", "the old workers said")}${run(" ")}${formula(upright, "so")}${run(" ")}${formula("", "a+b")}</w:p>`;
    expect((await read(makeDocx({ body }))).trim()).to.equal("the old workers said so");
  });

  it("reads past a formula of letters without a break", async () => {
    const letters = "a".repeat(400_000);
    const body = `<w:p>${run("before")}<m:oMath><m:r><m:t>${letters}</m:t></m:r></m:oMath>${run(" after")}</w:p>`;
    expect((await read(makeDocx({ body }))).trim()).to.equal("before after");
  });

  it("reads strict documents, and those with numbered prefixes or none", async () => {
    const strict = "http://purl.oclc.org/ooxml/wordprocessingml/main";
    const usual = wordPart(
      "document",
      `<w:body><w:p><w:fldSimple>${run("ns: w:p text")}</w:fldSimple></w:p></w:body>`,
    );
    const numbered = usual
      .replaceAll("<w:", "<ns0:")
      .replaceAll("</w:", "</ns0:")
      .replace("xmlns:w", "xmlns:ns0");
    const unprefixed = usual.replaceAll(/<(\/?)w:/g, "<$1").replace("xmlns:w", "xmlns");
    for (const xml of [usual, numbered, unprefixed].flatMap((one) => [
      one,
      one.replace(/="http[^"]*"/, `="${strict}"`),
    ])) {
      const docx = makeZip({ "[Content_Types].xml": "<Types/>", "word/document.xml": xml });
      expect(await read(docx)).to.equal("ns: w:p text\n\n");
    }
  });

  it("finds parts by their relationships, whatever the case of their names", async () => {
    const docx = makeZip({
      "[content_types].xml":
        '<Types><Override PartName="/text/main.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      "_rels/.rels":
        "<Relationships><Relationship Type='a/officeDocument' Target='/Text/Main.xml'/></Relationships>",
      "text/main.xml": wordPart(
        "document",
        `<w:body><w:p>${run("body")}<w:r><w:endnoteReference w:id="1"/></w:r></w:p></w:body>`,
      ),
      "text/_rels/main.xml.rels":
        '<Relationships><Relationship Id="e" Type="a/endnotes" Target="../notes/end.xml"/></Relationships>',
      "notes/end.xml": wordPart("endnotes", `<w:endnote w:id="1">${paragraph("note")}</w:endnote>`),
    });
    expect(await read(docx)).to.equal("body\n\nnote\n\n");
  });

  it("reads notes behind the paragraphs that refer to them, also notes to notes, but none of deleted text", async () => {
    const reference = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const note = (id: number, content: string) => `<w:footnote w:id="${id}">${content}</w:footnote>`;
    const body =
      `<w:p>${run("body")}${reference(3)}<w:del w:id="9">${reference(2)}</w:del></w:p>` +
      `<w:p>${run("again")}${reference(1)}${reference(3)}</w:p>`;
    const footnotes =
      note(0, paragraph("separator")) +
      note(1, paragraph("first")) +
      note(2, paragraph("deleted")) +
      note(3, `<w:p><w:r><w:footnoteRef/></w:r>${run("third")}${reference(4)}</w:p>`) +
      note(4, paragraph("nested"));
    expect(await read(makeDocx({ body, footnotes }))).to.equal(
      "body\n\nthird\n\nnested\n\nagain\n\nfirst\n\n",
    );
  });

  it("reads each header and footer once, however often it is used, and no page numbers alone", async () => {
    const part = (type: "header" | "footer", name: string, content: string) => ({
      type,
      name: `${name}.xml`,
      content: wordPart(type === "header" ? "hdr" : "ftr", content),
    });
    const related = [
      part("header", "header1", paragraph("The title of the thesis")),
      part("header", "header2", paragraph("The title of the thesis")),
      part("footer", "footer1", paragraph("17")),
      part("footer", "footer2", paragraph("Printed in Turin")),
      { type: "header", name: "header3.xml", content: wordPart("hdr", "").replace("></w:hdr>", "/>") },
    ];
    const text = await read(makeDocx({ body: paragraph("body"), related }));
    expect(text).to.equal("body\n\nThe title of the thesis\n\nPrinted in Turin\n\n");
  });

  it("reads the words of charts and diagrams, each once and without figures, and no comments", async () => {
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/main"><d:p><d:r><d:t>Sales &amp; </d:t></d:r><d:r><d:t>costs</d:t></d:r></d:p><c:strCache><c:v>North</c:v><c:v>2024</c:v></c:strCache><c:strCache><c:v>North</c:v></c:strCache><c:numCache><c:formatCode>General</c:formatCode><c:v>5</c:v></c:numCache></c:chartSpace>';
    const diagram =
      '<dgm:dataModel xmlns:dgm="x" xmlns:a="y"><dgm:t><a:p><a:t>First step</a:t></a:p><a:p><a:t>Second step</a:t></a:p></dgm:t></dgm:dataModel>';
    const related = [
      { type: "chart", name: "charts/chart1.xml", content: chart },
      { type: "diagramData", name: "diagrams/data1.xml", content: diagram },
      {
        type: "comments",
        name: "comments.xml",
        content: wordPart("comments", `<w:comment w:id="1">${paragraph("no")}</w:comment>`),
      },
    ];
    const body = `<w:p>${run("body")}<w:r><w:commentReference w:id="1"/></w:r></w:p>`;
    expect(await read(makeDocx({ body, related }))).to.equal(
      "body\n\nSales & costs\n\nNorth\n\nFirst step\n\nSecond step\n\n",
    );
  });
});

describe("readWordText: files that are embedded as text", () => {
  const chunk = (id: string) => `<w:altChunk r:id="${id}"><w:altChunkPr/></w:altChunk>`;
  const embedded = (name: string, mediaType: string, content: string | Buffer) => ({
    id: "chunk",
    type: "aFChunk",
    name,
    mediaType,
    content,
  });
  const around = (...related: readonly ReturnType<typeof embedded>[]) =>
    makeDocx({ body: paragraph("before") + chunk("chunk") + paragraph("after"), related });

  it("reads HTML, plain text, a web archive and a Word document, where they stand", async () => {
    const archive = "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n<p>in&amp;side</p>";
    const inner = makeDocx({ body: paragraph("in&amp;side") });
    const documentType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
    for (const part of [
      embedded("a.html", "text/html", "<html><body><p>in&amp;side</p></body></html>"),
      embedded("a.xhtml", "application/xhtml+xml", "<p>in&amp;side</p>"),
      embedded("a.txt", "text/plain", "in&side"),
      embedded("a.mht", "message/rfc822", archive),
      embedded("a.docx", documentType, inner),
    ]) {
      expect(await read(around(part)), part.name).to.equal("before\n\nin&side\n\nafter\n\n");
    }
  });

  it("says so when it can't read one, rather than leave a part of the text out", async () => {
    for (const docx of [
      around(embedded("a.rtf", "application/rtf", "{\\rtf1 inside}")),
      around(embedded("a.mht", "message/rfc822", "no page")),
      makeDocx({ body: chunk("nowhere") }),
    ]) {
      expect(await refusal(docx)).to.match(
        /^unreadable_file: .*embedded in the Word document.*save it again/,
      );
    }
  });

  it("calls an embedded file damaged that only says it is a Word document", async () => {
    for (const content of ["text", makeZip({ "readme.txt": "hello" }), makeDocx({ body: "<w:p>" })]) {
      expect(await refusal(around(embedded("a.docx", "", content)))).to.match(/^unreadable_file: .*damaged/);
    }
  });

  it("does not follow documents inside documents for ever", async () => {
    let docx = makeDocx({ body: paragraph("innermost") });
    for (let depth = 0; depth < 4; depth++) docx = around(embedded("a.docx", "", docx));
    expect(await refusal(docx)).to.match(/^unreadable_file/);
  });
});
