import type { GraphMember, GraphPair, MemberCluster } from "./batch-graph.ts";
import { levelOf } from "./batch-wording.ts";
import { similarTogether } from "./cluster-order.ts";

/** The most members in a matrix. If there are more, the members of the largest clusters are shown. */
export const MATRIX_MEMBERS_MAX = 2_000;

/** A pair at its place above the diagonal: `row` is less than `column`. */
type Cell = {
  readonly row: number;
  readonly column: number;
  readonly pair: GraphPair;
  /** The percentage of the row's text that is in the column's, and the other way round, each with its step. */
  readonly pct: number;
  readonly mirrorPct: number;
  readonly level: number;
  readonly mirrorLevel: number;
};

export type Matrix = {
  readonly members: readonly GraphMember[];
  /** Where each cluster begins, and how many members it has. */
  readonly blocks: readonly { readonly start: number; readonly length: number }[];
  readonly cells: readonly Cell[];
  /** The pair of two members by their places, in either order. */
  readonly pairAt: (row: number, column: number) => GraphPair | undefined;
  /** The members' names as rows and columns show them. */
  readonly names: readonly string[];
  /** The columns with a pair in each row, ascending. */
  readonly columnsOf: readonly (readonly number[])[];
};

/**
 * The members of clusters beside each other, similar ones together, with all pairs among them.
 * @param shortNames by the members' names
 */
export function toMatrix(
  clusters: readonly MemberCluster[],
  pairs: readonly GraphPair[],
  shortNames: ReadonlyMap<string, string>,
): Matrix {
  const members: GraphMember[] = [];
  const blocks: { start: number; length: number }[] = [];
  for (const cluster of clusters) {
    const ordered = similarTogether(cluster).slice(0, MATRIX_MEMBERS_MAX - members.length);
    if (ordered.length === 0) break;
    blocks.push({ start: members.length, length: ordered.length });
    members.push(...ordered);
  }
  const places = new Map(members.map(({ ordinal }, at) => [ordinal, at]));
  const columnsOf = members.map((): number[] => []);
  const byPlaces = new Map<number, GraphPair>();
  const cells = pairs.flatMap((pair): Cell[] => {
    const [a, b] = [places.get(pair.a.ordinal), places.get(pair.b.ordinal)];
    if (a === undefined || b === undefined) return [];
    const [row, column] = a < b ? [a, b] : [b, a];
    columnsOf[row]?.push(column);
    columnsOf[column]?.push(row);
    byPlaces.set(row * members.length + column, pair);
    const [pct, mirrorPct] = a < b ? [pair.aPct, pair.bPct] : [pair.bPct, pair.aPct];
    return [{ row, column, pair, pct, mirrorPct, level: levelOf(pct), mirrorLevel: levelOf(mirrorPct) }];
  });
  for (const columns of columnsOf) columns.sort((one, other) => one - other);
  const pairAt = (one: number, other: number) =>
    byPlaces.get(Math.min(one, other) * members.length + Math.max(one, other));
  const names = members.map(({ name }) => shortNames.get(name) ?? name);
  return { members, names, blocks, cells, pairAt, columnsOf };
}

export type Place = { readonly row: number; readonly column: number };

