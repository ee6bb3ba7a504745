import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { extractText } from "../../src/extract/extract-text.ts";
import { type DocumentProperties, documentProperties } from "../../src/extract/text/document-properties.ts";
import { MEDIA_TYPES } from "../../src/extract/text/extracted-text.ts";
import { line, makeDocx, makePdf, paragraph } from "./made-documents.ts";

const titleOf = (title: unknown, filename = "thesis.docx") =>
  documentProperties({ title, author: undefined }, filename).title;
const authorOf = (author: unknown) => documentProperties({ title: undefined, author }, "thesis.docx").author;

async function read(filename: string, bytes: Uint8Array): Promise<DocumentProperties | undefined> {
  const options = { filename, accept: MEDIA_TYPES, textCharsMax: 500_000 };
  return (await extractText(bytes, options)).properties;
}

describe("the title and the author that a file states", () => {
  it("are those that look like a title and the name of a person, in any script", () => {
    for (const title of [
      "Machines and the Shape of Towns",
      "L’extension des villes : une étude",
      "Влияние машин на города",
      "灯塔的历史与未来",
      "تاريخ المنارات في العالم",
      "GPT-4 and 3 other models in 2023",
      "A template for change: how DNA templates switch under stress in yeast",
    ])
      expect(titleOf(title), title).to.equal(title);
    for (const author of [
      "Marlene Ostwald",
      "Müller, Anna",
      "J.-P. O’Brien; Ana de la Cruz",
      "Jean-François Burnol",
      "Анна Иванова",
      "王小明",
      "محمد علي",
    ])
      expect(authorOf(author), author).to.equal(author);
  });

  it("are no name of a file, placeholder, template, identifier or single word", () => {
    for (const title of [
      "Microsoft Word - thesis_final.docx",
      "C:\\d\\df\\tex\\SAMPLE.DVI",
      "C:/Documents and Settings/Anna/qtree/qarrows.dvi",
      "my thesis final.pdf",
      "thesis_final version 2",
      "untitled",
      "Untitled document",
      "Ohne Titel",
      "Word Document",
      "Neues Microsoft Word Dokument",
      "PowerPoint-Präsentation",
      "Title of the Paper",
      "Insert your title here",
      "IEEE Paper Template in A4 (V1)",
      "Vorlage für Abschlussarbeiten",
      "PII: S0140-6736(12)60152-2",
      "10.1000/182 - 2012 12 31",
      "eqnarray-org",
      "   ",
      42,
      null,
    ])
      expect(titleOf(title), String(title)).to.equal(null);
    expect(titleOf("Shape of Towns", "shape-of-towns.pdf")).to.equal(null);
  });

  it("name no account, program, device or organisation as the author", () => {
    for (const author of [
      "Administrator",
      "user",
      "Windows User",
      "Microsoft Office User",
      "python-docx",
      "jsmith",
      "HP Inc.",
      "Test User",
      "University of Somewhere",
      "Springer Science",
      "anna@example.org Anna",
      "Anna_Müller x",
      "David Freedman 1465 2001",
      "用户",
      ["Anna Müller"],
    ])
      expect(authorOf(author), String(author)).to.equal(null);
  });

  it("hold no control characters, direction overrides or invisible characters, and no markup", () => {
    expect(titleOf("Machines\u202e and\r\n\tthe\u200b\0 Shape of \ud800Towns\u2069")).to.equal(
      "Machines and the Shape of Towns",
    );
    expect(authorOf("Marlene\u202e  Ostwald\u0007, ")).to.equal("Marlene Ostwald");
    expect(titleOf("تاریخ می\u200cخواهم نوشت")).to.equal("تاریخ می\u200cخواهم نوشت");
    for (const title of [
      "<script>alert(1)</script> a title",
      "Towns &#x202e; and more",
      "A \\textbf{title} here",
    ])
      expect(titleOf(title)).to.equal(null);
    expect(authorOf('Anna <img src=x onerror="alert(1)">')).to.equal(null);
  });

  it("are missing where they are longer than any", () => {
    expect(titleOf("a longer title ".repeat(20).trim())).to.have.length(299);
    expect(titleOf("a longer title ".repeat(21))).to.equal(null);
    expect(titleOf("word ".repeat(5_000_000))).to.equal(null);
    expect(authorOf("Anna Müller, ".repeat(100))).to.equal(null);
  });

  it("are bounded and on one line, whatever a file states", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (stated) => {
        for (const value of Object.values(documentProperties({ title: stated, author: stated }, "a.pdf"))) {
          if (value === null) continue;
          expect(value.isWellFormed() && [...value].length <= 300).to.equal(true);
          expect(value).not.to.match(/[\p{Cc}\p{Bidi_C}]|^\s|\s$/u);
        }
      }),
      { seed: 12, numRuns: 2_000 },
    );
  });

  it("are read from the core properties of a Word document", async () => {
    const properties =
      "<dc:title>Towns &amp; Machines in 1911</dc:title><dc:creator>Marlene Ostwald</dc:creator>";
    const body = paragraph("Some text.");
    expect(await read("a.docx", makeDocx({ body, properties }))).to.deep.equal({
      title: "Towns & Machines in 1911",
      author: "Marlene Ostwald",
    });
    expect(await read("a.docx", makeDocx({ body }))).to.deep.equal({ title: null, author: null });
  });

  it("never refuse a document, however broken or large they are", async () => {
    const body = paragraph("Some text.");
    for (const properties of ["<dc:title>", "<dc:title", "<dc:title ".repeat(500_000), "\0\x01<"])
      expect(await read("a.docx", makeDocx({ body, properties }))).to.deep.equal({
        title: null,
        author: null,
      });
    const pages = [line("Some text.")];
    const xmp = "<x:xmpmeta><rdf:RDF><dc:title><<<";
    const broken = `<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>stream\n${xmp}\nendstream`;
    const pdf = makePdf({ pages, objects: [broken], catalog: "/Metadata 6 0 R", trailer: "/Info 99 0 R" });
    expect(await read("a.pdf", pdf)).to.deep.equal({ title: null, author: null });
  });

  it("are read from the information of a PDF, and from its XMP metadata rather than that", async () => {
    const pages = [line("Some text.")];
    const information = "<</Title(Towns and Machines)/Author(Marlene Ostwald)>>";
    const trailer = "/Info 6 0 R";
    expect(await read("a.pdf", makePdf({ pages, objects: [information], trailer }))).to.deep.equal({
      title: "Towns and Machines",
      author: "Marlene Ostwald",
    });
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">The Shape of Towns</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Ada Berg</rdf:li><rdf:li>Ben Falk</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>`;
    const metadata = `<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>stream\n${xmp}\nendstream`;
    const objects = [information, metadata];
    expect(
      await read("a.pdf", makePdf({ pages, objects, trailer, catalog: "/Metadata 7 0 R" })),
    ).to.deep.equal({
      title: "The Shape of Towns",
      author: "Ada Berg, Ben Falk",
    });
  });

  describe("in files of several programs", () => {
    const folder = new URL("../../../shared/data/", import.meta.url);

    before(function () {
      if (existsSync(folder)) return;
      if (process.env.REQUIRE_SHARED_DATA === "1") throw new Error(`the files are missing: ${folder}`);
      console.log("        the files are not here: skipped");
      this.skip();
    });

    for (const [path, title, author] of [
      ["reported/footnote-copied.docx", "Machines and the Shape of Towns", "Marlene Ostwald"],
      ["documents/testWORD.docx", "Sample Word Document", "Keith Bennett"],
      ["documents/testWORD_2006ml.docx", "My Document Title", null],
      ["documents/testWORD_charts.docx", null, "Allison, Timothy B."],
      ["documents/testPDF.pdf", "Apache Tika - Apache Tika", "Bertrand Delacrétaz"],
      ["documents/testPDF_acroform3.pdf", null, "Dr. Eric Knauel"],
      ["documents/pdfparse-04-valid.pdf", null, null],
    ] as const)
      it(path, async () => {
        const bytes = readFileSync(new URL(path, folder));
        expect(await read(path.split("/")[1] ?? "", bytes)).to.deep.equal({ title, author });
      });
  });
});
