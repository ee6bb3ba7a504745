import {
  type HeadingLine,
  isBibliographyTitle,
  isOtherSectionTitle,
  readHeading,
  readsLikeTitle,
  startsLikeTitle,
} from "./bibliography-headings.ts";
import { lines, type Span } from "./span.ts";

/** An open bibliography, and the number of its latest entry with the punctuation after it. */
type Section = {
  readonly start: number;
  readonly heading: HeadingLine;
  readonly entry: { readonly number: number; readonly numberEnd: string } | undefined;
};

/** Longer lines, in UTF-16 units, are not headings. */
const LINE_UNITS_MAX = 400;

const ENTRY_NUMBER = /^\s*(\d{1,3})([.)．]?)\s/;

/**
 * The bibliographies of a text: ascending, disjoint UTF-16 spans, each from its heading's line to the next heading's line or
 * the end. A heading is a line of its own; in lower case it needs a blank line before it. A bibliography ends at markup of its
 * own level or above, at the title of another part ("Appendix B", "Chapter 9"), or at a numbered title that does not continue
 * the entries' numbers. Linear.
 */
export function bibliography(text: string): Span[] {
  const found: Span[] = [];
  let section: Section | undefined;
  let followsBlank = true;
  for (const [line, next] of linesWithNext(text)) {
    const content = lineContent(text, line);
    const heading = readHeading(content, next === undefined ? "" : lineContent(text, next));
    if (heading !== undefined && opensBibliography(heading, followsBlank)) {
      section = { start: section?.start ?? line.start, heading, entry: undefined };
    } else if (
      section !== undefined &&
      heading !== undefined &&
      endsSection(section, heading, followsBlank)
    ) {
      found.push({ start: section.start, end: line.start });
      section = undefined;
    } else if (section !== undefined) {
      section = withEntry(section, content);
    }
    followsBlank = content.trim() === "" && line.end - line.start <= LINE_UNITS_MAX;
  }
  if (section !== undefined) found.push({ start: section.start, end: text.length });
  return found;
}

const FOOTNOTE = /^ {0,3}\[\^[^\]\s]{1,40}\]:\s*/;
const FOOTNOTE_GOES_ON = /^(?: {4}|\t)\s*\S/;

/**
 * The footnotes that Markdown collects, often at the end of a text: lines from `[^1]:` to a blank line or the next one, and indented lines
 * behind these. Footnotes that read like entries of a bibliography are left out. Ascending, disjoint; linear.
 */
export function markdownFootnotes(text: string): Span[] {
  const found: Span[] = [];
  let open: Span | undefined;
  let followsBlank = false;
  const endNote = () => {
    const note = open && text.slice(open.start, open.end).replace(FOOTNOTE, "");
    if (open !== undefined && note !== undefined && !readsLikeEntry(note)) found.push(open);
    open = undefined;
  };
  for (const { start, end } of lines(text)) {
    const head = text.slice(start, Math.min(end, start + HEAD_UNITS));
    const isNote = FOOTNOTE.test(head);
    if (isNote || (followsBlank && head.trim() !== "" && !FOOTNOTE_GOES_ON.test(head))) endNote();
    if (isNote) open = { start, end };
    else if (open !== undefined && head.trim() !== "") open = { start: open.start, end };
    followsBlank = head.trim() === "";
  }
  endNote();
  return found;
}

function* linesWithNext(text: string): Generator<readonly [Span, Span | undefined]> {
  let current: Span | undefined;
  for (const next of lines(text)) {
    if (current !== undefined) yield [current, next];
    current = next;
  }
  if (current !== undefined) yield [current, undefined];
}

/** The line, or nothing if it is too long. */
function lineContent(text: string, { start, end }: Span): string {
  return end - start > LINE_UNITS_MAX ? "" : text.slice(start, end);
}

function opensBibliography(heading: HeadingLine, followsBlank: boolean): boolean {
  if (!isBibliographyTitle(heading.title)) return false;
  return isSetApart(heading, followsBlank) || heading.number.length > 0;
}

function endsSection(section: Section, heading: HeadingLine, followsBlank: boolean): boolean {
  if (heading.isChapter) return true;
  if (isOtherSectionTitle(heading.title) && isSetApart(heading, followsBlank)) return true;
  if (heading.level !== undefined) return heading.level <= (section.heading.level ?? heading.level);
  const [first, ...rest] = heading.number;
  if (first === undefined || !readsLikeTitle(heading.title)) return false;
  const [ownNumber] = section.heading.number;
  // "7.1 Books" below "7 References" is a part of it; no bibliography numbers its entries like that.
  if (rest.length > 0) return first !== ownNumber;
  const { entry } = section;
  if (entry?.number === first - 1 && entry.numberEnd === heading.numberEnd) return false;
  return followsBlank || first - 1 === ownNumber;
}

/** Whether a line with the right words looks like a heading, not like the rest of a sentence. */
function isSetApart(heading: HeadingLine, followsBlank: boolean): boolean {
  return heading.level !== undefined || followsBlank || startsLikeTitle(heading.title);
}

function withEntry(section: Section, content: string): Section {
  const numbered = ENTRY_NUMBER.exec(content);
  if (numbered === null) return section;
  return { ...section, entry: { number: Number(numbered[1]), numberEnd: numbered[2] ?? "" } };
}

