import type { Span } from "../../core/text/span.ts";
import type { Page, PageLine } from "./pdf-lines.ts";
import { continuations, LEADING_RATIO_MAX, median, type PagedParagraph, paragraphsOf, usualLeading } from "./pdf-paragraphs.ts";

export type LaidOutText = {
  readonly text: string;
  /** The parts of it that are no text of the author: headers, footers and page numbers. UTF-16, ascending, disjoint. */
  readonly margins: readonly Span[];
  /** Where each line begins in the text, ascending, with the index of its page. */
  readonly lines: readonly { readonly start: number; readonly page: number; readonly line: PageLine }[];
};

/**
 * The text of pages as people read it: column after column, and the lines of a paragraph as one. A paragraph that goes on in the next
 * column or on the next page comes before what stands between: footnotes, headers and footers. A hyphen at the end of a line keeps its
 * line end, by which matching knows it. Lines that pages repeat at their edges, and the numbers of lines, stay in the text, at the edges
 * of their page, and are named. Where the layout is not clear, lines stay as they are drawn.
 */
export function layOut(pages: readonly Page[]): LaidOutText {
  const atEdges = new Set([...repeatedAtEdges(pages), ...apartAtEdges(pages)]);
  const isMargin = (line: PageLine) => line.isMargin === true || atEdges.has(line);
  const paragraphs = pages.map(({ lines }, page) => {
    const body = lines.filter((line) => !isMargin(line));
    return paragraphsOf(inReadingOrder(body)).map((lines): PagedParagraph => ({ lines, page }));
  });
  const nextOf = continuations(paragraphs.flat());
  const isContinuation = new Set(nextOf.values());
  const writer = new TextWriter();
  for (const [number, page] of pages.entries()) {
    const isTop = (line: PageLine) => (line.place?.baseline ?? 0) > page.bottom + page.height / 2;
    const margins = page.lines.filter(isMargin);
    if (number > 0) writer.pageBreak();
    writer.margins(margins.filter(isTop), number);
    for (const paragraph of paragraphs[number] ?? []) {
      if (!isContinuation.has(paragraph)) writer.paragraph(withContinuations(paragraph, nextOf));
    }
    writer.margins(margins.filter((line) => !isTop(line)), number);
  }
  return writer.written();
}

function withContinuations(
  paragraph: PagedParagraph,
  nextOf: ReadonlyMap<PagedParagraph, PagedParagraph>,
): PagedParagraph[] {
  const parts: PagedParagraph[] = [];
  for (let part: PagedParagraph | undefined = paragraph; part !== undefined; part = nextOf.get(part)) parts.push(part);
  return parts;
}

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

/** The share of pages whose first or last line stands apart from the text, for these lines to be headers or footers. */
const APART_SHARE = 0.9;

/** The first or last lines of pages that stand at the same height of their pages, apart from the text, such as the titles of chapters. */
function apartAtEdges(pages: readonly Page[]): PageLine[] {
  const byHeight = new Map<string, { readonly lines: PageLine[]; apart: number; all: number }>();
  for (const page of pages) {
    const placed = page.lines.filter(({ place }) => place !== undefined);
    const baselineOf = ({ place }: PageLine) => place?.baseline ?? 0;
    const ascending = placed.toSorted((a, b) => baselineOf(a) - baselineOf(b));
    const leading = usualLeading(page.lines);
    const height = median(placed.map(({ place }) => place?.height ?? 0));
    for (const [edge, lines] of Object.entries({ bottom: ascending, top: ascending.toReversed() })) {
      const [outermost] = lines;
      if (outermost?.place === undefined) continue;
      const { baseline } = outermost.place;
      const share = (baseline - page.bottom) / page.height;
      if (share >= EDGE_SHARE && share <= 1 - EDGE_SHARE) continue;
      const beside = lines.filter((line) => Math.abs(baselineOf(line) - baseline) < 1);
      const next = lines[beside.length];
      if (next === undefined || !beside.every((line) => (line.place?.height ?? 0) <= 1.15 * height)) continue;
      const key = `${edge} ${Math.round(baseline - page.bottom)}`;
      const alike = byHeight.get(key) ?? { lines: [], apart: 0, all: 0 };
      byHeight.set(key, alike);
      alike.lines.push(...beside);
      alike.all++;
      if (Math.abs(baselineOf(next) - baseline) > LEADING_RATIO_MAX * leading) alike.apart++;
    }
  }
  return [...byHeight.values()].flatMap(({ lines, apart, all }) =>
    all >= REPEATED_MIN && apart >= APART_SHARE * all ? lines : [],
  );
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

// The text

/** Collects the text in parts, since looking at the end of a long string that grows would copy it each time. */
class TextWriter {
  readonly #parts: string[] = [];
  #length = 0;
  /** The last two characters. */
  #tail = "";
  readonly #margins: Span[] = [];
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

  /** A blank line stands between paragraphs; lines that stand alone, such as those of a table, follow each other. */
  paragraph(parts: readonly PagedParagraph[]): void {
    const isAlone = parts.length === 1 && parts[0]?.lines.length === 1;
    this.#newLine();
    if (this.#isAlone === false || (this.#isAlone === true && !isAlone)) this.#append("\n");
    this.#isAlone = isAlone;
    for (const [at, { line, page }] of parts.flatMap(({ lines, page }) => lines.map((line) => ({ line, page }))).entries()) {
      if (at > 0) this.#append(this.#joiner());
      this.#line(line, page);
    }
  }

  written(): LaidOutText {
    return { text: this.#parts.join(""), margins: this.#margins, lines: this.#lines };
  }

  #line(line: PageLine, page: number): void {
    this.#lines.push({ start: this.#length, page, line });
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
}

const HYPHEN_AT_END = /\p{L}[-\u2010\u00ad]$/u;
