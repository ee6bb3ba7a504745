import { firstIndex } from "../../../text/span.ts";
import type { Segment } from "./passages.ts";

/** The elements of a document that are shown; of any other, only the text is. */
const WORD_TAGS = [
  ..."p h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr th td blockquote br".split(" "),
  ..."strong em u s sup sub".split(" "),
] as const;

/** Elements that end the line of text before and after them. */
const BLOCKS = new Set("p h1 h2 h3 h4 h5 h6 ul ol li table tr th td blockquote".split(" "));

/** A part of a document: an element, a reference to a note or back, or text. */
export type WordNode =
  | {
      readonly kind: "element";
      readonly tag: string;
      /** Of a cell that spans several rows or columns. */
      readonly colSpan: number | undefined;
      readonly rowSpan: number | undefined;
      /** The number of the first item of a list; undefined for 1. */
      readonly start: number | undefined;
      /** The level of a heading, below the page's own headings and without gaps. */
      readonly level: number | undefined;
      /** The name by which a reference leads here. */
      readonly name: string | undefined;
      readonly children: readonly WordNode[];
    }
  | {
      readonly kind: "reference";
      readonly text: string;
      readonly name: string | undefined;
      readonly to: string;
    }
  /** Text that the document hides from its reader, which is no part of the submitted text. */
  | { readonly kind: "hidden"; readonly text: string }
  | { readonly kind: "text"; readonly pieces: readonly TextPiece[] };

/** Text within one segment of the submitted text; without one where the two texts differ. */
export type TextPiece = {
  readonly text: string;
  readonly segment: Segment | undefined;
  /** Where it stands in the submitted text. */
  readonly start: number | undefined;
};

type WordTree = {
  readonly blocks: readonly WordNode[];
  /** Passages that were not found in the document at all, such as passages in headers and charts. */
  readonly unplaced: number;
};

/**
 * The HTML of a document as a tree of known elements, its text cut into the segments of the submitted text. Nothing of the HTML
 * itself gets into the page: elements that are not known, attributes and links are dropped.
 */
export function readWordTree(html: string, text: string, segments: readonly Segment[]): WordTree {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const lines = textLines(body);
  const offsets = placeTexts(
    lines.map((nodes) => nodes.map(({ data }) => data).join("")),
    text,
  );
  const places = new Map<Text, readonly number[]>();
  for (const [index, nodes] of lines.entries()) {
    let start = 0;
    for (const node of nodes) {
      places.set(node, offsets[index]?.slice(start, start + node.data.length) ?? []);
      start += node.data.length;
    }
  }
  const shown = new Set<number>();
  const begun = new Set<Segment>();
  const piecesOf = (node: Text) =>
    textPieces(node.data, places.get(node) ?? [], segments).map((piece) => {
      const { segment } = piece;
      if (segment === undefined) return piece;
      for (const { index } of segment.passages) shown.add(index);
      // The numbers of the passages stand before the first piece alone.
      if (begun.has(segment)) return { ...piece, segment: { ...segment, begins: [] } };
      begun.add(segment);
      return piece;
    });
  const blocks = childrenOf(body, piecesOf, headingLevels());
  const all = new Set(segments.flatMap(({ passages }) => passages.map(({ index }) => index)));
  return { blocks, unplaced: all.size - shown.size };
}

/** The text nodes that follow each other without a new paragraph, cell or item. */
function textLines(body: Element): Text[][] {
  const lines: Text[][] = [[]];
  const visit = (node: Node) => {
    if (node instanceof Text) lines.at(-1)?.push(node);
    if (!(node instanceof Element) || isReference(node) || isHidden(node)) return;
    const isBlock = BLOCKS.has(node.localName);
    if (isBlock) lines.push([]);
    for (const child of node.childNodes) visit(child);
    if (isBlock) lines.push([]);
  };
  visit(body);
  return lines.filter((nodes) => nodes.length > 0);
}

/** The number of a note, or the arrow back from it, which are not text of the document. */
function isReference(element: Element): boolean {
  return element.localName === "a" && /^#(?:foot|end)note-/.test(element.getAttribute("href") ?? "");
}

function isHidden(element: Element): boolean {
  return element.localName === "del";
}

const KNOWN: ReadonlySet<string> = new Set(WORD_TAGS);