/**
 * Lists of works without a heading: ascending, disjoint UTF-16 spans of at least `ENTRIES_MIN` entries in a row, with at most
 * blank lines and single other ones between. An entry begins with a number, a bullet or an author's name and has a year and
 * `MARKS_MIN` further marks: initials, pages, volume, address, publisher. Linear.
 */
export function referenceLists(text: string): Span[] {
  const found: Span[] = [];
  let row: Span[] = [];
  let misses = 0;
  const endRow = () => {
    const [first, last] = [row[0], row.at(-1)];
    if (first !== undefined && last !== undefined && row.length >= ENTRIES_MIN)
      found.push({ start: first.start, end: last.end });
    row = [];
  };
  for (const block of entryBlocks(text)) {
    misses = readsLikeEntry(text.slice(block.start, block.end)) ? 0 : misses + 1;
    if (misses === 0) row.push(block);
    else if (misses > MISSES_MAX) endRow();
  }
  endRow();
  return found;
}

/** Two may be sources that a sentence introduces, or rows of a table. */
const ENTRIES_MIN = 3;

/** Blocks between two entries that do not read like one: a title on its own line, a work without a year. */
const MISSES_MAX = 1;

/** Besides the year. One is not enough: "3. In 1914 (p. 7) …" is a sentence of a numbered list. */
const MARKS_MIN = 2;

/** Authors, a long title and an address have some 400 characters. */
const ENTRY_UNITS_MAX = 800;

/** Blocks of lines without blank ones. Each begins where an entry could begin, or with the rest of a paragraph. */
export function* entryBlocks(text: string): Generator<Span> {
  let block: Span | undefined;
  for (const line of lines(text)) {
    const head = text.slice(line.start, Math.min(line.end, line.start + HEAD_UNITS));
    const isBlank = head.trim() === "" && line.end - line.start <= HEAD_UNITS;
    if (block !== undefined && (isBlank || ENTRY_START.test(head))) {
      yield block;
      block = undefined;
    }
    if (!isBlank) block = { start: block?.start ?? line.start, end: line.end };
  }
  if (block !== undefined) yield block;
}

/** The units of a line that show how it begins. */
const HEAD_UNITS = 120;

const NAME = String.raw`\p{Lu}[\p{L}'’\-]{1,30}`;
const INITIALS = String.raw`(?:\p{Lu}\.[\s\-]?){1,3}`;
const AUTHOR = [
  // García Márquez, G. and Smith, John
  String.raw`${NAME}(?:[ \-]${NAME}){0,2},\s?(?:\p{Lu}\.|${NAME})`,
  // Иванов И. И. and Smith JA,
  String.raw`${NAME}\s${INITIALS}`,
  String.raw`${NAME}\s\p{Lu}{1,3}[,.:]`,
  // J. R. Smith
  String.raw`${INITIALS}\s?${NAME}`,
].join("|");
const LABEL = String.raw`\[\w{1,12}\]|\(\d{1,3}\)|\d{1,3}[.)．、](?!\d)|[\-*•–]\s`;
const ENTRY_START = new RegExp(String.raw`^\s{0,8}(?:${LABEL}|${AUTHOR})`, "u");
const LABELLED = new RegExp(String.raw`^\s{0,8}(?:${LABEL})\s*`, "u");
const BY_AUTHOR = new RegExp(
  String.raw`^(?:${AUTHOR})|\bet\s+al\b|(?<!\p{L})(?:u\.\s?a|и др)\.|等[,.，．]`,
  "u",
);

const YEAR =
  /(?<![\d\-–])(?:1[5-9]|20)\d{2}[a-z]?(?!\d)|\b(?:n\.\s?d|o\.\s?J|s\.\s?d|in press|forthcoming)\b/u;

const MARKS: readonly RegExp[] = [
  BY_AUTHOR,
  // Pages: pp. 3-9, S. 12, 345–367, 245 с.
  /(?:^|[\s(:,])(?:pp?|S|ss?|с|стр)\.\s?\d{1,5}|(?<![\d\-–])\d{1,5}\s?[-–—]\s?\d{1,5}(?![\d\-–])/u,
  // Volume and issue: 12(3), vol. 4, № 2
  /\d{1,4}\s?[(（]\d{1,4}[)）]|(?:^|[\s(,])(?:vol|no|nr|bd|iss|jg|том|вып|т)\.\s?\d|№\s?\d/iu,
  /\bdoi\b|https?:\/\/|\bwww\.|\bisbn\b|\barxiv\b/iu,
  /\b(?:press|verlag|publish\p{L}*|éditions?|editorial|editora|edizioni|springer|elsevier|wiley|routledge|journal|proceedings|zeitschrift|revue|revista|rivista|university|universit(?:y|ät|é)|retrieved|accessed|abgerufen|consulté|hrsg|eds?)\b/iu,
  /(?:^|\s)In:\s|издательство|(?<!\p{L})(?:Изд|Наука)[\s.,-]|\s\/\/\s|журнал|вестник|出版社|学报|學報|出版|研究|\[[A-Z](?:\/OL)?\]|书局|학회지|출판/u,
];

function readsLikeEntry(block: string): boolean {
  if (block.length > ENTRY_UNITS_MAX || !ENTRY_START.test(block) || !YEAR.test(block)) return false;
  const entry = block.replace(LABELLED, "");
  return MARKS.filter((mark) => mark.test(entry)).length >= MARKS_MIN;
}
