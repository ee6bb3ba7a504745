import { bibliography } from "../../text/bibliography.ts";
import { type HiddenText, hiddenText } from "../../text/hidden-text.ts";
import { firstIndex, type Span } from "../../text/span.ts";
import { headersAndFooters } from "./pdf-headers.ts";
import type { Page, PageLine } from "./pdf-lines.ts";
import { notesAtFoot } from "./pdf-notes.ts";
import { continuations, type PagedParagraph, paragraphsOf } from "./pdf-paragraphs.ts";

export type LaidOutText = {
  readonly text: string;
  /** The parts that the author did not write: headers, footers, page numbers and line numbers. UTF-16, ascending, disjoint. */
  readonly margins: readonly Span[];
  /** The text that a reader of the pages does not see, ascending. */
  readonly hidden: readonly HiddenText[];
  /** Where each line begins in the text, ascending, with the index of its page. */
  readonly lines: readonly { readonly start: number; readonly page: number; readonly line: PageLine }[];
};

/**
 * The text of pages as people read it: column after column, and the lines of a paragraph as one. A paragraph that continues in the next
 * column or on the next page comes before the lines between: footnotes, headers and footers. A hyphen at the end of a line keeps its
 * line end, so that matching recognises it. Lines that pages repeat at their edges, and the numbers of lines, stay in the text, at the edges
 * of their page, and are named. Where the layout is not clear, lines stay as they are drawn.
 */
export function layOut(read: readonly Page[]): LaidOutText {
  const pages = isTypewritten(read) ? read.map(asProse) : read;
  const atEdges = headersAndFooters(pages);
  const isMargin = (line: PageLine) => line.isMargin === true || atEdges.has(line);
  const paragraphs = pages.map(({ lines }, page) => {
    const body = lines.filter((line) => !isMargin(line));
    return paragraphsOf(inReadingOrder(body)).map((lines): PagedParagraph => ({ lines, page }));
  });
  const nextOf = continuations(paragraphs);
  const isContinuation = new Set(nextOf.values());
  const write = (isMoved: (paragraph: PagedParagraph) => boolean, movedTo: Moves): LaidOutText => {
    const writer = new TextWriter();
    const writeParagraph = (paragraph: PagedParagraph) =>
      writer.paragraph(withContinuations(paragraph, nextOf));
    for (const [number, page] of pages.entries()) {
      const isTop = (line: PageLine) => (line.place?.baseline ?? 0) > page.bottom + page.height / 2;
      const margins = page.lines.filter(isMargin);
      if (number > 0) writer.pageBreak();
      writer.hidden((page.hidden ?? []).map((one) => ({ at: 0, ...one })));
      writer.margins(margins.filter(isTop), number);
      for (const paragraph of paragraphs[number] ?? []) {
        for (const note of movedTo.get(paragraph) ?? []) writeParagraph(note);
        if (!isContinuation.has(paragraph) && !isMoved(paragraph)) writeParagraph(paragraph);
      }
      writer.margins(
        margins.filter((line) => !isTop(line)),
        number,
      );
    }
    return writer.written();
  };
  const asDrawn = write(() => false, new Map());
  const moves = notesBeforeBibliography(asDrawn, paragraphs, isContinuation);
  if (moves.size === 0) return asDrawn;
  const moved = new Set([...moves.values()].flat());
  return write((paragraph) => moved.has(paragraph), moves);
}

/** Paragraphs that are written before another one. */
type Moves = ReadonlyMap<PagedParagraph, readonly PagedParagraph[]>;

/**
 * The notes at the foot of the pages of a bibliography, by the paragraph of its heading. They are no part of it, and excluding the
 * bibliography would exclude them too.
 */
function notesBeforeBibliography(
  { text, lines }: LaidOutText,
  pages: readonly (readonly PagedParagraph[])[],
  isContinuation: ReadonlySet<PagedParagraph>,
): Moves {
  const notes = pages.flatMap(notesAtFoot).filter((note) => !isContinuation.has(note));
  const sections = notes.length === 0 ? [] : bibliography(text);
  if (sections.length === 0) return new Map();
  const startOf = new Map(lines.map(({ line, start }) => [line, start]));
  const startsAt = ({ lines: [line] }: PagedParagraph) => (line && startOf.get(line)) ?? 0;
  const byStart = pages.flat().toSorted((one, other) => startsAt(one) - startsAt(other));
  const moves = new Map<PagedParagraph, PagedParagraph[]>();
  for (const note of notes) {
    // Both are in ascending order; a long file may have many of both.
    const section = sections[firstIndex(sections.length, (at) => (sections[at]?.end ?? 0) > startsAt(note))];
    if (section === undefined || startsAt(note) <= section.start) continue;
    const isBehind = (at: number) => startsAt(byStart[at] ?? note) >= section.start;
    const heading = byStart[firstIndex(byStart.length, isBehind)];
    if (heading === undefined || heading === note) continue;
    const moved = moves.get(heading) ?? [];
    moved.push(note);
    moves.set(heading, moved);
  }
  return moves;
}

