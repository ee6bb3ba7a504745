import type { Span } from "../../core/text/span.ts";

/** A line of a page as it is drawn. `place` in points, from the page's lower left corner; undefined for text that is not upright. */
export type PageLine = {
  readonly text: string;
  readonly place: LinePlace | undefined;
  /** The pieces that it was put together from, for a reader who needs their places. */
  readonly pieces?: readonly LinePiece[];
  /** Whether it is known to be no text of the author, as the numbers of lines are. */
  readonly isMargin?: boolean;
};

/** A piece of a line, and where it begins in the line's text. */
export type LinePiece = { readonly start: number; readonly item: TextItem };

/** A piece of text as pdf.js returns it: drawn at once, on one line. Lengths in points. */
export type TextItem = {
  readonly str: string;
  /** Maps text space to the page: the first two numbers are the direction of writing, the last two the position. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Set where pdf.js found the end of a line. */
  readonly hasEOL: boolean;
  /** `rtl` for text that is written from right to left. */
  readonly dir: string;
  readonly fontName: string;
};

export type LinePlace = {
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly height: number;
};

/** The lines of a page in the order in which they are drawn, and where the page lies, in points. */
export type Page = { readonly lines: readonly PageLine[]; readonly bottom: number; readonly height: number };

export type LaidOutText = {
  readonly text: string;
  /** The parts of it that are no text of the author: headers, footers and page numbers. UTF-16, ascending, disjoint. */
  readonly margins: readonly Span[];
  /** Where each line begins in the text, ascending, with the index of its page. */
  readonly lines: readonly { readonly start: number; readonly page: number; readonly line: PageLine }[];
};

/**
 * The text of pages as people read it: column after column, the lines of a paragraph as one, also over the end of a page. A hyphen at
 * the end of a line keeps its line end, by which matching knows it. Lines that pages repeat at their edges stay in the text, at the
 * edges of their page, and are named. Where the layout is not clear, lines stay as they are drawn.
 */
export function layOut(pages: readonly Page[]): LaidOutText {
  const repeated = repeatedAtEdges(pages);
  const writer = new TextWriter();
  let before: PlacedLine | undefined;
  for (const [number, page] of pages.entries()) {
    const isMargin = (line: PageLine) => line.isMargin === true || repeated.has(line);
    const body = page.lines.filter((line) => !isMargin(line));
    const margins = page.lines.filter(isMargin);
    const isTop = (line: PageLine) => (line.place?.baseline ?? 0) > page.bottom + page.height / 2;
    const blocks = paragraphsOf(inReadingOrder(body));
    const first = blocks[0]?.[0];
    const continues = before !== undefined && first !== undefined && continuesOnNextPage(before, first);
    if (number > 0) writer.pageBreak(continues, margins.some(isTop));
    writer.margins(margins.filter(isTop));
    for (const [at, block] of blocks.entries()) writer.paragraph(block, blocks[at - 1]);
    writer.margins(margins.filter((line) => !isTop(line)));
    before = blocks.at(-1)?.at(-1) ?? before;
  }
  return writer.written();
}

/** A line with the edges of the lines around it; missing where it stands alone. */
type PlacedLine = PageLine & { readonly block?: Block };
type Paragraph = readonly PlacedLine[];

/** The edges of lines that stand under each other. */
type Block = { readonly left: number; readonly right: number };

// Headers and footers

/** The part of a page's height at its top and at its bottom in which headers and footers stand. */
export const EDGE_SHARE = 0.12;

/** Lines at an edge of a page that may be a header or a footer. */
const EDGE_LINES = 2;

/** So many pages that repeat a line, at least; of a shorter document, all. */
const REPEATED_MIN = 3;

/** A page of fewer other lines has no headers: its few lines are its text. */
const OTHER_LINES_MIN = 3;

/** The lines that pages repeat at the same edge but for their numbers. */
function repeatedAtEdges(pages: readonly Page[]): ReadonlySet<PageLine> {
  const byKey = new Map<string, PageLine[]>();
  for (const page of pages) {
    const placed = page.lines.filter(({ place }) => place !== undefined);
    if (placed.length < OTHER_LINES_MIN + 1) continue;
    const ascending = placed.toSorted((a, b) => (a.place?.baseline ?? 0) - (b.place?.baseline ?? 0));
    const share = ({ place }: PageLine) => ((place?.baseline ?? 0) - page.bottom) / page.height;
    const bottom = ascending.slice(0, EDGE_LINES).filter((line) => share(line) < EDGE_SHARE);
    const top = ascending.slice(-EDGE_LINES).filter((line) => share(line) > 1 - EDGE_SHARE);
    for (const [edge, lines] of Object.entries({ bottom, top }))
      for (const line of lines) {
        const key = `${edge} ${withoutNumbers(line.text)}`;
        const alike = byKey.get(key);
        if (alike === undefined) byKey.set(key, [line]);
        else alike.push(line);
      }
  }
  const needed = Math.min(REPEATED_MIN, Math.max(2, pages.length));
  return new Set([...byKey.values()].filter((lines) => lines.length >= needed).flat());
}

