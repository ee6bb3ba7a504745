import type { PageLine } from "./pdf-lines.ts";

/** A line with the edges of the lines around it; missing where it stands alone. */
type PlacedLine = PageLine & { readonly block?: Block };

/** Lines that are read as one, or a line that stands alone. */
type Paragraph = readonly PlacedLine[];

/** The edges of lines that stand under each other. */
type Block = { readonly left: number; readonly right: number };

/** Heights of letters that belong to one paragraph differ by at most so much. */
const HEIGHT_RATIO_MAX = 1.15;

/** The distance of two lines of one paragraph, at most, as a multiple of the usual one. */
export const LEADING_RATIO_MAX = 1.25;

/** The usual distance of the lines of a heading, as a multiple of their height. Its letters are larger than the text's letters. */
const HEADING_LEADING = 1.2;

/** A first line that is indented by more than this share of the letters' height begins a paragraph. */
const INDENT_MIN = 0.6;

/** A line that ends by more than this share of the column's width before its edge is the last of its paragraph. */
const SHORT_SHARE = 0.5;

/** The same for a line that ends a sentence; where lines are not justified, others end earlier too. */
const SHORT_SHARE_OF_SENTENCE = 0.15;

const SENTENCE_END = /[.!?:…。！？]["”’»)\]]*\s*$/u;

/** Lines begin a list item or a note with these. */
const ITEM = /^\s*(?:[•‣◦▪–—*·]|\(?\d{1,3}[.)\]]|\[\d{1,3}\])\s/u;

/** The captions of figures and tables begin with a word and a number. */
const CAPTION = /^\s*\p{Lu}\p{L}*\.? \d[\d.]*[:.]\s/u;

/** An entry of a table of contents or an index ends with dots and the number of its page. */
const LEADERS = /(?:\.\s?){4}\s*\S{1,6}\s*$/;

/** A line of text has so many letters at least, and no cells. */
const LETTERS_MIN = 20;

/** A line that stands alone is full if it is as wide as this share of the lines of its page. */
const FULL_SHARE = 0.85;

/** Groups lines into paragraphs; lines without a clear place stand alone. */
export function paragraphsOf(lines: readonly PageLine[]): Paragraph[] {
  const leading = usualLeading(lines);
  const blocks: PageLine[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const last = block?.at(-1);
    if (block !== undefined && last !== undefined && areNeighbours(last, line, leading)) block.push(line);
    else blocks.push([line]);
  }
  return blocks.flatMap(paragraphsOfBlock);
}

/** Whether a line stands under another at the usual distance, with letters of the same height. */
function areNeighbours(above: PageLine, below: PageLine, leading: number): boolean {
  const [a, b] = [above.place, below.place];
  if (a === undefined || b === undefined || above.text.includes("\t") || below.text.includes("\t"))
    return false;
  if (above.isFixedWidth || below.isFixedWidth) return false;
  const down = a.baseline - b.baseline;
  const usual = Math.max(leading, HEADING_LEADING * a.height);
  const isNear = down > 0 && down <= LEADING_RATIO_MAX * usual;
  return isNear && areAlike(a.height, b.height) && a.left < b.right && b.left < a.right;
}

/** The median distance from one line to the next. */
export function usualLeading(lines: readonly PageLine[]): number {
  const distances = lines.flatMap((line, at) => {
    const next = lines[at + 1]?.place;
    const down = (line.place?.baseline ?? 0) - (next?.baseline ?? 0);
    return line.place === undefined || next === undefined || down <= 0 ? [] : [down];
  });
  return median(distances);
}

/** The middle one of some numbers; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** Whether a line is text, other than a heading, a row of a table or a number. */
export function isProse({ text, isFixedWidth }: PageLine): boolean {
  return !isFixedWidth && !text.includes("\t") && text.replace(/\P{L}/gu, "").length >= LETTERS_MIN;
}

function widthOf({ place }: PageLine): number {
  return place === undefined ? 0 : place.right - place.left;
}