/** Whether the text itself, and not only its listings, is in a monospaced font. */
function isTypewritten(pages: readonly Page[]): boolean {
  const lines = pages.flatMap((page) => page.lines);
  return 2 * lines.filter(({ isFixedWidth }) => isFixedWidth).length > lines.length;
}

function asProse({ lines, ...page }: Page): Page {
  return { ...page, lines: lines.map(({ isFixedWidth: _, ...line }) => line) };
}

function withContinuations(
  paragraph: PagedParagraph,
  nextOf: ReadonlyMap<PagedParagraph, PagedParagraph>,
): PagedParagraph[] {
  const parts: PagedParagraph[] = [];
  for (let part: PagedParagraph | undefined = paragraph; part !== undefined; part = nextOf.get(part))
    parts.push(part);
  return parts;
}

// Columns

/** Lines on both sides of the gap between two columns, at least. */
const COLUMN_LINES_MIN = 6;

/** How far left of a column's first letters the gap before it is looked for, in points. */
const BEFORE_COLUMN = 3;

/**
 * The lines column after column. Most programs draw them so; where the order of drawing goes back and forth between two columns, they
 * are sorted: lines over both columns divide the page into zones, and in each the left column comes first. A column may be two columns again.
 */
function inReadingOrder(lines: readonly PageLine[]): readonly PageLine[] {
  const gutter = gutterOf(lines);
  if (gutter === undefined) return lines;
  const sideOf = ({ place }: PageLine) =>
    place === undefined ? "both" : place.right <= gutter ? "left" : place.left >= gutter ? "right" : "both";
  const sides = lines.map(sideOf);
  const returns = sides.filter((side, at) => side === "left" && sides[at - 1] === "right").length;
  const zones = sides.filter((side, at) => side === "both" && sides[at - 1] !== "both").length + 1;
  const ordered: PageLine[] = [];
  let [left, right]: [PageLine[], PageLine[]] = [[], []];
  const endZone = () => {
    ordered.push(...inReadingOrder(left), ...inReadingOrder(right));
    [left, right] = [[], []];
  };
  for (const [at, line] of lines.entries()) {
    const side = sides[at];
    if (returns <= zones && side !== sides[at - 1]) endZone();
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
    const at = left - BEFORE_COLUMN;
    const before = places.filter(({ right }) => right <= at).length;
    const after = places.filter((place) => place.left >= at).length;
    const crossed = places.length - before - after;
    if (Math.min(before, after) < COLUMN_LINES_MIN || crossed * 4 > places.length) continue;
    if (best === undefined || crossed < best.crossed) best = { at, crossed };
  }
  return best?.at;
}

// The text

/** Collects the text in parts, since looking at the end of a long string that grows would copy it each time. */
class TextWriter {
  readonly #parts: string[] = [];
  #length = 0;
  /** The last two characters. */
  #tail = "";
  readonly #margins: Span[] = [];
  readonly #hidden: HiddenText[] = [];
  readonly #lines: LaidOutText["lines"][number][] = [];
  /** Whether the last line written is a paragraph's by itself; undefined at the beginning of a page. */
  #isAlone: boolean | undefined;

  /** Between two pages stands a blank line, as between paragraphs. */
  pageBreak(): void {
    if (this.#length > 0) this.#append("\n\n");
    this.#isAlone = undefined;
  }

  margins(lines: readonly PageLine[], page: number): void {
    for (const line of lines) {
      this.#newLine();
      this.#margins.push({ start: this.#length, end: this.#length + line.text.length });
      this.#line(line, page);
    }
  }

  /** A blank line stands between paragraphs; lines that stand alone, such as rows of a table, follow each other. */
  paragraph(parts: readonly PagedParagraph[]): void {
    const isAlone = parts.length === 1 && parts[0]?.lines.length === 1;
    this.#newLine();
    if (this.#isAlone === false || (this.#isAlone === true && !isAlone)) this.#append("\n");
    this.#isAlone = isAlone;
    for (const [at, { line, page }] of parts
      .flatMap(({ lines, page }) => lines.map((line) => ({ line, page })))
      .entries()) {
      if (at > 0) this.#append(this.#joiner());
      this.#line(line, page);
    }
  }

  /** Text that is hidden at offsets from here on. */
  hidden(hidden: NonNullable<PageLine["hidden"]>): void {
    for (const { at, means, text } of hidden)
      this.#hidden.push(...hiddenText(this.#length + at, means, text));
  }

  written(): LaidOutText {
    return { text: this.#parts.join(""), margins: this.#margins, hidden: this.#hidden, lines: this.#lines };
  }

  #line(line: PageLine, page: number): void {
    this.#lines.push({ start: this.#length, page, line });
    this.hidden(line.hidden ?? []);
    this.#append(line.text);
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    this.#tail = (this.#tail + text.slice(-2)).slice(-2);
  }

  /** The characters between two lines of a paragraph. */
  #joiner(): "\n" | " " | "" {
    if (HYPHEN_AT_END.test(this.#tail)) return "\n";
    return this.#tail.endsWith(" ") ? "" : " ";
  }

  #newLine(): void {
    if (this.#length > 0 && !this.#tail.endsWith("\n")) this.#append("\n");
  }
}

const HYPHEN_AT_END = /\p{L}[-\u2010\u00ad]$/u;
