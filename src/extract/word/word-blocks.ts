import { strToU8, zipSync } from "fflate";
import mammoth from "mammoth";

import { ATTRIBUTES } from "./word-xml.ts";

/**
 * UTF-16 code units that mammoth gets at once, because its tree takes many times the memory of the XML. 2.8 million
 * characters in one table of 20,000 rows took 1,673 MB in one piece, 470 MB in slices of a million and 362 MB in
 * these; 20 million in paragraphs of 200 took 1,187, 472 and 482 MB. The time is the same.
 */
const SLICE_CHARS = 300_000;

const DOCUMENT_START =
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w:body>';
const DOCUMENT_END = "</w:body></w:document>";

/**
 * Reads the text of blocks (paragraphs and tables) of simplified XML with mammoth; each paragraph ends in a blank line. Mammoth
 * only reads packages, so each slice becomes one. Breaks and notes, which its raw text leaves out, are text and blocks already.
 * @throws mammoth's error when the XML is damaged.
 */
export async function readBlocks(xml: string): Promise<string> {
  const texts: string[] = [];
  for (const slice of sliceBlocks(xml)) {
    const part = strToU8(DOCUMENT_START + slice + DOCUMENT_END);
    const buffer = Buffer.from(zipSync({ "word/document.xml": part }, { level: 0 }));
    texts.push((await mammoth.extractRawText({ buffer })).value);
  }
  return texts.join("");
}

/**
 * Cuts XML into slices of about `sliceChars` UTF-16 units, between blocks and rows of tables but never in a paragraph. The texts of the
 * slices in a row are the text of the whole. XML whose tags are not balanced comes back whole, so that its reader can judge it.
 */
export function* sliceBlocks(xml: string, sliceChars: number = SLICE_CHARS): Generator<string> {
  let before = "";
  let from = 0;
  for (const { end, inTable } of xml.length > sliceChars ? cutsIn(xml) : []) {
    if (end - from < sliceChars) continue;
    yield before + xml.slice(from, end) + (inTable ? "</w:tbl>" : "");
    before = inTable ? "<w:tbl>" : "";
    from = end;
  }
  yield before + xml.slice(from);
}

/** The elements between which, or between whose children, a cut may lie. */
const BLOCK_TAG = new RegExp(`<(/?)w:(p|tbl|tr|sdt)(?=[\\s/>])${ATTRIBUTES}>`, "g");

/** A paragraph whose end was deleted continues in the next one, so the two must stay together. */
const DELETED = "<w:del";

type Cut = { readonly end: number; readonly inTable: boolean };

/** Ends of blocks and of the rows of outer tables, ascending; none when the tags are not balanced. */
function cutsIn(xml: string): readonly Cut[] {
  const cuts: Cut[] = [];
  const open: string[] = [];
  let blockStart = 0;
  for (const { 0: tag, 1: closing, 2: name = "", index } of xml.matchAll(BLOCK_TAG)) {
    if (tag.endsWith("/>")) continue;
    if (closing === "") {
      if (open.length === 0) blockStart = index;
      open.push(name);
      continue;
    }
    if (open.pop() !== name) return [];
    const end = index + tag.length;
    const inTable = open.length === 1 && open[0] === "tbl";
    const isWhole = open.length === 0 && !(name === "p" && xml.slice(blockStart, end).includes(DELETED));
    if (inTable || isWhole) cuts.push({ end, inTable });
  }
  return open.length === 0 ? cuts : [];
}
