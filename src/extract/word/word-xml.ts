/**
 * Matches the attributes of a tag; a `>` inside quotation marks does not end it. The pattern repeats once per value,
 * not per character: V8 keeps each repetition on a stack, which a tag of 10 MB overflowed.
 */
export const ATTRIBUTES = `[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*`;

/**
 * Simplifies a WordprocessingML part so that mammoth builds a small tree: formatting is dropped, and texts that nothing else
 * divides are joined.
 *
 * Only balanced or empty elements are removed (a `<` within text is always written `&lt;`), so well-formed XML stays so.
 *
 * Measured with the whole extraction process on 2 million characters: in runs of 12 (33 MB of XML) 376 MB and 2.8 s
 * of processor time without joining, 294 MB and 1.0 s with it; as one paragraph with a line break after every 12
 * characters 1,393 MB and 7.6 s against 213 MB and 0.5 s.
 * @param mark is called before the formatting is dropped
 */
export function simplifyWordXml(xml: string, mark: (xml: string) => string = (own) => own): string {
  return mark(unwrapText(xml))
    .replace(FORMATTING, "")
    .replace(EMPTIED_PROPERTIES, "")
    .replace(BREAK, "<w:t>\n</w:t>")
    .replace(TAB, "<w:t>\t</w:t>")
    .replace(SEAM, "");
}

/**
 * Changes a WordprocessingML part so that mammoth finds all its text:
 * - Namespaces get their usual prefixes, and everything behind works on names alone.
 * - Text in simple fields, links, text boxes, ruby and right-to-left runs is unwrapped; mammoth, which makes HTML,
 *   skips these elements with their text. A text box is read after the paragraph that it is anchored to.
 * - Where a part holds content several times, for new and for old programs, the first that Word understands counts. Deleted text and
 *   the reading aid of ruby are dropped.
 * - Letters as symbols, the words of WordArt, and the plain text in formulas become text.
 */
export function unwrapText(xml: string): string {
  const chosen = chooseContent(withUsualPrefixes(xml), xml);
  const text = plainTextOfFormulas(dropElements(chosen, "w:rt|w:del|w:moveFrom"))
    .replace(SYMBOL, symbolText)
    .replace(WORD_ART, wordArtText)
    .replace(DRAWING, "<$1w:pict")
    .replace(SHAPES, "")
    .replace(WRAPPERS, "");
  return flattenDeepTables(text);
}

const ALTERNATIVE = new RegExp(`<(/?)mc:(AlternateContent|Choice|Fallback)(?=[\\s/>])${ATTRIBUTES}>`, "g");

/** Content that Word understands, by its namespace; the prefixes stand for it where their namespace is no address. */
const UNDERSTOOD =
  /^(?:http:\/\/schemas\.(?:microsoft\.com\/office|openxmlformats\.org)\/|http:\/\/purl\.oclc\.org\/ooxml\/|(?:w|wp|a|c)1\d$|cx\d$|w16\w+$|wp[scgi]$|[awcrmov]$|wp$|pic$)/;

/**
 * Keeps of each group of alternatives the first choice that Word understands, otherwise the fallback (ISO/IEC 29500-3, 9.3).
 * @param xml with the usual prefixes @param source with the declared prefixes, which the alternatives name
 */
function chooseContent(xml: string, source: string): string {
  if (!xml.includes("AlternateContent")) return xml;
  const namespaces = new Map(
    Array.from(source.matchAll(/\sxmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g), ([, prefix = "", uri = ""]) => [
      prefix,
      uri.includes(":") ? uri : prefix,
    ]),
  );
  const isUnderstood = (prefix: string) => UNDERSTOOD.test(namespaces.get(prefix) ?? prefix);
  const groups: { isChosen: boolean }[] = [];
  const kept: string[] = [];
  let from = 0;
  let skipped = 0;
  for (const { 0: tag, 1: closing, 2: name, index } of xml.matchAll(ALTERNATIVE)) {
    const isGroup = name === "AlternateContent";
    if (tag.endsWith("/>")) continue;
    if (skipped > 0) {
      if (!isGroup) skipped += closing === "" ? 1 : -1;
      if (skipped === 0) from = index + tag.length;
      continue;
    }
    if (isGroup && closing === "") groups.push({ isChosen: false });
    else if (isGroup) groups.pop();
    const group = groups.at(-1);
    if (isGroup || closing !== "" || group === undefined) continue;
    const requires = readAttributes(tag).get("Requires")?.split(/\s+/) ?? [];
    if (!group.isChosen && requires.every(isUnderstood)) group.isChosen = true;
    else {
      kept.push(xml.slice(from, index));
      skipped = 1;
    }
  }
  // An alternative that never ends takes the rest with it, and the document then counts as damaged.
  return kept.join("") + (skipped === 0 ? xml.slice(from) : "");
}

const SYMBOL = new RegExp(`<w:sym(?=[\\s/>])${ATTRIBUTES}(?:/>|></w:sym>)`, "g");

/** Mammoth knows the characters of these fonts. */
const SYMBOL_FONT = /symbol|dings|dingbats|marlett|mt extra/i;

