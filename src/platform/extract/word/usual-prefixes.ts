import { ATTRIBUTES } from "./xml-text.ts";

const TAG = new RegExp(`<${ATTRIBUTES}>`, "g");

/** The prefixes that nearly every program uses, by the namespaces of transitional and strict documents. */
const USUAL_PREFIXES: ReadonlyMap<string, string> = new Map([
  ["http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"],
  ["http://purl.oclc.org/ooxml/wordprocessingml/main", "w"],
  ["http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"],
  ["http://purl.oclc.org/ooxml/officeDocument/relationships", "r"],
  ["http://schemas.openxmlformats.org/drawingml/2006/main", "a"],
  ["http://purl.oclc.org/ooxml/drawingml/main", "a"],
  ["http://schemas.openxmlformats.org/drawingml/2006/chart", "c"],
  ["http://purl.oclc.org/ooxml/drawingml/chart", "c"],
  ["http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", "wp"],
  ["http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", "wp"],
  ["http://schemas.openxmlformats.org/drawingml/2006/picture", "pic"],
  ["http://purl.oclc.org/ooxml/drawingml/picture", "pic"],
  ["http://schemas.openxmlformats.org/markup-compatibility/2006", "mc"],
  ["http://schemas.microsoft.com/office/word/2010/wordprocessingShape", "wps"],
  ["http://schemas.microsoft.com/office/word/2010/wordprocessingGroup", "wpg"],
  ["http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas", "wpc"],
  ["urn:schemas-microsoft-com:vml", "v"],
]);

/**
 * Gives the namespaces of an office document the prefixes that are usual, so that its tags can be told by their names
 * alone. Programs that rewrite documents with a general XML library often number the prefixes (`ns0:p`).
 */
export function withUsualPrefixes(xml: string): string {
  const renames = new Map<string, string>();
  for (const [, prefix = "", uri = ""] of xml.matchAll(/\sxmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g)) {
    const usual = USUAL_PREFIXES.get(uri);
    if (usual !== undefined && usual !== prefix) renames.set(prefix, usual);
  }
  if (renames.size === 0) return xml;
  const names = [...renames.keys()].map((prefix) => prefix.replaceAll(".", "\\.")).join("|");
  const declared = new RegExp(`(\\sxmlns:)(${names})(?=\\s*=)`, "g");
  const used = new RegExp(`(^</?|\\s)(${names})(?=:)`, "g");
  const rename = (_all: string, before: string, prefix: string) => before + (renames.get(prefix) ?? prefix);
  return xml.replace(TAG, (tag) => tag.replace(declared, rename).replace(used, rename));
}