/** Divides neighbouring lines where one is indented, ends early, or begins an item of a list. */
function paragraphsOfBlock(block: readonly PageLine[]): Paragraph[] {
  const places = block.flatMap(({ place }) => place ?? []);
  const edges = places.reduce<Block>(
    (all, { left, right }) => ({ left: Math.min(all.left, left), right: Math.max(all.right, right) }),
    { left: Number.POSITIVE_INFINITY, right: Number.NEGATIVE_INFINITY },
  );
  const paragraphs: PlacedLine[][] = [];
  for (const [at, line] of block.entries()) {
    const paragraph = paragraphs.at(-1);
    const last = paragraph?.at(-1);
    const placed = block.length > 1 ? { ...line, block: edges } : line;
    if (
      paragraph === undefined ||
      last === undefined ||
      endsParagraph(last, edges) ||
      ITEM.test(line.text) ||
      isFirstLine(paragraph, line, block[at + 1])
    )
      paragraphs.push([placed]);
    else paragraph.push(placed);
  }
  return paragraphs;
}

/**
 * Whether the indent of a line begins a paragraph. Lines that hang below the first one, as in references, are indented like the line
 * after them; the next first line stands to their left.
 */
function isFirstLine(above: Paragraph, line: PageLine, below: PageLine | undefined): boolean {
  const [last, lastButOne] = [above.at(-1), above.at(-2)];
  if (last === undefined) return true;
  const indent = indentOf(line, last);
  if (indent > 0) return SENTENCE_END.test(last.text) || below === undefined || indentOf(below, line) !== 0;
  return indent < 0 && lastButOne !== undefined && indentOf(last, lastButOne) === 0;
}

/** By how much a line is indented against another; 0 if they begin at the same place. */
function indentOf({ place }: PageLine, other: PageLine): number {
  const indent = (place?.left ?? 0) - (other.place?.left ?? 0);
  return Math.abs(indent) > INDENT_MIN * (place?.height ?? 0) ? indent : 0;
}

function endsParagraph({ text, place }: PageLine, { left, right }: Block): boolean {
  if (LEADERS.test(text)) return true;
  const share = SENTENCE_END.test(text) ? SHORT_SHARE_OF_SENTENCE : SHORT_SHARE;
  return (place?.right ?? 0) < right - share * (right - left);
}

/** Whether letters of these heights may belong to one paragraph. */
function areAlike(one: number, other: number): boolean {
  return Math.max(one, other) <= HEIGHT_RATIO_MAX * Math.min(one, other);
}

/** A part of a paragraph in one column, with the index of its page. */
export type PagedParagraph = { readonly lines: Paragraph; readonly page: number };

/** A paragraph that may go on. */
type Open = {
  readonly paragraph: PagedParagraph;
  /** The text after it. Unless that text is a note in smaller letters, only a word in lower case continues the paragraph. */
  followedBy: "nothing" | "notes" | "text";
};

/** The maximum number of open paragraphs: one of the text, and others of a footnote, a caption or a table. */
const OPEN_MAX = 4;

/**
 * The paragraphs that continue in the next column, or on the next page, each with the part where it continues: behind footnotes, figures and
 * tables too.
 * @param pages the paragraphs of each page, in the order in which they are read.
 */
export function continuations(
  pages: readonly (readonly PagedParagraph[])[],
): ReadonlyMap<PagedParagraph, PagedParagraph> {
  const nextOf = new Map<PagedParagraph, PagedParagraph>();
  let open: Open[] = [];
  for (const paragraphs of pages) {
    const usual = usualFigures(paragraphs.flatMap(({ lines }) => lines));
    for (const paragraph of paragraphs) {
      const left = open.findLastIndex((one) => goesOn(one, paragraph, usual));
      const from = open[left]?.paragraph;
      if (from === undefined) {
        open = open.filter((one) => !isEndedBy(one, paragraph, usual));
        for (const one of open) one.followedBy = following(one, paragraph);
      } else {
        nextOf.set(from, paragraph);
        // If a paragraph of the text continues, earlier ones have ended. A continued footnote says nothing about the text.
        open = open.filter((one, at) => at > left || isSmaller(from, one.paragraph));
      }
      if (isLeftOpen(paragraph, usual))
        open = [...open, { paragraph, followedBy: "nothing" as const }].slice(-OPEN_MAX);
    }
  }
  return nextOf;
}