/** The pair nearest to a place, at most `reach` cells away; the place itself where there is none. */
export function nearestPair({ columnsOf, members }: Matrix, { row, column }: Place, reach: number): Place {
  let best: { place: Place; distance: number } | undefined;
  for (let at = Math.max(0, row - reach); at <= Math.min(members.length - 1, row + reach); at++)
    for (const other of columnsOf[at] ?? []) {
      const distance = Math.max(Math.abs(at - row), Math.abs(other - column));
      if (distance <= reach && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
        best = { place: { row: at, column: other }, distance };
    }
  return best?.place ?? { row, column };
}

/** Where a key leads from a place: one cell on, with Ctrl to the next pair of the row or column; undefined for other keys. */
export function movedPlace(
  { columnsOf, members }: Matrix,
  place: Place,
  key: string,
  toPair: boolean,
): Place | undefined {
  const last = members.length - 1;
  const within = (at: number) => Math.min(last, Math.max(0, at));
  const step = (from: number, line: number, direction: 1 | -1) => {
    if (!toPair) return within(from + direction);
    // The matrix is symmetric: a column has the same pairs as its row.
    const others = columnsOf[line] ?? [];
    const next =
      direction === 1 ? others.find((other) => other > from) : others.findLast((other) => other < from);
    return next ?? from;
  };
  const { row, column } = place;
  switch (key) {
    case "ArrowRight":
      return { row, column: step(column, row, 1) };
    case "ArrowLeft":
      return { row, column: step(column, row, -1) };
    case "ArrowDown":
      return { row: step(row, column, 1), column };
    case "ArrowUp":
      return { row: step(row, column, -1), column };
    case "Home":
      return { row: toPair ? 0 : row, column: 0 };
    case "End":
      return { row: toPair ? last : row, column: last };
    default:
      return undefined;
  }
}

/** From this size on, rows and columns have names. */
export const NAMED_CELL_PX = 12;

/** The width of a letter, more or less: a name that needs more is compressed. */
const LETTER_PX = 7;
const NAME_MARGIN_PX = 14;

/** A gap between cells, where they are large enough for one. */
const GAP_CELL_PX = 8;

/** From this size on, cells show their percentage. */
const NUMBERED_CELL_PX = 22;

export type Colours = {
  /** By level, from 1. */
  readonly levels: readonly string[];
  readonly ground: string;
  readonly diagonal: string;
  readonly line: string;
  readonly ink: string;
  readonly current: string;
};

type MatrixView = {
  /** The side of a cell in pixels. */
  readonly cell: number;
  /** How far the matrix is scrolled. */
  readonly left: number;
  readonly top: number;
  /** Its visible part, with the names. */
  readonly width: number;
  readonly height: number;
};

/** The space before the first cell. */
export function namesSpace({ names }: Pick<Matrix, "names">, cell: number): number {
  if (cell < NAMED_CELL_PX) return 0;
  return NAME_MARGIN_PX + LETTER_PX * Math.max(...names.map((name) => [...name].length));
}

/** Where cells of the part in view lie on the canvas. */
function placesIn(matrix: Matrix, { cell, left, top }: MatrixView) {
  const space = namesSpace(matrix, cell);
  return {
    space,
    side: cell - (cell >= GAP_CELL_PX ? 1 : 0),
    x: (column: number) => space + column * cell - left,
    y: (row: number) => space + row * cell - top,
  };
}

/** Draws, from here on, only where cells are. */
function clipToCells(context: CanvasRenderingContext2D, space: number, { width, height }: MatrixView): void {
  context.beginPath();
  context.rect(space, space, width - space, height - space);
  context.clip();
}

/** Draws the cells of the part of a matrix that is in view, which may be tens of thousands. */
export function drawCells(
  context: CanvasRenderingContext2D,
  matrix: Matrix,
  view: MatrixView,
  colours: Colours,
): void {
  const { members, blocks, cells } = matrix;
  const { cell, width, height } = view;
  const { space, side, x, y } = placesIn(matrix, view);
  const gap = cell - side;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  context.save();
  clipToCells(context, space, view);
  const isInView = (row: number, column: number) =>
    x(column) > space - cell && x(column) < width && y(row) > space - cell && y(row) < height;
  context.fillStyle = colours.diagonal;
  for (let at = 0; at < members.length; at++)
    if (isInView(at, at)) context.fillRect(x(at), y(at), side, side);
  context.strokeStyle = colours.line;
  context.font = `${Math.round(0.42 * cell)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  // By level, because changing the colour takes the time.
  for (const [at, colour] of colours.levels.entries()) {
    const ink = inkOn(colour);
    const drawCell = (row: number, column: number, pct: number) => {
      if (!isInView(row, column)) return;
      const [left, top] = [x(column), y(row)];
      context.fillStyle = colour;
      context.fillRect(left, top, side, side);
      // The lightest cells hardly differ from the ground.
      if (gap > 0) context.strokeRect(left + 0.5, top + 0.5, side - 1, side - 1);
      if (cell < NUMBERED_CELL_PX) return;
      context.fillStyle = ink;
      // Rounded down, so that the number belongs to the step of the colour.
      context.fillText(String(Math.round(pct)), left + side / 2, top + side / 2 + 1, side - 2);
    };
    for (const { row, column, level, mirrorLevel, pct, mirrorPct } of cells) {
      if (level === at + 1) drawCell(row, column, pct);
      if (mirrorLevel === at + 1) drawCell(column, row, mirrorPct);
    }
  }
  for (const { start, length } of blocks)
    context.strokeRect(x(start) - 0.5, y(start) - 0.5, length * cell, length * cell);
  context.restore();
}

/** Draws, above the cells, the current one and the names, which stay in place while the cells scroll. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  matrix: Matrix,
  view: MatrixView,
  current: Place | undefined,
  colours: Colours,
): void {
  const { space, side, x, y } = placesIn(matrix, view);
  if (current !== undefined) {
    context.save();
    clipToCells(context, space, view);
    context.strokeStyle = colours.current;
    context.lineWidth = 2;
    context.strokeRect(x(current.column) - 1.5, y(current.row) - 1.5, side + 3, side + 3);
    context.restore();
  }
  if (space > 0) drawNames(context, { names: matrix.names, x, y, space, ...view, current }, colours);
}

/** Black or white, whichever has more contrast with a colour that is written as `rgb(…)`. */
function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(
    (part) => (Number(part) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000" : "#fff";
}

type Names = Pick<Matrix, "names"> &
  Pick<MatrixView, "cell" | "width" | "height"> & {
    readonly current: Place | undefined;
    readonly x: (column: number) => number;
    readonly y: (row: number) => number;
    readonly space: number;
  };

function drawNames(
  context: CanvasRenderingContext2D,
  { names, x, y, space, width, height, cell, current }: Names,
  { ink, current: emphasis }: Colours,
): void {
  context.font = `${Math.min(13, cell - 2)}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const [at, shown] of names.entries()) {
    const [left, top] = [x(at) + cell / 2, y(at) + cell / 2];
    if (top > space && top < height) {
      context.fillStyle = current?.row === at ? emphasis : ink;
      context.fillText(shown, space - 6, top, space - 8);
    }
    if (left > space && left < width) {
      context.save();
      context.translate(left, space - 6);
      context.rotate(Math.PI / 2);
      context.fillStyle = current?.column === at ? emphasis : ink;
      context.fillText(shown, 0, 0, space - 8);
      context.restore();
    }
  }
}

