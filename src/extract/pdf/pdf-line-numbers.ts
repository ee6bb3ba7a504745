import { EDGE_SHARE } from "./pdf-headers.ts";
import { drawnLines, isUpright, type Page, type PageLine, type TextItem } from "./pdf-lines.ts";
import { isProse, median, usualLeading } from "./pdf-paragraphs.ts";

/** Fewer numbers under each other may mean anything. */
const NUMBERS_MIN = 3;

const NUMBER = /^\s*\d{1,5}\s*$/;

/** Rounding tolerance in points: numbers under each other begin or end at the same place. */
const ALIGNED = 1;

/** The share of a column's numbers that follow each other by the same step; page numbers may stand in the same column. */
const COUNTING_SHARE = 0.75;

/** The maximum distance of two line numbers, as a multiple of the distance of the lines they count. Numbers of paragraphs are farther apart. */
const DISTANCE_RATIO_MAX = 1.25;

/** The share of the line numbers beside a line that begins within a sentence. Rows of tables begin with capitals or numbers. */
const RUNNING_SHARE = 1 / 3;

/**
 * The numbers that stand beside the lines of a page, one for each line or for every fifth: a column of numbers that grow by the same
 * step, as far from each other as the lines that they count, with no other text above or below them and with running text beside them. A
 * column of a table has text of the page above or below it, or rows beside it.
 * @param edges where line numbers of earlier pages begin and end; this page's edges are added. There, one number on a page is enough.
 */
export function lineNumbersOf(
  items: readonly TextItem[],
  page: Pick<Page, "bottom" | "height">,
  edges: number[],
): ReadonlySet<TextItem> {
  const texts = items.filter((item) => item.str.trim() !== "" && isUpright(item)).map(boxOf);
  const numbers = texts.filter(({ item }) => NUMBER.test(item.str));
  const found = new Set<TextItem>();
  for (const side of ["left", "right"] as const)
    for (const aligned of alignedAt(numbers, side)) {
      const place = aligned[0]?.[side] ?? 0;
      const isKnown = edges.some((edge) => Math.abs(edge - place) <= ALIGNED);
      const column = countingOf(aligned, isKnown ? 1 : NUMBERS_MIN);
      if (column === undefined) continue;
      const own = new Set(column.numbers.map(({ item }) => item));
      if (texts.some((text) => !own.has(text.item) && isInColumn(text, column, page))) continue;
      if (!isKnown && !isBesideText(column, drawnLines(items.filter((item) => !own.has(item))))) continue;
      if (!isKnown) edges.push(place);
      for (const item of own) found.add(item);
    }
  return found;
}

/** The line numbers of a page as one line of its margins; none if there are none. */
export function lineOfNumbers(numbers: ReadonlySet<TextItem>): PageLine[] {
  if (numbers.size === 0) return [];
  let text = "";
  const pieces = [...numbers].map((item) => {
    if (text !== "") text += " ";
    const piece = { start: text.length, item };
    text += item.str;
    return piece;
  });
  return [{ text, place: undefined, pieces, isMargin: true }];
}

type Box = {
  readonly item: TextItem;
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
};

/** Numbers under each other, from above, and by how much they grow. */
type Column = Pick<Box, "left" | "right"> & { readonly numbers: readonly Box[]; readonly step: number };

function boxOf(item: TextItem): Box {
  const [, , , , left = 0, baseline = 0] = item.transform;
  return { item, left, right: left + item.width, baseline };
}

/** Groups numbers that share an edge. */
function alignedAt(numbers: readonly Box[], side: "left" | "right"): Box[][] {
  const columns: Box[][] = [];
  let last: Box | undefined;
  for (const box of numbers.toSorted((a, b) => a[side] - b[side])) {
    if (last !== undefined && box[side] - last[side] <= ALIGNED) columns.at(-1)?.push(box);
    else columns.push([box]);
    last = box;
  }
  return columns;
}

/** The numbers of a column that grow by the same step, and may restart; undefined unless they are most of it. */
function countingOf(column: readonly Box[], numbersMin: number): Column | undefined {
  const descending = column.toSorted((a, b) => b.baseline - a.baseline);
  const step = median(stepsOf(descending));
  const numbers = descending.filter(
    (box, at) =>
      column.length === 1 ||
      stepsOf([descending[at - 1] ?? box, box, descending[at + 1] ?? box]).includes(step),
  );
  const isMost = numbers.length >= Math.max(numbersMin, COUNTING_SHARE * column.length);
  if (!isMost || !stepsOf(numbers).every((one) => (one === step && one > 0) || one < 0)) return undefined;
  const left = numbers.reduce((least, box) => Math.min(least, box.left), Number.POSITIVE_INFINITY);
  const right = numbers.reduce((most, box) => Math.max(most, box.right), Number.NEGATIVE_INFINITY);
  return { numbers, step, left, right };
}

function stepsOf(boxes: readonly Box[]): number[] {
  return boxes.slice(1).map(({ item }, at) => Number(item.str) - Number(boxes[at]?.item.str));
}

/** Whether a text stands above, below or between the numbers of a column, other than at the edges of the page. */
function isInColumn(
  text: Box,
  { left, right }: Column,
  { bottom, height }: Pick<Page, "bottom" | "height">,
): boolean {
  const share = (text.baseline - bottom) / height;
  if (share < EDGE_SHARE || share > 1 - EDGE_SHARE) return false;
  return text.left < right && text.right > left;
}

/** Whether a column counts the lines of running text. */
function isBesideText({ numbers, step }: Column, lines: readonly PageLine[]): boolean {
  const distance = median(
    numbers.slice(1).map(({ baseline }, at) => (numbers[at]?.baseline ?? 0) - baseline),
  );
  if (distance > DISTANCE_RATIO_MAX * step * usualLeading(lines)) return false;
  const running = lines.filter((line) => isProse(line) && /^\s*[\p{Ll}\p{Lo}]/u.test(line.text));
  const beside = numbers.filter(({ baseline }) =>
    running.some(({ place }) => place !== undefined && Math.abs(place.baseline - baseline) <= place.height),
  );
  return beside.length >= RUNNING_SHARE * numbers.length;
}