function childrenOf(
  parent: Node,
  piecesOf: (node: Text) => readonly TextPiece[],
  levelOf: (tag: string) => number | undefined,
): WordNode[] {
  return [...parent.childNodes].flatMap((node): WordNode[] => {
    if (node instanceof Text) return [{ kind: "text", pieces: piecesOf(node) }];
    if (!(node instanceof Element)) return [];
    const name = node.id === "" ? undefined : node.id;
    if (isReference(node))
      return [
        { kind: "reference", text: node.textContent, name, to: (node.getAttribute("href") ?? "").slice(1) },
      ];
    if (isHidden(node)) return [{ kind: "hidden", text: node.textContent }];
    const level = levelOf(node.localName);
    const children = childrenOf(node, piecesOf, levelOf);
    if (!KNOWN.has(node.localName)) return children;
    return [
      {
        kind: "element",
        tag: node.localName,
        colSpan: spanOf(node, "colspan"),
        rowSpan: spanOf(node, "rowspan"),
        start: node instanceof HTMLOListElement && node.start > 1 ? node.start : undefined,
        level,
        name,
        children,
      },
    ];
  });
}

/** The page has headings of two levels itself. */
const PAGE_LEVELS = 2;
const LEVEL_MAX = 6;

/** Levels for the headings of a document in order: none is more than one below the one before. */
function headingLevels(): (tag: string) => number | undefined {
  let last = PAGE_LEVELS;
  return (tag) => {
    const own = Number(/^h(\d)$/.exec(tag)?.[1] ?? 0);
    if (own === 0) return undefined;
    last = Math.min(own + PAGE_LEVELS, last + 1, LEVEL_MAX);
    return last;
  };
}

/** A table with more columns than this is not meant for reading. */
const SPAN_MAX = 100;

function spanOf(cell: Element, attribute: string): number | undefined {
  const span = Number(cell.getAttribute(attribute) ?? "1");
  return Number.isInteger(span) && span > 1 && span <= SPAN_MAX ? span : undefined;
}

/** Cuts a text node where its segment changes. @param offsets of its units in the submitted text; none if it was not found there */
function textPieces(text: string, offsets: readonly number[], segments: readonly Segment[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  let start = 0;
  while (start < text.length) {
    const offset = offsets[start];
    if (offset === undefined) return [{ text: text.slice(start), segment: undefined, start: undefined }];
    const segment = segments[firstIndex(segments.length, (index) => (segments[index]?.end ?? 0) > offset)];
    let end = start + 1;
    while (end < text.length && isIn(offsets[end], segment)) end++;
    pieces.push({ text: text.slice(start, end), segment, start: offset });
    start = end;
  }
  return pieces;
}

function isIn(offset: number | undefined, segment: Segment | undefined): boolean {
  return offset !== undefined && segment !== undefined && offset >= segment.start && offset < segment.end;
}

/** White space, which differs between a text and its HTML, and characters that HTML can't hold. */
const UNCOMPARED = /[\s\0\ufffd]/u;

/** Texts that are shorter may stand anywhere by chance: they are only looked for near the text before. */
const DISTINCT_CHARS = 24;
const NEAR_CHARS = 400;

/**
 * Finds where parts of a document stand in its text, in which they follow each other; only white space differs, and some parts may be
 * missing on either side, or stand elsewhere if they are long enough to be found there.
 * @returns for each part the offset of each of its UTF-16 units in the text, or undefined for a part that is not found
 */
export function placeTexts(parts: readonly string[], text: string): (readonly number[] | undefined)[] {
  const whole = squeezed(text);
  let cursor = 0;
  return parts.map((part) => {
    const { chars, at } = squeezed(part);
    if (chars === "") return undefined;
    const place = find(whole.chars, chars, cursor);
    if (place === undefined) return undefined;
    if (place >= cursor) cursor = place + chars.length;
    return offsetsOf(part.length, at, whole.at.slice(place, place + chars.length));
  });
}

type Squeezed = { readonly chars: string; readonly at: readonly number[] };

/** A text without white space, and where each of its units stood. */
function squeezed(text: string): Squeezed {
  const kept: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charAt(index);
    if (UNCOMPARED.test(unit)) continue;
    kept.push(unit);
    at.push(index);
  }
  return { chars: kept.join(""), at };
}

function find(whole: string, part: string, cursor: number): number | undefined {
  if (whole.startsWith(part, cursor)) return cursor;
  const isDistinct = part.length >= DISTINCT_CHARS;
  const until = isDistinct ? whole.length : cursor + NEAR_CHARS;
  const ahead = whole.slice(cursor, until).indexOf(part);
  if (ahead >= 0) return cursor + ahead;
  const anywhere = isDistinct ? whole.indexOf(part) : -1;
  return anywhere < 0 ? undefined : anywhere;
}

/** White space stands where the unit before it ends. */
function offsetsOf(length: number, at: readonly number[], places: readonly number[]): number[] {
  const offsets: number[] = [];
  let next = 0;
  for (let index = 0; index < length; index++) {
    const isKept = at[next] === index;
    if (isKept) next++;
    const before = places[next - 1];
    offsets.push(before === undefined ? (places[0] ?? 0) : isKept ? before : before + 1);
  }
  return offsets;
}