/** The side of a cell in a file. */
const FILE_CELL_PX = 14;

/** The whole matrix with all names as a drawing of its own. */
export function matrixSvg(matrix: Matrix, colours: Colours): string {
  const { names, blocks, cells } = matrix;
  const [cell, space] = [FILE_CELL_PX, namesSpace(matrix, FILE_CELL_PX)];
  const side = space + names.length * cell + 1;
  const at = (place: number) => space + place * cell;
  const square = (row: number, column: number, colour: string) =>
    `<rect x="${at(column) + 0.5}" y="${at(row) + 0.5}" width="${cell - 2}" height="${cell - 2}" fill="${colour}" stroke="${colours.line}"/>`;
  const colourOf = (level: number) => colours.levels[level - 1] ?? colours.ground;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}" font-family="system-ui, sans-serif" font-size="11" fill="${colours.ink}" text-anchor="end">`,
    `<rect width="100%" height="100%" fill="${colours.ground}"/>`,
    ...names.map((_, place) => square(place, place, colours.diagonal)),
    ...cells.map(
      ({ row, column, level, mirrorLevel }) =>
        square(row, column, colourOf(level)) + square(column, row, colourOf(mirrorLevel)),
    ),
    ...blocks.map(
      ({ start, length }) =>
        `<rect x="${at(start) - 0.5}" y="${at(start) - 0.5}" width="${length * cell}" height="${length * cell}" fill="none" stroke="${colours.line}"/>`,
    ),
    ...names.map((name, place) => {
      const shown = escaped(name);
      const middle = at(place) + cell / 2;
      return (
        `<text x="${space - 6}" y="${middle + 4}">${shown}</text>` +
        `<text transform="translate(${middle - 4} ${space - 6}) rotate(90)">${shown}</text>`
      );
    }),
    "</svg>",
  ];
  return parts.join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