/** Arabic and Roman numbers differ from page to page. */
function withoutNumbers(text: string): string {
  return text
    .trim()
    .replace(/\p{Nd}+/gu, "#")
    .replace(/(?<=^|\s)[ivxlc]+(?=$|\s)/gi, "#");
}

// Columns

/** Lines on both sides of the gap between two columns, at least. */
const COLUMN_LINES_MIN = 6;

/** The gap between two columns, at least, in points. */
const GUTTER_MIN = 9;

/**
 * The lines column after column. Most programs draw them so; where the order of drawing goes back and forth between two columns, they
 * are sorted: lines over both columns divide the page into zones, and in each the left column comes first.
 */
function inReadingOrder(lines: readonly PageLine[]): readonly PageLine[] {
  const gutter = gutterOf(lines);
  if (gutter === undefined) return lines;
  const sideOf = ({ place }: PageLine) =>
    place === undefined ? "both" : place.right <= gutter ? "left" : place.left >= gutter ? "right" : "both";
  const sides = lines.map(sideOf);
  const returns = sides.filter((side, at) => side === "left" && sides[at - 1] === "right").length;
  const zones = sides.filter((side, at) => side === "both" && sides[at - 1] !== "both").length + 1;
  if (returns <= zones) return lines;
  const ordered: PageLine[] = [];
  let [left, right]: [PageLine[], PageLine[]] = [[], []];
  const endZone = () => {
    ordered.push(...left, ...right);
    [left, right] = [[], []];
  };
  for (const line of lines) {
    const side = sideOf(line);
    if (side === "left") left.push(line);
    else if (side === "right") right.push(line);
    else {
      endZone();
      ordered.push(line);
    }
  }
  endZone();
  return ordered;
}

/** Where the gap between two columns is; undefined on a page of one column. */
function gutterOf(lines: readonly PageLine[]): number | undefined {
  const places = lines.flatMap(({ place }) => place ?? []);
  const borders = places.map(({ left }) => left).toSorted((a, b) => a - b);
  let best: { readonly at: number; readonly crossed: number } | undefined;
  for (const left of new Set(borders.map(Math.round))) {
    const at = left - GUTTER_MIN / 2;
    const before = places.filter(({ right }) => right <= at).length;
    const after = places.filter((place) => place.left >= at).length;
    const crossed = places.length - before - after;
    if (Math.min(before, after) < COLUMN_LINES_MIN || crossed * 4 > places.length) continue;
    if (best === undefined || crossed < best.crossed) best = { at, crossed };
  }
  return best?.at;
}

// Paragraphs

/** Heights of letters that belong to one paragraph differ by at most so much. */
const HEIGHT_RATIO_MAX = 1.15;

/** The distance of two lines of one paragraph, at most, as a multiple of the usual one. */
const LEADING_RATIO_MAX = 1.25;

/** A first line that is indented by more than this share of the letters' height begins a paragraph. */
const INDENT_MIN = 0.6;

/** A line that ends by more than this share of the column's width before its edge is the last of its paragraph. */
const SHORT_SHARE = 0.5;

/** The same for a line that ends a sentence; where lines are not justified, others end earlier too. */
const SHORT_SHARE_OF_SENTENCE = 0.15;

const SENTENCE_END = /[.!?:…。！？]["”’»)\]]*\s*$/u;

/** Lines begin a list item or a note with these. */
const ITEM = /^\s*(?:[•‣◦▪–—*·]|\(?\d{1,3}[.)\]]|\[\d{1,3}\])\s/u;

/** Groups lines into paragraphs; lines without a clear place stand alone. */
function paragraphsOf(lines: readonly PageLine[]): Paragraph[] {
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
  const down = a.baseline - b.baseline;
  const areAlike = Math.max(a.height, b.height) <= HEIGHT_RATIO_MAX * Math.min(a.height, b.height);
  return areAlike && down > 0 && down <= LEADING_RATIO_MAX * leading && a.left < b.right && b.left < a.right;
}

/** The median distance from one line to the next. */
export function usualLeading(lines: readonly PageLine[]): number {
  const distances = lines.flatMap((line, at) => {
    const next = lines[at + 1]?.place;
    const down = (line.place?.baseline ?? 0) - (next?.baseline ?? 0);
    return line.place === undefined || next === undefined || down <= 0 ? [] : [down];
  });
  return distances.toSorted((a, b) => a - b)[distances.length >> 1] ?? 0;
}