/** Whether text of the same kind below a paragraph, in its column, shows that it has ended. */
function isEndedBy(
  { paragraph: { lines, page } }: Open,
  next: PagedParagraph,
  { width }: UsualFigures,
): boolean {
  const [above, first] = [lines.at(-1)?.place, next.lines[0]];
  const below = first?.place;
  if (next.page !== page || above === undefined || first === undefined || below === undefined) return false;
  const isBelow = below.baseline < above.baseline && below.left < above.right && above.left < below.right;
  const isLine = widthOf(first) >= SHORT_SHARE * width && !CAPTION.test(first.text);
  return isBelow && isLine && areAlike(above.height, below.height) && isText(next);
}

function following({ paragraph, followedBy }: Open, next: PagedParagraph): Open["followedBy"] {
  return followedBy === "text" || !isSmaller(next, paragraph) ? "text" : "notes";
}

/** The medians of a page: the width of its lines of text, the height of their letters, and the distance from one line to the next. */
type UsualFigures = { readonly width: number; readonly height: number; readonly leading: number };

function usualFigures(lines: readonly PageLine[]): UsualFigures {
  const prose = lines.filter(isProse);
  const height = median(prose.map(({ place }) => place?.height ?? 0));
  return { width: median(prose.map(widthOf)), height, leading: usualLeading(lines) };
}

/** Whether the last line of a paragraph is a full line of text that ends no sentence, in letters no larger than the usual ones. */
function isLeftOpen({ lines }: PagedParagraph, { width, height }: UsualFigures): boolean {
  const last = lines.at(-1);
  if (last === undefined || !isProse(last) || SENTENCE_END.test(last.text) || LEADERS.test(last.text))
    return false;
  if (isLarger(last.place?.height ?? 0, height)) return false;
  return widthOf(last) >= (last.block === undefined ? FULL_SHARE : SHORT_SHARE) * width;
}

/** Whether a part of a paragraph continues an earlier one: beside a note, in another column, or on the next page. */
function goesOn(
  { paragraph: { lines, page }, followedBy }: Open,
  next: PagedParagraph,
  { leading }: UsualFigures,
): boolean {
  const [last, first] = [lines.at(-1), next.lines[0]];
  const [above, below] = [last?.place, first?.place];
  if (last === undefined || first === undefined || above === undefined || below === undefined) return false;
  const isNextColumn = next.page === page + 1 || (next.page === page && below.baseline > above.baseline);
  const isBelow = followedBy === "notes" && next.page === page && areNeighbours(last, first, leading);
  if (!(isNextColumn || isBelow) || !areAlike(above.height, below.height) || !isText(next)) return false;
  const left = first.block?.left ?? below.left;
  if (CAPTION.test(first.text) || below.left - left > INDENT_MIN * below.height) return false;
  return (followedBy !== "text" && first.block !== undefined) || /^\s*\p{Ll}/u.test(first.text);
}

/** Whether a paragraph is text: neither a cell of a table nor an item of a list, and of several words or the end of a sentence. */
function isText({ lines }: PagedParagraph): boolean {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined || first.isFixedWidth || ITEM.test(first.text)) return false;
  return isProse(first) || (!first.text.includes("\t") && SENTENCE_END.test(last.text));
}

/** Whether a paragraph has smaller letters than another, as footnotes have. */
function isSmaller({ lines: [line] }: PagedParagraph, { lines: [other] }: PagedParagraph): boolean {
  return isLarger(other?.place?.height ?? 0, line?.place?.height ?? 0);
}

/** Whether letters of one height are larger than letters of another, by more than rounding. */
export function isLarger(height: number, other: number): boolean {
  return height > other && !areAlike(height, other);
}
