import type { LinePlace, Page, PageLine } from "./pdf-lines.ts";
import { isLarger, LEADING_RATIO_MAX, median, usualLeading } from "./pdf-paragraphs.ts";

/** The part of a page's height at its top and at its bottom in which headers and footers stand. */
export const EDGE_SHARE = 0.12;

/** Lines at an edge of a page that may be headers or footers. */
const EDGE_LINES = 2;

/** The minimum number of pages that repeat a line; in a shorter document, all pages. */
const REPEATED_MIN = 3;

/** A page of fewer other lines has no headers: its few lines are its text. */
const OTHER_LINES_MIN = 3;

/** The share of lines at one height of their pages that stand apart from the text, for all of them to be headers. */
const APART_SHARE = 0.9;

/**
 * The lines that are headers, footers or page numbers: lines that pages repeat at an edge except for their numbers, and the outermost lines
 * of pages where they stand at the same height and apart from the text, such as the titles of chapters.
 */
export function headersAndFooters(pages: readonly Page[]): ReadonlySet<PageLine> {
  const edges = pages.flatMap(edgesOf);
  return new Set([...repeatedLines(edges, pages.length), ...linesApart(edges)]);
}

type Placed = PageLine & { readonly place: LinePlace };

type Edge = {
  readonly name: "top" | "bottom";
  readonly page: Page;
  /** The lines of the page, from this edge on. */
  readonly lines: readonly Placed[];
};

function edgesOf(page: Page): Edge[] {
  const ascending = page.lines
    .filter((line): line is Placed => line.place !== undefined)
    .sort((a, b) => a.place.baseline - b.place.baseline);
  return [
    { name: "bottom", page, lines: ascending },
    { name: "top", page, lines: ascending.toReversed() },
  ];
}

function isAtEdge({ place }: Placed, { name, page }: Edge): boolean {
  const share = (place.baseline - page.bottom) / page.height;
  return name === "top" ? share > 1 - EDGE_SHARE : share < EDGE_SHARE;
}

function repeatedLines(edges: readonly Edge[], pages: number): Placed[] {
  const byText = new Map<string, Placed[]>();
  for (const edge of edges.filter(({ lines }) => lines.length > OTHER_LINES_MIN))
    for (const line of edge.lines.slice(0, EDGE_LINES).filter((one) => isAtEdge(one, edge))) {
      const key = `${edge.name} ${withoutNumbers(line.text)}`;
      const alike = byText.get(key);
      if (alike === undefined) byText.set(key, [line]);
      else alike.push(line);
    }
  const needed = Math.min(REPEATED_MIN, Math.max(2, pages));
  return [...byText.values()].filter((lines) => lines.length >= needed).flat();
}

/** Arabic and Roman numbers differ from page to page. */
function withoutNumbers(text: string): string {
  return text
    .trim()
    .replace(/\p{Nd}+/gu, "#")
    .replace(/(?<=^|\s)[ivxlc]+(?=$|\s)/gi, "#");
}

function linesApart(edges: readonly Edge[]): Placed[] {
  const byHeight = new Map<string, { readonly lines: Placed[]; readonly apart: boolean[] }>();
  for (const edge of edges) {
    const [outermost] = edge.lines;
    if (outermost === undefined || !isAtEdge(outermost, edge)) continue;
    const { baseline } = outermost.place;
    const beside = edge.lines.filter(({ place }) => Math.abs(place.baseline - baseline) < 1);
    const next = edge.lines[beside.length];
    const usual = median(edge.lines.map(({ place }) => place.height));
    // Headings have larger letters than the text; headers do not.
    if (next === undefined || isLarger(outermost.place.height, usual)) continue;
    const key = `${edge.name} ${Math.round(baseline - edge.page.bottom)}`;
    const alike = byHeight.get(key) ?? { lines: [], apart: [] };
    byHeight.set(key, alike);
    for (const line of beside) alike.lines.push(line);
    const distance = Math.abs(next.place.baseline - baseline);
    alike.apart.push(distance > LEADING_RATIO_MAX * usualLeading(edge.page.lines));
  }
  return [...byHeight.values()].flatMap(({ lines, apart }) =>
    apart.length >= REPEATED_MIN && apart.filter(Boolean).length >= APART_SHARE * apart.length ? lines : [],
  );
}