/** Divides neighbouring lines where one is indented, ends early, or begins an item of a list. */
function paragraphsOfBlock(block: readonly PageLine[]): Paragraph[] {
  const places = block.flatMap(({ place }) => place ?? []);
  const edges = places.reduce<Block>(
    (all, { left, right }) => ({ left: Math.min(all.left, left), right: Math.max(all.right, right) }),
    { left: Number.POSITIVE_INFINITY, right: Number.NEGATIVE_INFINITY },
  );
  const paragraphs: PlacedLine[][] = [];
  for (const line of block) {
    const paragraph = paragraphs.at(-1);
    const last = paragraph?.at(-1);
    const placed = block.length > 1 ? { ...line, block: edges } : line;
    if (
      paragraph !== undefined &&
      last !== undefined &&
      !endsParagraph(last, edges) &&
      !beginsParagraph(line, edges)
    )
      paragraph.push(placed);
    else paragraphs.push([placed]);
  }
  return paragraphs;
}

function endsParagraph({ text, place }: PageLine, { left, right }: Block): boolean {
  const share = SENTENCE_END.test(text) ? SHORT_SHARE_OF_SENTENCE : SHORT_SHARE;
  return (place?.right ?? 0) < right - share * (right - left);
}

function beginsParagraph({ text, place }: PageLine, { left }: Block): boolean {
  return ITEM.test(text) || (place?.left ?? 0) - left > INDENT_MIN * (place?.height ?? 0);
}

/** Whether a paragraph goes on at the top of the next page. */
function continuesOnNextPage(last: PlacedLine, first: PlacedLine): boolean {
  const [above, below] = [last.place, first.place];
  if (above === undefined || below === undefined || last.block === undefined || first.block === undefined)
    return false;
  const areAlike =
    Math.max(above.height, below.height) <= HEIGHT_RATIO_MAX * Math.min(above.height, below.height);
  return (
    areAlike &&
    !SENTENCE_END.test(last.text) &&
    !endsParagraph(last, last.block) &&
    !beginsParagraph(first, first.block)
  );
}

// The text

/** Between two pages stands a blank line, as between paragraphs. */
const PAGE_JOINER = "\n\n";

/** Collects the text in parts, since looking at the end of a long string that grows would copy it each time. */
class TextWriter {
  readonly #parts: string[] = [];
  #length = 0;
  /** The last two characters. */
  #tail = "";
  readonly #margins: Span[] = [];
  readonly #lines: LaidOutText["lines"][number][] = [];
  #page = 0;
  /** The end of the last paragraph, before the margins that follow it. */
  #bodyEnd = 0;
  /** Where the text of a paragraph that goes on on this page was left. */
  #leftAt: number | undefined;

  pageBreak(continuesParagraph: boolean, hasMarginsAtTop: boolean): void {
    this.#page++;
    this.#leftAt = continuesParagraph ? this.#bodyEnd : undefined;
    const isJoined = continuesParagraph && this.#bodyEnd === this.#length && !hasMarginsAtTop;
    if (!isJoined) this.#append(PAGE_JOINER);
  }

  margins(lines: readonly PageLine[]): void {
    for (const line of lines) {
      this.#newLine();
      this.#margins.push({ start: this.#length, end: this.#length + line.text.length });
      this.#line(line);
    }
  }

  /** A blank line stands between paragraphs; lines that stand alone, such as those of a table, follow each other. */
  paragraph(lines: Paragraph, before: Paragraph | undefined): void {
    const goesOn = this.#leftAt;
    this.#leftAt = undefined;
    if (goesOn === this.#length) this.#append(this.#joiner());
    else {
      this.#newLine();
      if (goesOn !== undefined) this.#skipFrom(goesOn);
    }
    if (before !== undefined && Math.max(lines.length, before.length) > 1) this.#append("\n");
    for (const [at, line] of lines.entries()) {
      if (at > 0) this.#append(this.#joiner());
      this.#line(line);
    }
    this.#bodyEnd = this.#length;
  }

  written(): LaidOutText {
    return { text: this.#parts.join(""), margins: this.#margins, lines: this.#lines };
  }

  #line(line: PageLine): void {
    this.#lines.push({ start: this.#length, page: this.#page, line });
    this.#append(line.text);
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    this.#tail = (this.#tail + text.slice(-2)).slice(-2);
  }

  /** What stands between two lines of a paragraph. */
  #joiner(): "\n" | " " | "" {
    if (HYPHEN_AT_END.test(this.#tail)) return "\n";
    return this.#tail.endsWith(" ") ? "" : " ";
  }

  #newLine(): void {
    if (this.#length > 0 && !this.#tail.endsWith("\n")) this.#append("\n");
  }

  /** Everything since the paragraph was left is no text of it: one margin, to which its line ends belong too. */
  #skipFrom(start: number): void {
    while ((this.#margins.at(-1)?.start ?? -1) >= start) this.#margins.pop();
    this.#margins.push({ start, end: this.#length });
  }
}

const HYPHEN_AT_END = /\p{L}[-\u2010\u00ad]$/u;
