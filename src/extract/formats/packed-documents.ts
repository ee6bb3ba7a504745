import { posix } from "node:path";

import { unreadableFile } from "../../platform/domain-error.ts";
import { htmlText } from "../text/html-text.ts";
import { decodeHtml } from "../word/embedded-files.ts";
import type { Package } from "../word/word-package.ts";
import { readAttributes } from "../word/word-xml.ts";
import { type XmlRules, xmlText } from "./xml-text.ts";

/** OpenDocument 1.3, part 3; notes follow their paragraphs, deleted and hidden text is left out. */
const ODT: XmlRules = {
  blocks: "p h list-item table-cell",
  only: "p h",
  skipped:
    "annotation annotation-end tracked-changes note-citation forms title desc ruby-text hidden-text hidden-paragraph",
  notes: "note-body",
  characters: { s: " ", tab: "\t", "line-break": "\v" },
};

/** The text of an OpenDocument text. @throws DomainError `unreadable_file` */
export async function readOpenDocument(archive: Package): Promise<string> {
  return xmlText(await partOf(archive, "content.xml"), ODT);
}

const SLIDE: XmlRules = {
  blocks: "p tc",
  only: "t",
  skipped: "fld",
  characters: { br: "\v" },
};

/** The text of the slides of a presentation (ISO/IEC 29500), in their order. @throws DomainError `unreadable_file` */
export async function readSlides(archive: Package): Promise<string> {
  const main = "ppt/presentation.xml";
  const related = await archive.relationships(main);
  const slides: string[] = [];
  for (const [tag] of (await partOf(archive, main)).matchAll(/<(?:\w+:)?sldId\s[^<>]*>/g)) {
    const id = /\sr:id\s*=\s*["']([^"']*)/.exec(tag)?.[1];
    const part = related.find((one) => one.id === id)?.part;
    if (part !== undefined) slides.push(xmlText(await partOf(archive, part), SLIDE));
  }
  return slides.filter((text) => text !== "").join("\n\n");
}

/** The text of a book in EPUB 2 or 3, its chapters in reading order. A book whose chapters are encrypted is refused; fonts may be. @throws DomainError `unreadable_file` */
export async function readBook(archive: Package): Promise<string> {
  const container = await partOf(archive, "META-INF/container.xml");
  const opf = attributesOf(container, "rootfile")[0]?.get("full-path") ?? "";
  const contents = await partOf(archive, opf);
  const items = new Map(attributesOf(contents, "item").map((item) => [item.get("id"), item]));
  const encrypted = new Set(
    attributesOf((await archive.readXml("META-INF/encryption.xml")) ?? "", "CipherReference").map((one) =>
      decodeURIComponent(one.get("URI") ?? ""),
    ),
  );
  const chapters: string[] = [];
  for (const reference of attributesOf(contents, "itemref")) {
    const item = items.get(reference.get("idref"));
    if (item === undefined || item.get("properties")?.split(" ").includes("nav")) continue;
    const part = posix.join(posix.dirname(opf), decodeURIComponent(item.get("href") ?? ""));
    if (encrypted.has(part))
      throw unreadableFile("The book is protected against copying. Submit a copy without protection.");
    const bytes = await archive.read(part);
    if (bytes !== undefined) chapters.push(htmlText(decodeHtml(bytes)).trim());
  }
  return chapters.filter((text) => text !== "").join("\n\n");
}

function attributesOf(xml: string, element: string): ReadonlyMap<string, string>[] {
  const tags = new RegExp(`<(?:[\\w.-]+:)?${element}\\s[^<>]*>`, "g");
  return Array.from(xml.matchAll(tags), ([tag]) => readAttributes(tag));
}

async function partOf(archive: Package, part: string): Promise<string> {
  const xml = await archive.readXml(part);
  if (xml === undefined) throw unreadableFile(`The file is damaged: its part ${part} is missing.`);
  return xml;
}
