import { ATTRIBUTES } from "./xml-text.ts";

/** Elements around text that mammoth, which makes HTML of documents, passes over together with the text. */
const WRAPPERS = tags(
  "w:(?:fldSimple|hyperlink|smartTag|customXml|dir|bdo|ins|moveTo|ruby|rubyBase)|mc:(?:AlternateContent|Choice)",
);

/** Shapes and pictures: what stands in their text boxes is inside `w:txbxContent`, which stays. */
const SHAPES = tags("(?:wp|wp14|wps|wpg|wpc|a|a14|pic|v|o|w10):\\w+");

const DRAWING = /<(\/?)w:drawing(?=[\s/>])/g;
const ALIGNED_TAB = new RegExp(`<w:ptab(?:\\s${ATTRIBUTES})?/>`, "g");

/**
 * Rewrites a WordprocessingML part so that mammoth finds all its text: simple fields, links, text in another
 * direction, text with a reading aid, and text boxes of every kind of shape. Where a part holds something twice, for
 * new and for old programs, the new one counts, as in Word; of text with a reading aid the aid is left out.
 * A text box is read after the paragraph that it is anchored to.
 */
export function unwrapWordXml(xml: string): string {
  return dropElements(dropElements(xml, "mc:Fallback"), "w:rt")
    .replace(DRAWING, "<$1w:pict")
    .replace(SHAPES, "")
    .replace(WRAPPERS, "")
    .replace(ALIGNED_TAB, "<w:tab/>");
}

/** Start, end and empty tags of the names that a pattern describes. */
function tags(names: string): RegExp {
  return new RegExp(`</?(?:${names})(?=[\\s/>])${ATTRIBUTES}>`, "g");
}

/** Takes out the elements of one name with all that is in them, also others of that name. */
function dropElements(xml: string, name: string): string {
  const kept: string[] = [];
  let depth = 0;
  let from = 0;
  for (const tag of xml.matchAll(tags(name))) {
    if (tag[0].endsWith("/>")) continue; // empty: no harm
    const opens = !tag[0].startsWith("</");
    if (opens && depth === 0) kept.push(xml.slice(from, tag.index));
    depth = Math.max(0, depth + (opens ? 1 : -1));
    if (depth === 0) from = tag.index + tag[0].length;
  }
  // One that never ends takes the rest with it, and the reader then finds the document damaged.
  return kept.join("") + (depth === 0 ? xml.slice(from) : "");
}
