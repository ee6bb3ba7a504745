import { strToU8, zipSync } from "fflate";
import mammoth from "mammoth";

import { inlineEmbeddedFiles } from "./embedded-files.ts";
import type { WordPackage } from "./word-package.ts";
import { damaged, openNested, readWordText, relatedPart } from "./word-text.ts";
import { unwrapText } from "./word-xml.ts";

/** The parts beside the main one that decide how it looks, or hold its notes. */
const PARTS = ["styles", "numbering", "footnotes", "endnotes"] as const;

/**
 * A Word document as HTML: headings, paragraphs, lists, tables, notes, bold, italic, underlined and struck text. It has the text of
 * `readWordText` in the same order, without charts, headers and footers. Pictures and the targets of links are left out. The
 * document's own map of styles to elements, which could ask for any element, is not used.
 * @throws DomainError `unreadable_file` when the XML is damaged.
 */
export async function readWordHtml(archive: WordPackage): Promise<string> {
  const related = await archive.relationships(archive.mainPart);
  const prepared = async (part: string) => {
    const xml = await archive.readXml(part);
    if (xml === undefined) return undefined;
    return inlineEmbeddedFiles(unwrapText(xml), part, archive, async (bytes) =>
      readWordText(await openNested(bytes)),
    );
  };
  const parts = new Map([["document", await prepared(archive.mainPart)]]);
  for (const type of PARTS) parts.set(type, await prepared(relatedPart(archive, related, type)));
  const files = [...parts].flatMap(([name, xml]) =>
    xml === undefined ? [] : [[`word/${name}.xml`, strToU8(xml)] as const],
  );
  const buffer = Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
  try {
    const { value } = await mammoth.convertToHtml({ buffer }, OPTIONS);
    return value;
  } catch (cause) {
    throw damaged(cause);
  }
}

const OPTIONS = {
  includeEmbeddedStyleMap: false,
  externalFileAccess: false,
  styleMap: ["u => u", "p[style-name='Title'] => h1:fresh", "p[style-name='Quote'] => blockquote:fresh"],
};
