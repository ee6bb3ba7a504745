import { ATTRIBUTES } from "./xml-text.ts";

/**
 * 2.8 million characters in one table of 20,000 rows took 1,673 MB in one piece, 470 MB in slices of a million and
 * 362 MB in these; 20 million in paragraphs of 200 took 1,187, 472 and 482 MB. The time is the same.
 */
const SLICE_CHARS = 300_000;

/** The elements between which, or between whose children, a cut may lie. */
const BLOCK_TAG = new RegExp(`<(/?)w:(p|tbl|tr|sdt)(?=[\\s/>])${ATTRIBUTES}>`, "g");

/** A paragraph whose mark was deleted runs on in the next one, so the two must stay together. */
const DELETED = "<w:del";

/**
 * Cuts the XML of a document into documents of about `sliceChars` UTF-16 code units each, to be read one after another:
 * the tree of a part takes many times the memory of its XML. Cuts lie between the blocks of the body, and between the
 * rows of a table that stands there; a paragraph is never cut, however long. The texts of the slices in a row are the
 * text of the document.
 * XML that has no body, or whose tags do not pair, comes back whole, for its reader to complain about.
 */
export function* sliceBody(xml: string, sliceChars: number = SLICE_CHARS): Generator<string> {
  const body = new RegExp(`<w:body(?:\\s${ATTRIBUTES})?>`).exec(xml);
  const bodyEnd = xml.lastIndexOf("</w:body");
  if (xml.length <= sliceChars || body === null || bodyEnd < body.index) return yield xml;
  const head = xml.slice(0, body.index + body[0].length);
  const tail = xml.slice(bodyEnd);

  let before = head;
  let from = head.length;
  for (const { end, inTable } of placesToCut(xml.slice(0, bodyEnd), head.length) ?? []) {
    if (end - from < sliceChars) continue;
    yield before + xml.slice(from, end) + (inTable ? "</w:tbl>" : "") + tail;
    before = inTable ? `${head}<w:tbl>` : head;
    from = end;
  }
  yield before + xml.slice(from);
}

type Place = { readonly end: number; readonly inTable: boolean };

/** Ends of blocks of the body and of rows of its tables, ascending; `undefined` when the tags do not pair. */
function placesToCut(xml: string, bodyStart: number): Place[] | undefined {
  const places: Place[] = [];
  const open: string[] = [];
  let blockStart = bodyStart;
  for (const { 0: tag, 1: closing, 2: name = "", index } of xml.matchAll(BLOCK_TAG)) {
    if (tag.endsWith("/>") || index < bodyStart) continue;
    if (closing === "") {
      if (open.length === 0) blockStart = index;
      open.push(name);
      continue;
    }
    if (open.pop() !== name) return undefined;
    const end = index + tag.length;
    const inTable = open.length === 1 && open[0] === "tbl";
    const isWhole = open.length === 0 && !(name === "p" && xml.slice(blockStart, end).includes(DELETED));
    if (inTable || isWhole) places.push({ end, inTable });
  }
  return open.length === 0 ? places : undefined;
}