/** Symbol fonts have their characters 32 to 255 here (ISO/IEC 29500-1, 17.3.3.30); Word adds the same number for any font. */
const SYMBOLS_FROM = 0xf000;

/** A letter that is set as a symbol of a text font. */
function symbolText(tag: string): string {
  const attributes = readAttributes(tag);
  const code = Number.parseInt(attributes.get("char") ?? "", 16);
  if (SYMBOL_FONT.test(attributes.get("font") ?? "") || !(code >= 32 && code <= 0xffff)) return tag;
  const byte = code - SYMBOLS_FROM;
  const character =
    byte >= 32 && byte <= 255 ? WINDOWS_1252.decode(Uint8Array.of(byte)) : String.fromCharCode(code);
  return `<w:t xml:space="preserve">${escapeXml(character)}</w:t>`;
}

const WINDOWS_1252 = new TextDecoder("windows-1252");

const WORD_ART = new RegExp(`<v:textpath(?=[\\s/>])${ATTRIBUTES}>`, "g");

/** The words of a WordArt object as those of a text box. */
function wordArtText(tag: string): string {
  const words = escapeXml(readAttributes(tag).get("string") ?? "");
  return words === "" ? "" : `<w:txbxContent><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:txbxContent>`;
}

const FORMULA_END = "</m:oMath>";
const FORMULA_RUN = new RegExp(`<m:r(?=[\\s>])${ATTRIBUTES}>(.*?)</m:r>`, "gs");
const FORMULA_TEXT = new RegExp(`<m:t(?:\\s${ATTRIBUTES})?>([^<]*)</m:t>`, "g");

/** Text that a formula holds as such, or upright words: names of functions and units have three letters at most. */
const UPRIGHT = /<m:sty\s[^<>]*["']p["']/;
const NORMAL_TEXT = /<m:nor(?=[\s/>])/;
const UPRIGHT_WORD = /\p{L}{4}|\p{L}\s+\p{L}/u;
/** Three words in slanted letters. It begins at the end of the first, so that long words take linear time. */
const SENTENCE = /\p{L}{3}\P{L}+\p{L}{3,}\P{L}+\p{L}{3}/u;

/** Leaves of each formula the runs of plain text, because people can write whole paragraphs so. */
function plainTextOfFormulas(xml: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { index } of xml.matchAll(/<m:oMath(?=[\s>])/g)) {
    const end = xml.indexOf(FORMULA_END, index);
    if (index < from || end < 0) continue;
    pieces.push(xml.slice(from, index), ...formulaRuns(xml.slice(index, end)));
    from = end + FORMULA_END.length;
  }
  return from === 0 ? xml : pieces.join("") + xml.slice(from);
}

function formulaRuns(formula: string): string[] {
  const runs = [...formula.matchAll(FORMULA_RUN)];
  return runs.map(([, run = ""]) => {
    const text = Array.from(run.matchAll(FORMULA_TEXT), ([, own = ""]) => own).join("");
    // The name of a function has its argument in the same formula.
    const isUpright =
      UPRIGHT.test(run) && (UPRIGHT_WORD.test(text) || (runs.length === 1 && /\p{L}/u.test(text)));
    const isPlain = NORMAL_TEXT.test(run) || isUpright || SENTENCE.test(text);
    return isPlain ? `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>` : "";
  });
}

/**
 * Tables and content controls inside each other that stay as they are. Nobody sees more, and mammoth recurses: it read the text of
 * 400 tables, but made no HTML of them.
 */
const NESTED_MAX = 50;

const CONTAINER = tags("w:(?:tbl|tr|tc|sdt|sdtContent)");
const COUNTED_CONTAINER = /^<\/?w:(?:tbl|sdt)[\s/>]/;

/** Leaves the paragraphs of deeper tables and content controls in place of these. */
function flattenDeepTables(xml: string): string {
  let depth = 0;
  return xml.replace(CONTAINER, (tag) => {
    const isCounted = COUNTED_CONTAINER.test(tag) && !tag.endsWith("/>");
    if (isCounted && !tag.startsWith("</")) depth += 1;
    const kept = depth > NESTED_MAX ? "" : tag;
    if (isCounted && tag.startsWith("</")) depth -= 1;
    return kept;
  });
}

const DRAWING = /<(\/?)w:drawing(?=[\s/>])/g;

/** Shapes and pictures. The text in their text boxes is inside `w:txbxContent`, which stays. */
const SHAPES = tags("(?:wp|wp14|wps|wpg|wpc|a|a14|pic|v|o|w10):\\w+");

const WRAPPERS = tags(
  "m:oMathPara|w:(?:fldSimple|hyperlink|smartTag|customXml|dir|bdo|ins|moveTo|ruby|rubyBase)|mc:(?:AlternateContent|Choice|Fallback)",
);

