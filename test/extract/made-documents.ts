import { deflateSync } from "node:zlib";
import { zipSync } from "fflate";

type PdfParts = {
  /** Drawing instructions of each page. */
  readonly pages: readonly (string | Buffer)[];
  /** The font dictionary; Helvetica unless given. */
  readonly font?: string;
  /** Further entries of the trailer, such as `/Encrypt`. */
  readonly trailer?: string;
  /** The annotations of every page, as dictionaries in a row. */
  readonly annotations?: string;
  /** Further resources of every page, and further entries of it. */
  readonly resources?: string;
  /** Further fonts of every page. */
  readonly fonts?: string;
  /** Further entries of the catalogue. */
  readonly catalog?: string;
  /** Further objects; the first one has the number 4 + 2 × the number of pages. */
  readonly objects?: readonly string[];
  readonly page?: string;
};

const HELVETICA = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

/** Instructions that write one line of text. */
export function line(text: string): string {
  return `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
}

/** A small but complete PDF, its pages compressed. */
export function makePdf(parts: PdfParts): Buffer {
  const {
    pages,
    font = HELVETICA,
    trailer = "",
    annotations = "",
    resources = "",
    fonts = "",
    page = "",
    catalog = "",
    objects = [],
  } = parts;
  const written: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  const add = (part: string | Buffer) => {
    const bytes = typeof part === "string" ? Buffer.from(part, "latin1") : part;
    written.push(bytes);
    length += bytes.length;
  };
  const addObject = (...body: (string | Buffer)[]) => {
    offsets.push(length);
    for (const part of [`${offsets.length} 0 obj\n`, ...body, "\nendobj\n"]) add(part);
  };
  const pageNumbers = pages.map((_, i) => 4 + 2 * i);
  add("%PDF-1.4\n");
  addObject(`<</Type/Catalog/Pages 2 0 R${catalog}>>`);
  addObject(`<</Type/Pages/Kids[${pageNumbers.map((n) => `${n} 0 R`).join(" ")}]/Count ${pages.length}>>`);
  addObject(font);
  for (const [i, content] of pages.entries()) {
    const packed = deflateSync(content);
    const uses = `/Resources<</Font<</F1 3 0 R${fonts}>>${resources}>>/Annots[${annotations}]${page}`;
    addObject(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${5 + 2 * i} 0 R${uses}>>`);
    addObject(`<</Length ${packed.length}/Filter/FlateDecode>>\nstream\n`, packed, "\nendstream");
  }
  for (const object of objects) addObject(object);
  const table = length;
  add(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) add(`${String(offset).padStart(10, "0")} 00000 n \n`);
  add(`trailer\n<</Size ${offsets.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${table}\n%%EOF\n`);
  return Buffer.concat(written);
}

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const DOCUMENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** A part that the document refers to. */
type RelatedPart = {
  readonly id?: string;
  /** The last word of the relationship's type. */
  readonly type: string;
  /** The part's name below `word/`. */
  readonly name: string;
  readonly content: string | Buffer;
  /** The part's media type, where the package states it. */
  readonly mediaType?: string;
};

type DocxParts = {
  /** The XML inside `w:body`. */
  readonly body: string;
  /** The XML inside `w:footnotes`. */
  readonly footnotes?: string;
  /** The content type of the main part. */
  readonly mainType?: string;
  /** The XML inside the core properties. */
  readonly properties?: string;
  readonly related?: readonly RelatedPart[];
};

/** The XML of a paragraph with one run. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A header, footer or other part of Word's own XML. */
export function wordPart(root: string, content: string): string {
  return `<w:${root} xmlns:w="${WORD}">${content}</w:${root}>`;
}

/** A Word document of the fewest parts, stored uncompressed. */
export function makeDocx(parts: DocxParts): Buffer {
  const { body, footnotes, mainType = DOCUMENT_TYPE, properties, related = [] } = parts;
  const override = (name: string, type: string) =>
    `<Override PartName="/word/${name}" ContentType="${type}"/>`;
  const overrides = [
    override("document.xml", mainType),
    ...related.map(({ name, mediaType }) => (mediaType === undefined ? "" : override(name, mediaType))),
  ];
  const relationships = related.map(
    ({ id = "", type, name }) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${name}"/>`,
  );
  const rels = (content: string) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${content}</Relationships>`;
  return makeZip({
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join("")}</Types>`,
    "_rels/.rels": rels(
      `<Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/><Relationship Id="r2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
    ),
    ...(properties !== undefined && {
      "docProps/core.xml": `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${properties}</cp:coreProperties>`,
    }),
    "word/document.xml": `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": rels(relationships.join("")),
    ...(footnotes !== undefined && { "word/footnotes.xml": wordPart("footnotes", footnotes) }),
    ...Object.fromEntries(related.map(({ name, content }) => [`word/${name}`, content])),
  });
}

/** An archive of files, stored uncompressed. */
export function makeZip(parts: Readonly<Record<string, string | Buffer>>): Buffer {
  const files = Object.entries(parts).map(([name, content]) => [name, Buffer.from(content)]);
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
}

/** Offset of the first entry of an archive's central directory, for tests that damage it. */
export function directoryOffset(zip: Buffer): number {
  return zip.readUInt32LE(zip.length - 6);
}
