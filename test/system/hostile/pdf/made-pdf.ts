type Part = string | Buffer;

/** What stands between `obj` and `endobj`, in one piece or several. */
export type PdfObject = Part | readonly Part[];

/**
 * A PDF of the given objects, numbered from 1, of which the first is the catalogue; with a sound table of where they
 * stand, unless `ending` is to take its place. `trailer` adds entries to the trailer.
 */
export function pdfOf(objects: readonly PdfObject[], { trailer = "", ending }: PdfEnding = {}): Buffer {
  const pieces: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = 9;
  const add = (part: Part) => {
    const bytes = typeof part === "string" ? Buffer.from(part, "latin1") : part;
    pieces.push(bytes);
    length += bytes.length;
  };
  for (const object of objects) {
    offsets.push(length);
    add(`${offsets.length} 0 obj\n`);
    for (const part of typeof object === "string" || Buffer.isBuffer(object) ? [object] : object) add(part);
    add("\nendobj\n");
  }
  add(ending?.(length) ?? plainEnding(offsets, length, trailer));
  return Buffer.concat(pieces);
}

export type PdfEnding = {
  readonly trailer?: string;
  /** Writes all that comes after the objects, given the offset at which it begins. */
  readonly ending?: (offset: number) => string;
};

/** A stream with its dictionary; `entries` are those beside its length. */
export function pdfStream(content: Part, entries = ""): PdfObject {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  return [`<</Length ${bytes.length}${entries}>>\nstream\n`, bytes, "\nendstream"];
}

/** Instructions that write one line of text in the font of `pdfPages`. */
export function pdfLine(text: string): string {
  return `BT /F1 12 Tf 72 700 Td (${text}) Tj ET\n`;
}

export type PageOptions = {
  /** Entries of the catalogue, of the page and of its resources. */
  readonly catalogue?: string;
  readonly page?: string;
  readonly resources?: string;
  readonly font?: string;
  /** Objects 6 and on. */
  readonly more?: readonly PdfObject[];
};

/** The objects of a document of one page: catalogue, pages, page, content, font. */
export function onePage(content: PdfObject, options: PageOptions = {}): PdfObject[] {
  const { catalogue = "", page = "", resources = "", font = HELVETICA, more = [] } = options;
  return [
    `<</Type/Catalog/Pages 2 0 R${catalogue}>>`,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>${resources}>>${page}>>`,
    content,
    font,
    ...more,
  ];
}

const HELVETICA = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

function plainEnding(offsets: readonly number[], table: number, trailer: string): string {
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const count = offsets.length + 1;
  return `xref\n0 ${count}\n0000000000 65535 f \n${rows.join("")}trailer\n<</Size ${count}/Root 1 0 R${trailer}>>\nstartxref\n${table}\n%%EOF\n`;
}
