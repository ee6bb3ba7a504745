import { expect } from "chai";
import { extractText } from "../../src/extract/extract-text.ts";
import type { ExtractOptions } from "../../src/extract/text/extracted-text.ts";
import { MEDIA_TYPES } from "../../src/extract/text/extracted-text.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { directoryOffset, line, makeDocx, makePdf, makeZip, paragraph } from "./made-documents.ts";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const OPTIONS = { filename: "a.txt", accept: MEDIA_TYPES, textCharsMax: 1000 } as const;

async function read(bytes: Uint8Array | string, options: Partial<ExtractOptions> = {}) {
  return extractText(typeof bytes === "string" ? Buffer.from(bytes) : bytes, { ...OPTIONS, ...options });
}

/** "code: message" of the error, so that one expectation covers both. */
async function refusal(bytes: Uint8Array | string, options: Partial<ExtractOptions> = {}): Promise<string> {
  try {
    const { text } = await read(bytes, options);
    return `no error, but the text ${JSON.stringify(text)}`;
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("extractText: the type is decided by content", () => {
  const pdf = makePdf({ pages: [line("Hello brave new world")] });
  const docx = makeDocx({ body: paragraph("Hello from Word") });

  it("reads a PDF that is called .txt as a PDF", async () => {
    expect(await read(pdf)).to.deep.equal({
      text: "Hello brave new world",
      mediaType: "application/pdf",
      margins: [],
      hidden: [],
      pageNotes: [],
      scanned: [],
      properties: { title: null, author: null },
    });
  });

  it("reads a PDF behind a byte-order mark, and one behind a line of junk", async () => {
    for (const junk of ["\xef\xbb\xbf", "\n\n", "Content-Type: application/pdf\r\n\r\n"]) {
      const { text } = await read(Buffer.concat([Buffer.from(junk, "latin1"), pdf]));
      expect(text).to.equal("Hello brave new world");
    }
  });

  it("reads a text that mentions a PDF header as text", async () => {
    const text = "A PDF starts with %PDF-1.7 and ends with %%EOF.";
    expect(await read(text)).to.deep.equal({
      text,
      mediaType: "text/plain",
      margins: [],
      hidden: [],
      pageNotes: [],
    });
  });

  it("reads a DOCX that is called .pdf, a template and a document with macros as a DOCX", async () => {
    expect((await read(docx, { filename: "a.pdf" })).mediaType).to.equal(DOCX);
    for (const type of ["document.macroEnabled", "template.macroEnabledTemplate"]) {
      const bytes = makeDocx({
        body: paragraph("Macros"),
        mainType: `application/vnd.ms-word.${type}.main+xml`,
      });
      expect(await read(bytes, { filename: "a.docm" })).to.deep.equal({
        text: "Macros\n\n",
        mediaType: DOCX,
        margins: [],
        hidden: [],
        pageNotes: [],
        properties: { title: null, author: null },
      });
    }
  });

  it("calls text Markdown by its name, where Markdown is taken, and else plain text", async () => {
    for (const filename of ["a.md", "A.MARKDOWN"]) {
      expect((await read("# Title", { filename })).mediaType).to.equal("text/markdown");
      expect((await read("# Title", { filename, accept: ["text/plain"] })).mediaType).to.equal("text/plain");
    }
    expect((await read("# Title", { filename: "notes" })).mediaType).to.equal("text/plain");
  });

  it("takes an HTML page only under a name that says text, and text with markup under any name", async () => {
    const page = "\n<!-- a comment -->\n<!DOCTYPE html><html><body>not a pdf</body></html>";
    expect(await refusal(page, { filename: "a.pdf" })).to.match(
      /^unsupported_file_type: .*HTML page.*PDF, DOCX/,
    );
    expect(await refusal(page, { filename: "a.html" })).to.match(/^unsupported_file_type/);
    expect((await read(page, { filename: "a.txt" })).text).to.equal(page);
    const markup = "The element <html> is the root.";
    expect((await read(markup, { filename: "a.pdf" })).text).to.equal(markup);
  });

  it("refuses other formats, and names the types that are taken", async () => {
    const accept = ["application/pdf", DOCX, "text/plain"] as const;
    const files: Record<string, Buffer | string> = {
      "ZIP archive": makeZip({ "readme.txt": "hello" }),
      "not a Word document": makeZip({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>" }),
      "legacy Office": Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 Word.Document.8", "latin1"),
      "RTF document": "{\\rtf1\\ansi Hello}",
      "PNG image": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      "XML document": '<?xml version="1.0"?><svg/>',
      "not text": Buffer.from(Array.from({ length: 500 }, (_, i) => (i * i * 31 + 7 * i) % 256)),
    };
    for (const [reason, bytes] of Object.entries(files)) {
      const message = await refusal(bytes, { accept, filename: "a.docx" });
      expect(message)
        .to.include(reason)
        .and.match(/^unsupported_file_type: .*PDF, DOCX, and plain text/);
    }
  });

  it("refuses a type that the caller does not take", async () => {
    expect(await refusal(pdf, { accept: ["text/plain"] })).to.match(
      /^unsupported_file_type: The file is a PDF\./,
    );
    expect(await refusal(docx, { accept: ["text/plain"] })).to.match(/^unsupported_file_type/);
    expect(await refusal("text", { accept: ["application/pdf"] })).to.match(/^unsupported_file_type/);
  });
});

describe("extractText: files that can't be read", () => {
  it("says that a PDF or a DOCX is protected by a password", async () => {
    const key = "00".repeat(32);
    const encrypt = `/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${key}>/U<${key}>>>/ID[<00><00>]`;
    const office = Buffer.concat([
      Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "latin1"),
      Buffer.alloc(512),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]);
    const zip = makeDocx({ body: paragraph("secret") });
    zip.writeUInt16LE(1, directoryOffset(zip) + 8);
    const atOddOffset = Buffer.alloc(office.length + 1).subarray(1);
    office.copy(atOddOffset);
    for (const bytes of [makePdf({ pages: [line("secret")], trailer: encrypt }), office, atOddOffset, zip]) {
      expect(await refusal(bytes)).to.match(/^unreadable_file: .*password/);
    }
  });

  it("says that a PDF or a DOCX is damaged or incomplete", async () => {
    const docx = makeDocx({ body: paragraph("whole") });
    for (const bytes of [
      makePdf({ pages: [line("whole")] }).subarray(0, 60),
      docx.subarray(0, docx.length - 100),
      makeDocx({ body: "<w:p>" }),
      makeDocx({ body: paragraph("changed") }).map((byte, i, all) =>
        i === Buffer.from(all).indexOf("changed") ? byte + 1 : byte,
      ),
    ]) {
      expect(await refusal(bytes, { filename: "a.docx" })).to.match(/^unreadable_file: .*damaged/);
    }
  });

  it("refuses an archive that declares more than is allowed", async () => {
    const zip = makeDocx({ body: paragraph("bomb") });
    zip.writeUInt32LE(0xf0000000, directoryOffset(zip) + 24);
    expect(await refusal(zip)).to.match(/^unreadable_file: .*more data than is allowed/);
  });

  it("finds no text in an empty file, in white space and in a PDF without a text layer", async () => {
    expect(await refusal("")).to.match(/^no_extractable_text: .*0 bytes/);
    expect(await refusal(" \r\n\t\u00a0\u200b")).to.match(/^no_extractable_text/);
    expect(await refusal(Buffer.from([0xff, 0xfe]))).to.match(/^no_extractable_text/);
    expect(await refusal(makeDocx({ body: "<w:p/>" }))).to.match(/^no_extractable_text/);
    expect(await refusal(makePdf({ pages: ["0 0 9 9 re f"] }))).to.match(/^no_extractable_text: .*scan/);
  });

  it("takes exactly as many code points as allowed, and no more", async () => {
    const pdf = makePdf({ pages: Array.from({ length: 40 }, () => line("0123456789")) });
    const docx = makeDocx({ body: paragraph("\u{1F600}".repeat(11)) });
    expect((await read("\u{1F600}".repeat(10), { textCharsMax: 10 })).text).to.have.length(20);
    for (const bytes of [Buffer.from("\u{1F600}".repeat(11)), docx, pdf]) {
      expect(await refusal(bytes, { textCharsMax: 10 })).to.match(
        /^text_too_long: .*more than 10 characters/,
      );
    }
  });
});

describe("extractText: the text is kept as it is", () => {
  it("keeps line ends, and replaces only what can't be stored", async () => {
    expect((await read("one\r\ntwo\rthree\n four\n\n")).text).to.equal("one\r\ntwo\rthree\n four\n\n");
    expect((await read("a\0b")).text).to.equal("a\uFFFDb");
    const loneSurrogate = Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x00, 0xd8, 0x62, 0x00]);
    expect((await read(loneSurrogate)).text).to.equal("a\uFFFDb");
  });

  it("joins the pages of a PDF by a blank line, without page numbers", async () => {
    const pages = Array.from({ length: 35 }, (_, i) => line(`Page text ${i}`));
    const { text } = await read(makePdf({ pages }));
    expect(text).to.equal(pages.map((_, i) => `Page text ${i}`).join("\n\n"));
  });

  it("keeps the hyphens at the line ends of a PDF", async () => {
    const content = "BT /F1 12 Tf 72 700 Td (hyphen-) Tj 0 -14 Td (ation) Tj ET";
    expect((await read(makePdf({ pages: [content] }))).text).to.equal("hyphen-\nation");
  });

  it("reads Japanese from a PDF that relies on the reader's character maps", async () => {
    const font =
      "<</Type/Font/Subtype/Type0/BaseFont/Mincho/Encoding/90ms-RKSJ-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Mincho/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/Mincho/Flags 4>>>>]>>";
    const shiftJis = "93fa967b8cea"; // 日本語
    const content = `BT /F1 12 Tf 72 700 Td <${shiftJis}> Tj ET`;
    expect((await read(makePdf({ pages: [content], font }))).text).to.equal("日本語");
  });

  it("reads tabs, line breaks, tables and footnotes of a DOCX, each where it belongs", async () => {
    const body =
      '<w:p><w:r><w:rPr><w:b/><w:sz w:val="24"/></w:rPr><w:t>one</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>three</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>' +
      `<w:tbl><w:tr><w:tc>${paragraph("cell A")}</w:tc><w:tc>${paragraph("cell B")}</w:tc></w:tr></w:tbl>` +
      `<w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:r><w:t>last</w:t></w:r></w:p>`;
    const footnotes = `<w:footnote w:id="2">${paragraph("the note")}</w:footnote>`;
    const { text } = await read(makeDocx({ body, footnotes }));
    expect(text).to.equal("one\ntwo\tthree\n\nthe note\n\ncell A\n\ncell B\n\nlast\n\n");
  });
});
