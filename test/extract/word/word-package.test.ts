import { expect } from "chai";
import { zipSync } from "fflate";
import { decodeXml, openWordPackage, type WordPackage } from "../../../src/extract/word/word-package.ts";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { directoryOffset, makeDocx, makeZip, paragraph } from "../made-documents.ts";

const PART = "word/document.xml";
const CONTENT = Buffer.from("again and ".repeat(1000));

/** An archive whose main part has this content, compressed. */
function deflatedZip(content: Buffer): Buffer {
  return Buffer.from(zipSync({ [PART]: content, "[Content_Types].xml": Buffer.from("<Types/>") }));
}

async function unpack(zip: Uint8Array, part = PART): Promise<Uint8Array | undefined> {
  const archive = await openWordPackage(zip, []);
  return archive.read(part);
}

async function codeOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
    return "no error";
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

describe("openWordPackage", () => {
  it("gives the bytes of a part, stored or compressed, whatever the case and slashes of its name", async () => {
    const stored = makeZip({ "/WORD\\Document.xml": CONTENT, "[Content_Types].xml": "<Types/>" });
    for (const zip of [deflatedZip(CONTENT), stored]) expect(await unpack(zip)).to.deep.equal(CONTENT);
    expect(await unpack(stored, "word/none.xml")).to.equal(undefined);
  });

  it("reads an archive with a comment", async () => {
    const zip = Buffer.concat([deflatedZip(CONTENT), Buffer.from("comment")]);
    zip.writeUInt16LE(7, zip.length - 9);
    expect(await unpack(zip)).to.deep.equal(CONTENT);
  });

  it("stops at the limit when the archive declares a wrong size", async () => {
    const zip = deflatedZip(Buffer.alloc(65 * 1024 * 1024));
    zip.writeUInt32LE(10, directoryOffset(zip) + 24);
    expect(await codeOf(unpack(zip))).to.equal("unreadable_file");
  }).timeout(120_000);

  it("refuses to read more than the limit in many parts together", async () => {
    const zip = deflatedZip(Buffer.alloc(25 * 1024 * 1024));
    const archive = await openWordPackage(zip, []);
    const readTwice = async (from: WordPackage) => [await from.read(PART), await from.read(PART)];
    await readTwice(archive);
    expect(await codeOf(readTwice(archive))).to.equal("unreadable_file");
  }).timeout(120_000);

  it("rejects an archive that was cut off anywhere", async () => {
    const zip = makeDocx({ body: paragraph("hello") });
    for (let length = 0; length < zip.length; length += 7)
      expect(await codeOf(openWordPackage(zip.subarray(0, length), []))).to.equal("unreadable_file");
  });

  it("rejects a wrong checksum, method or offset, and a damaged directory", async () => {
    const field = (at: number, value: number) => {
      const zip = makeZip({ [PART]: "hello", "[Content_Types].xml": "<Types/>" });
      zip.writeUInt16LE(value, directoryOffset(zip) + at);
      return zip;
    };
    for (const zip of [field(16, 1), field(10, 99), field(42, 7), field(0, 0)])
      expect(await codeOf(unpack(zip))).to.equal("unreadable_file");
  });
});

describe("decodeXml", () => {
  it("decodes UTF-8 and UTF-16 with their marks", () => {
    const text = "<a>é</a>";
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      utf16,
      Buffer.from(utf16).swap16(),
    ]) {
      expect(decodeXml(bytes)).to.equal(text);
    }
  });
});
