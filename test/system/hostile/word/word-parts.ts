import { paragraph } from "../../../extract/made-documents.ts";
import type { Member } from "./made-zip.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const MAIN_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

export const DOCUMENT_START = `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>`;
export const DOCUMENT_END = "</w:body></w:document>";

/** A main part with the XML inside its body. */
export function documentOf(body: string): string {
  return DOCUMENT_START + body + DOCUMENT_END;
}

/** The XML of a relationship of the main part; `target` is relative to `word/`. */
export function relationship(id: string, type: string, target: string, mode = "Internal"): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}" TargetMode="${mode}"/>`;
}

/** All parts of a small Word file but the main one. */
export function wordParts(...relationships: readonly string[]): Member[] {
  return Object.entries({
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Override PartName="/word/document.xml" ContentType="${MAIN_TYPE}"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${relationships.join("")}</Relationships>`,
  }).map(([name, xml]) => ({ name, bytes: Buffer.from(xml) }));
}

/** All parts of a Word file that holds one paragraph. */
export function wordFile(text: string): Member[] {
  return [...wordParts(), { name: "word/document.xml", bytes: Buffer.from(documentOf(paragraph(text))) }];
}
