import { strToU8, zipSync } from "fflate";
import mammoth from "mammoth";

import { inlineEmbeddedFiles } from "./embedded-files.ts";
import { placeNotes } from "./notes-in-place.ts";
import { markHiddenText, stylesFor, withHiddenAsDeleted } from "./word-hidden.ts";
import type { WordPackage } from "./word-package.ts";
import { damaged, openNested, readWordText, relatedPart, stylesOf } from "./word-text.ts";
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
  const styles = await stylesOf(archive, related);
  const prepared = async (part: string) => {
    const xml = await archive.readXml(part);
    if (xml === undefined) return undefined;
    return inlineEmbeddedFiles(
      markHiddenText(unwrapText(xml), stylesFor(xml, styles)),
      part,
      archive,
      async (bytes) => (await readWordText(await openNested(bytes))).text,
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
    return withHiddenAsDeleted(withNotesInPlace(value));
  } catch (cause) {
    throw damaged(cause);
  }
}

const OPTIONS = {
  includeEmbeddedStyleMap: false,
  externalFileAccess: false,
  styleMap: ["u => u", "p[style-name='Title'] => h1:fresh", "p[style-name='Quote'] => blockquote:fresh"],
};

const NOTES_START = /<ol>(?=<li id="(?:foot|end)note-)/;
const NOTES_END = "</li></ol>";
const NOTE_ID = /^<li id="((?:foot|end)note-[^"]*)">/;

/** Moves the notes, which mammoth lists at the end, behind the paragraphs that refer to them, as in the text. They keep their numbers. */
function withNotesInPlace(html: string): string {
  const start = html.search(NOTES_START);
  if (start < 0) return html;
  const items = html
    .slice(start + "<ol>".length, html.lastIndexOf(NOTES_END))
    .split(/<\/li>(?=<li id="(?:foot|end)note-)/);
  const notes = items.map((item, index): [string, string] => [
    NOTE_ID.exec(item)?.[1] ?? "",
    `<ol start="${index + 1}">${item}</li></ol>`,
  ]);
  return placeNotes(html.slice(0, start), new Map(notes), {
    reference: /<a href="#((?:foot|end)note-[^"]*)" id="/g,
    keyOf: ([, id = ""]) => id,
    paragraphEnd(text, from) {
      const end = /<\/(?:p|h\d)>|(?=<\/li>)/g;
      end.lastIndex = from;
      return end.test(text) ? end.lastIndex : -1;
    },
  });
}
