import { crc32, deflateRawSync } from "node:zlib";
import { paragraph } from "../../../extract/made-documents.ts";
import {
  type Answer,
  costly,
  type HostileUpload,
  NO_TEXT,
  TAKEN,
  TEXT,
  TOO_LONG,
  UNREADABLE,
} from "../hostile-upload.ts";
import { type Member, makeZipOf } from "./made-zip.ts";
import { documentOf, relationship, wordParts } from "./word-parts.ts";

const READ = { ...TAKEN, text: `${TEXT}\n\n` } as const;

/** Word files with XML that is made to expand, to fetch or to nest. `beacon` is an address that nobody may ask. */
export function hostileWordXml(beacon: string): readonly HostileUpload[] {
  return [
    word("entities that double a hundred times", [UNREADABLE], () => laughs(documentOf(run("&e100;")))),
    word("an entity of a million characters, used a thousand times", [UNREADABLE], wide),
    word("entities that are declared and not used", [READ, UNREADABLE], () =>
      laughs(documentOf(paragraph(TEXT))),
    ),
    ...[beacon, "file:///etc/passwd", "/etc/passwd"].map((uri) =>
      word(`an entity that stands for ${uri}`, [UNREADABLE], () => external(uri)),
    ),
    word("a document type that lies elsewhere", [READ, UNREADABLE], () => elsewhere(beacon)),
    word(
      "an embedded page, a picture and a template that lie elsewhere",
      [{ ...TAKEN, text: `${TEXT}\n\n\n\n` }],
      () => documentOf(`${paragraph(TEXT)}<w:p><w:r><w:pict><v:imagedata r:id="i"/></w:pict></w:r></w:p>`),
      relationship("i", "image", beacon, "External"),
      relationship("t", "attachedTemplate", beacon, "External"),
    ),
    word(
      "a part of the text that lies elsewhere",
      [UNREADABLE],
      () => documentOf('<w:altChunk r:id="c"/>'),
      relationship("c", "aFChunk", beacon, "External"),
    ),
    word("an embedded page that loads others", [{ ...TAKEN, text: "shown\n\n" }], () => ({
      main: documentOf('<w:altChunk r:id="c"/>'),
      page: `<html><script src="${beacon}"></script><img src="${beacon}"><iframe src="${beacon}"></iframe><p>shown</p></html>`,
    })),
    word("a character that XML can't have", [UNREADABLE, TAKEN], () =>
      documentOf(run("a&#0;&#xFFFFFFFF;&#xD800;b")),
    ),
  ];
}

/** Word files on which a reader's patterns look again and again, or that nest as deep as they like. */
export const WORD_XML_TRAPS: readonly HostileUpload[] = costly([
  ...["w:p", "w:r", "w:tbl", "w:sdt", "mc:AlternateContent", "x"].map((name) =>
    word(`${name} in ${name}, 200,000 deep`, [UNREADABLE, NO_TEXT], () =>
      documentOf(`<${name}>`.repeat(200_000) + `</${name}>`.repeat(200_000)),
    ),
  ),
  word("an embedded page that nests 200,000 deep", [{ ...TAKEN, text: "deep\n\n" }, UNREADABLE], () => ({
    main: documentOf('<w:altChunk r:id="c"/>'),
    page: `${"<div>".repeat(200_000)}deep`,
  })),
  word("a million attributes", [UNREADABLE], () => documentOf(`<w:p ${attributes(1_000_000)}/>`)),
  word("two million empty paragraphs", [NO_TEXT, UNREADABLE, TOO_LONG], () =>
    documentOf("<w:p/>".repeat(2_000_000)),
  ),
  ...[
    "<w:altChunk>",
    "<w:p ",
    '<w:p a="',
    "<w:t><w:t ",
    "</w:t></w:r>",
    "<mc:Fallback>",
    "<w:drawing",
    "<c:numCache>",
    "<!--",
    "<![CDATA[",
    "<?",
    "&",
    "xmlns:a=",
  ].map((piece) =>
    word(`${piece} again and again`, [UNREADABLE, NO_TEXT, TOO_LONG, TAKEN], () =>
      documentOf(fill(piece, 3_000_000)),
    ),
  ),
  ...["<!--", "<![if ", "<meta ", "<p ", "</", "\n ", "<script>"].map((piece) =>
    word(`an embedded page of ${JSON.stringify(piece)}`, [UNREADABLE, NO_TEXT, TOO_LONG, TAKEN], () => ({
      main: documentOf('<w:altChunk r:id="c"/>'),
      page: `<html>${fill(piece, 3_000_000)}`,
    })),
  ),
]);

type Xml = string | { readonly main: string; readonly page: string };

function word(
  name: string,
  answers: readonly Answer[],
  xml: () => Xml,
  ...relationships: string[]
): HostileUpload {
  return {
    name,
    filename: "hostile.docx",
    answers,
    make() {
      const made = xml();
      const { main, page } = typeof made === "string" ? { main: made, page: undefined } : made;
      const embedded = relationship("c", "aFChunk", "page.html");
      const parts = wordParts(...relationships, ...(page === undefined ? [] : [embedded]));
      return makeZipOf([
        ...parts,
        deflated("word/document.xml", main),
        ...(page === undefined ? [] : [deflated("word/page.html", page)]),
      ]);
    },
  };
}

function deflated(name: string, text: string): Member {
  const content = Buffer.from(text);
  return {
    name,
    bytes: deflateRawSync(content, { level: 1 }),
    method: "deflated",
    size: content.length,
    crc: crc32(content),
  };
}

function run(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** "Billion laughs": each entity is two of the one before. */
function laughs(document: string): string {
  const entities = Array.from({ length: 100 }, (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};">`);
  return `<!DOCTYPE d [<!ENTITY e0 "ha">${entities.join("")}]>${document}`;
}

function wide(): string {
  return `<!DOCTYPE d [<!ENTITY e "${"x".repeat(1_000_000)}">]>${documentOf(run("&e;".repeat(1_000)))}`;
}

function external(uri: string): string {
  return `<!DOCTYPE d [<!ENTITY e SYSTEM "${uri}">]>${documentOf(run("&e;"))}`;
}

function elsewhere(uri: string): string {
  return `<!DOCTYPE d SYSTEM "${uri}">${documentOf(paragraph(TEXT))}`;
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, i) => `a${i}="x"`).join(" ");
}

function fill(piece: string, chars: number): string {
  return piece.repeat(Math.ceil(chars / piece.length));
}