/** Formatting, which neither holds nor separates text: most of a document that was edited for long, with runs of a few words. */
const FORMATTING = new RegExp(
  `<(?:w:(?:${[
    "b bCs i iCs u strike dstrike caps smallCaps color sz szCs rFonts highlight shd bdr lang kern position",
    "vertAlign w em effect shadow outline emboss imprint fitText eastAsianLayout vanish specVanish oMath",
    "spacing jc ind textAlignment keepNext keepLines widowControl contextualSpacing snapToGrid outlineLvl",
    "pStyle rStyle tblStyle tblLook tblW tcW vAlign noProof webHidden rtl cs bidi autoSpaceDE autoSpaceDN",
    "proofErr lastRenderedPageBreak bookmarkStart bookmarkEnd commentRangeStart commentRangeEnd",
  ]
    .join(" ")
    .replaceAll(" ", "|")})|w14:(?:ligatures|numForm|numSpacing|cntxtAlts))(?:\\s[^<>]*)?/>`,
  "g",
);
const EMPTIED_PROPERTIES = /<w:[rp]Pr(?:\/>|><\/w:[rp]Pr>)/g;

/** Breaks of lines, pages and columns are all line ends. A `w:tab` without attributes is a tab in the text. */
const BREAK = new RegExp(`<w:(?:br|cr)(?:\\s${ATTRIBUTES})?(?:/>|></w:(?:br|cr)>)`, "g");
const TAB = new RegExp(`<w:tab\\s*/>|<w:ptab(?:\\s${ATTRIBUTES})?/>`, "g");

/** The end of a text and the start of the next, in the same run or the one after. */
const SEAM = new RegExp(
  `</w:t>(?:\\s*</w:r>\\s*<w:r(?:\\s${ATTRIBUTES})?>)?\\s*<w:t(?:\\s${ATTRIBUTES})?(?<!/)>`,
  "g",
);

/** Matches start, end and empty tags of the names that a pattern describes. */
function tags(names: string): RegExp {
  return new RegExp(`</?(?:${names})(?=[\\s/>])${ATTRIBUTES}>`, "g");
}

/** Removes the elements of these names with their content. Empty elements stay. */
export function dropElements(xml: string, names: string): string {
  const kept: string[] = [];
  let depth = 0;
  let from = 0;
  for (const tag of xml.matchAll(tags(names))) {
    if (tag[0].endsWith("/>")) continue; // an empty `w:del` marks a deleted paragraph end
    const opens = !tag[0].startsWith("</");
    if (opens && depth === 0) kept.push(xml.slice(from, tag.index));
    depth = Math.max(0, depth + (opens ? 1 : -1));
    if (depth === 0) from = tag.index + tag[0].length;
  }
  // An element that never ends takes the rest with it, and the document then counts as damaged.
  return kept.join("") + (depth === 0 ? xml.slice(from) : "");
}

/** The usual prefixes of the namespaces of transitional and strict documents. */
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
  ["http://schemas.openxmlformats.org/officeDocument/2006/math", "m"],
  ["http://purl.oclc.org/ooxml/officeDocument/math", "m"],
  ["http://schemas.microsoft.com/office/word/2010/wordprocessingShape", "wps"],
  ["http://schemas.microsoft.com/office/word/2010/wordprocessingGroup", "wpg"],
  ["http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas", "wpc"],
  ["http://schemas.microsoft.com/office/word/2010/wordml", "w14"],
  ["urn:schemas-microsoft-com:vml", "v"],
]);

const TAG = new RegExp(`<${ATTRIBUTES}>`, "g");

/** Gives the namespaces of an office document their usual prefixes, which general XML libraries number (`ns0:p`) or leave out. */
export function withUsualPrefixes(xml: string): string {
  const renames = new Map<string, string>();
  for (const [, prefix = "", uri = ""] of xml.matchAll(/\sxmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g)) {
    const usual = USUAL_PREFIXES.get(uri);
    if (usual !== undefined && usual !== prefix) renames.set(prefix, usual);
  }
  const root = new RegExp(`<[\\w.-]+\\s${ATTRIBUTES}>`).exec(xml)?.[0] ?? "";
  const unprefixed = USUAL_PREFIXES.get(/\sxmlns\s*=\s*["']([^"']*)["']/.exec(root)?.[1] ?? "");
  if (renames.size === 0 && unprefixed === undefined) return xml;
  const names = [...renames.keys()].map((prefix) => prefix.replaceAll(".", "\\.")).join("|") || "(?!)";
  const used = new RegExp(`(^</?|\\s)(${names})(?=:)`, "g");
  return xml.replace(TAG, (tag) => {
    const named =
      unprefixed === undefined ? tag : tag.replace(/^(<\/?)(?=[\w.-]+[\s/>])/, `$1${unprefixed}:`);
    return named.replace(used, (_all, before, prefix) => before + (renames.get(prefix) ?? prefix));
  });
}

/** The attributes of a start tag by their names without prefixes. */
export function readAttributes(tag: string): ReadonlyMap<string, string> {
  const pairs = tag.matchAll(/(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map(
    [...pairs].map(([, name = "", double, single]) => [name, unescapeXml(double ?? single ?? "")]),
  );
}

const NAMED_REFERENCES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Resolves the references that XML knows without a document type; others stay as they are. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-fA-F]+)|(\w+));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED_REFERENCES.get(name) ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
