import { OPS, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

/** The arguments of an operator, as pdf.js declares them. */
export type OperatorArguments = Awaited<ReturnType<PDFPageProxy["getOperatorList"]>>["argsArray"][number];

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A rectangle of a page, in points from its lower left corner. */
export type PageBox = {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
};

type Point = readonly [x: number, y: number];

/** `first` after `second`: maps a point by the second matrix, and the result by the first one. */
export function product(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function contains({ left, bottom, right, top }: PageBox, [x, y]: Point): boolean {
  return x >= left - SLACK && x <= right + SLACK && y >= bottom - SLACK && y <= top + SLACK;
}

/** Rounding tolerance in points. */
const SLACK = 0.5;

/** The smallest box around points. */
export function boxOf(points: readonly Point[]): PageBox {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return { left, bottom, right, top };
}

/** The part that two boxes share. */
export function common(one: PageBox, other: PageBox): PageBox {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  };
}

/** The smallest box that holds two boxes. */
function around(one: PageBox, other: PageBox): PageBox {
  return {
    left: Math.min(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.max(one.right, other.right),
    top: Math.max(one.top, other.top),
  };
}

/** Red, green and blue from 0 to 255; undefined for a pattern, which may have any colour. */
type Colour = readonly [number, number, number] | undefined;

const BLACK = [0, 0, 0] as const;
const WHITE = [255, 255, 255] as const;

/** Colours that differ by less than this in each part can't be told apart on a page. */
const SAME_COLOUR = 17;

function isSame(one: NonNullable<Colour>, other: NonNullable<Colour>): boolean {
  return one.every((part, at) => Math.abs(part - (other[at] ?? 0)) < SAME_COLOUR);
}

/** A painted part of the page. Undefined colour: unknown, as of a picture. */
type Area = { readonly box: PageBox; readonly colour: Colour };

type State = {
  readonly matrix: Matrix;
  readonly fill: Colour;
  readonly stroke: Colour;
  /** In user space. */
  readonly lineWidth: number;
  readonly isDashed: boolean;
  readonly fillAlpha: number;
  readonly strokeAlpha: number;
  /** Of the groups around. */
  readonly alpha: number;
  readonly isNormal: boolean;
  readonly isMasked: boolean;
  readonly isMask: boolean;
  readonly clip: PageBox;
  /** Whether the clip is smaller than its box. */
  readonly isClipShaped: boolean;
};

const INITIAL: State = {
  matrix: [1, 0, 0, 1, 0, 0],
  fill: BLACK,
  stroke: BLACK,
  lineWidth: 1,
  isDashed: false,
  fillAlpha: 1,
  strokeAlpha: 1,
  alpha: 1,
  isNormal: true,
  isMasked: false,
  isMask: false,
  clip: { left: -Infinity, bottom: -Infinity, right: Infinity, top: Infinity },
  isClipShaped: false,
};

/** Lower or narrower shapes are lines: they neither cover letters nor are their background. In points. */
const SHAPE_MIN = 2;

function isShape({ left, bottom, right, top }: PageBox): boolean {
  return right - left >= SHAPE_MIN && top - bottom >= SHAPE_MIN;
}

/** Shapes that are remembered one by one: text on further ones counts as visible. */
const AREAS_MAX = 2_000;

/** Pictures under which text is looked for, in a page. */
const PLAIN_PICTURES_MAX = 100;

const FILLS = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);

const STROKES = new Set([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);

const PICTURES = new Set([
  OPS.paintImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintInlineImageXObject,
  OPS.paintSolidColorImageMask,
]);

/** Whether text in the current colours can be told from the background at a point. */
export type Background = { hides(mode: number, point: Point): boolean };

/** The graphics state of a page, and the shapes and pictures that are painted on it. */
export class Canvas {
  #state = INITIAL;
  readonly #saved: State[] = [];
  /** For each saved state, whether something was transformed and nothing painted since. */
  readonly #isPicture: boolean[] = [];
  readonly #areas: Area[] = [];
  /** The bounds of the areas that are no longer remembered one by one; their colour is unknown. */
  #furtherAreas: PageBox | undefined;
  #clips = false;
  readonly pictures: PageBox[] = [];
  /** Of these, the ones that hide what is below them unless they have a mask of their own. */
  readonly plainPictures: PageBox[] = [];
  /** What the last operator painted, without lines. */
  painted: PageBox[] = [];
  /** Where pictures would be that are left out without a `save` and `restore` of their own. */
  readonly picturePlaces: PageBox[] = [];
  picturesSeen = 0;
  /** Whether the layer that is drawn on is switched off. */
  isLayerOff = false;
  /** The number of filled shapes. */
  shapes = 0;

  get matrix(): Matrix {
    return this.#state.matrix;
  }

  get clip(): PageBox {
    return this.#state.clip;
  }

  /** Whether what is drawn is a mask, which nobody sees. */
  get isMask(): boolean {
    return this.#state.isMask;
  }

  save(): void {
    this.#saved.push(this.#state);
    this.#isPicture.push(false);
  }

  /** Limits what is painted to letters within a box. */
  clipToText(box: PageBox): void {
    this.#clipTo(box, true);
  }

  /** pdf.js leaves out pictures that are larger than allowed, and with them all that stood between a `save` and its `restore`. */
  restore(): void {
    if (this.#isPicture.pop() === true) this.#addPicture();
    this.#state = this.#saved.pop() ?? this.#state;
  }

  transform(matrix: Matrix): void {
    this.#state = { ...this.#state, matrix: product(this.#state.matrix, matrix) };
    if (this.#isPicture.length > 0) this.#isPicture[this.#isPicture.length - 1] = true;
    this.#addPlace();
  }

  beginForm(matrix: Matrix | null, box: readonly number[] | null): void {
    this.#painted();
    if (matrix) this.#state = { ...this.#state, matrix: product(this.#state.matrix, matrix) };
    if (box) this.#clipTo(this.#toPage(box), this.#isTurned());
    this.#addPlace();
  }

  beginGroup({ matrix, bbox, smask }: { matrix?: Matrix; bbox?: readonly number[]; smask?: unknown }): void {
    this.#painted();
    const { fillAlpha, alpha, isMask } = this.#state;
    const own = this.#state.matrix;
    if (matrix) this.#state = { ...this.#state, matrix: product(own, matrix) };
    if (bbox) this.#clipTo(this.#toPage(bbox), this.#isTurned());
    this.#state = {
      ...this.#state,
      matrix: own,
      alpha: alpha * fillAlpha,
      fillAlpha: 1,
      strokeAlpha: 1,
      isMask: isMask || Boolean(smask),
    };
  }

  /** @see ISO 32000-1, table 58 */
  setState(key: string, value: unknown): void {
    if (key === "ca" && typeof value === "number") this.#state = { ...this.#state, fillAlpha: value };
    else if (key === "CA" && typeof value === "number") this.#state = { ...this.#state, strokeAlpha: value };
    else if (key === "LW" && typeof value === "number") this.#state = { ...this.#state, lineWidth: value };
    else if (key === "D") this.#setDash(Array.isArray(value) ? value[0] : undefined);
    else if (key === "BM") this.#state = { ...this.#state, isNormal: value === "source-over" };
    else if (key === "SMask") this.#state = { ...this.#state, isMasked: value !== false };
  }

  /** @param dashes the lengths of dashes and gaps; empty for a solid line */
  #setDash(dashes: unknown): void {
    this.#state = { ...this.#state, isDashed: !Array.isArray(dashes) || dashes.length > 0 };
  }

  /** How opaque text is that is drawn in a rendering mode, from 0 to 1. */
  opacityOf(mode: number): number {
    const { fillAlpha, strokeAlpha, alpha } = this.#state;
    const [fills, strokes] = usesOf(mode);
    return alpha * Math.max(fills ? fillAlpha : 0, strokes ? strokeAlpha : 0);
  }

  /** The background as it is now. */
  background(): Background {
    this.#painted();
    return { hides: (mode, point) => this.hides(mode, point) };
  }

  hides(mode: number, point: Point): boolean {
    const { fill, stroke } = this.#state;
    const [fills, strokes] = usesOf(mode);
    const below = this.#areas.length === 0 ? WHITE : this.#colourAt(point);
    if (below === undefined) return false;
    const isSeen = (colour: Colour) => colour === undefined || !isSame(colour, below);
    return !((fills && isSeen(fill)) || (strokes && isSeen(stroke)));
  }

  /** Follows an operator that is not about text. @returns the boxes that it covers, so that nothing below them is seen */
  paint(operator: number, args: OperatorArguments): readonly PageBox[] {
    if (PICTURES.has(operator)) {
      this.#addPicture();
      return [];
    }
    switch (operator) {
      case OPS.setFillRGBColor:
        this.#state = { ...this.#state, fill: colourOf(args[0]) };
        return [];
      case OPS.setStrokeRGBColor:
        this.#state = { ...this.#state, stroke: colourOf(args[0]) };
        return [];
      case OPS.setFillColorN:
      case OPS.setFillTransparent:
        this.#state = { ...this.#state, fill: undefined };
        return [];
      case OPS.setStrokeColorN:
      case OPS.setStrokeTransparent:
        this.#state = { ...this.#state, stroke: undefined };
        return [];
      case OPS.setLineWidth:
        this.#state = { ...this.#state, lineWidth: args[0] };
        return [];
      case OPS.setDash:
        this.#setDash(args[0]);
        return [];
      case OPS.clip:
      case OPS.eoClip:
        this.#clips = true;
        return [];
      case OPS.shadingFill:
        this.#painted();
        if (!this.#isUnseen()) this.#addArea(this.#state.clip, undefined);
        return [];
      case OPS.constructPath:
        return this.#path(args[0], args[1]?.[0] ?? null, args[2] ?? null);
      default:
        return [];
    }
  }

  #path(operator: number, path: Float32Array | null, box: readonly number[] | null): readonly PageBox[] {
    const clips = this.#clips;
    this.#clips = false;
    if (path === null || box === null) return [];
    const rectangles = this.#isTurned() ? undefined : rectanglesOf(path);
    const bounds = this.#toPage(box);
    const covered: PageBox[] = [];
    if (FILLS.has(operator)) {
      this.#painted();
      if (!this.isLayerOff) this.shapes++;
      const { fill, fillAlpha, alpha, isNormal, isMasked, isClipShaped } = this.#state;
      const isPlain =
        rectangles !== undefined && isNormal && !isMasked && !isClipShaped && fill !== undefined;
      for (const rectangle of isPlain ? rectangles.map((one) => this.#toPage(one)) : [bounds]) {
        if (this.#isUnseen()) continue;
        const opacity = fillAlpha * alpha;
        const shown = this.#addArea(rectangle, isPlain ? this.#blended(fill, opacity, rectangle) : undefined);
        if (isPlain && opacity === 1 && shown !== undefined) covered.push(shown);
      }
    }
    if (STROKES.has(operator)) covered.push(...this.#addStrokes(path, box));
    if (clips) this.#clipTo(bounds, rectangles === undefined || rectangles.length !== 1);
    else if (operator !== OPS.endPath) this.#painted();
    return covered;
  }

  /** Thick lines are a background of any colour. @returns the boxes that they cover */
  #addStrokes(path: Float32Array, box: readonly number[]): PageBox[] {
    const { matrix, lineWidth, isDashed, stroke, strokeAlpha, alpha, isNormal, isMasked, isClipShaped } =
      this.#state;
    const [a, b, c, d] = matrix;
    const width = lineWidth * Math.max(Math.hypot(a, b), Math.hypot(c, d));
    if (this.#isUnseen() || width < SHAPE_MIN || strokeAlpha * alpha === 0) return [];
    const grow = width / 2;
    const lines = linesOf(path);
    const isOpaque = strokeAlpha * alpha === 1 && !isDashed && isNormal && !isMasked && !isClipShaped;
    const covered: PageBox[] = [];
    for (const line of lines ?? [box]) {
      const { left, bottom, right, top } = this.#toPage(line);
      const grown = { left: left - grow, bottom: bottom - grow, right: right + grow, top: top + grow };
      this.#addArea(grown, undefined);
      if (lines === undefined || !isOpaque || stroke === undefined || this.#isTurned()) continue;
      const [isLevel, isUpright] = [top === bottom, left === right];
      if (isLevel !== isUpright)
        covered.push(
          common(this.#state.clip, isLevel ? { ...grown, left, right } : { ...grown, bottom, top }),
        );
    }
    return covered;
  }

  /** @returns the part of a box that the clip leaves; undefined for a line */
  #addArea(box: PageBox, colour: Colour): PageBox | undefined {
    const shown = common(box, this.#state.clip);
    if (!isShape(shown)) return undefined;
    this.painted.push(shown);
    if (this.#areas.length < AREAS_MAX) this.#areas.push({ box: shown, colour });
    else this.#furtherAreas = around(shown, this.#furtherAreas ?? shown);
    return shown;
  }

  #blended(fill: Colour, opacity: number, { left, bottom, right, top }: PageBox): Colour {
    if (opacity === 1 || fill === undefined) return fill;
    const below = this.#colourAt([(left + right) / 2, (bottom + top) / 2]);
    if (below === undefined) return undefined;
    const [red = 0, green = 0, blue = 0] = fill.map(
      (part, at) => part * opacity + (below[at] ?? 0) * (1 - opacity),
    );
    return [red, green, blue];
  }

  #colourAt(point: Point): Colour {
    if (this.#furtherAreas !== undefined && contains(this.#furtherAreas, point)) return undefined;
    const area = this.#areas.findLast(({ box }) => contains(box, point));
    return area === undefined ? WHITE : area.colour;
  }

  #addPicture(): void {
    this.#painted();
    this.picturesSeen++;
    if (this.#isUnseen()) return;
    const box = this.#addArea(this.#toPage([0, 0, 1, 1]), undefined);
    if (box === undefined) return;
    this.pictures.push(box);
    const { fillAlpha, alpha, isNormal, isMasked, isClipShaped } = this.#state;
    const isPlain = fillAlpha * alpha === 1 && isNormal && !isMasked && !isClipShaped && !this.#isTurned();
    if (isPlain && this.plainPictures.length < PLAIN_PICTURES_MAX) this.plainPictures.push(box);
  }

  #isUnseen(): boolean {
    return this.isLayerOff || this.#state.isMask;
  }

  #addPlace(): void {
    if (this.#isUnseen() || this.picturePlaces.length >= AREAS_MAX) return;
    const place = common(this.#toPage([0, 0, 1, 1]), this.#state.clip);
    if (isShape(place)) this.picturePlaces.push(place);
  }

  #clipTo(box: PageBox, isShaped: boolean): void {
    const { clip, isClipShaped } = this.#state;
    this.#state = { ...this.#state, clip: common(clip, box), isClipShaped: isClipShaped || isShaped };
  }

  /** What is painted stands between a `save` and its `restore`, so these do not stand for a picture. */
  #painted(): void {
    if (this.#isPicture.length > 0) this.#isPicture.fill(false);
  }

  #isTurned(): boolean {
    const [a, b, c, d] = this.#state.matrix;
    return (b !== 0 || c !== 0) && (a !== 0 || d !== 0);
  }

  #toPage([left = 0, bottom = 0, right = 0, top = 0]: ArrayLike<number> & Iterable<number>): PageBox {
    const [a, b, c, d, e, f] = this.#state.matrix;
    const map = (x: number, y: number): Point => [a * x + c * y + e, b * x + d * y + f];
    return boxOf([map(left, bottom), map(right, bottom), map(left, top), map(right, top)]);
  }
}

/** Whether a text rendering mode fills and strokes the letters. @see ISO 32000-1, table 106 */
function usesOf(mode: number): readonly [fills: boolean, strokes: boolean] {
  const drawn = mode % 4;
  return [drawn === 0 || drawn === 2, drawn === 1 || drawn === 2];
}

/** @param hex as in CSS: `#ff0000` */
function colourOf(hex: unknown): Colour {
  const parts = /^#(..)(..)(..)$/.exec(typeof hex === "string" ? hex : "");
  if (parts === null) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map((part) => Number.parseInt(part, 16));
  return [red, green, blue];
}

/** The steps of a path as pdf.js numbers them: to a point, a line, curves of three and of two points, and back to the start. */
const [MOVE, LINE, CURVE, QUADRATIC, CLOSE] = [0, 1, 2, 3, 4];

/** The numbers of a path of 20 rectangles; longer ones are drawings. */
const PATH_MAX = 260;

/** The straight lines of a path, those of a shape one after another; undefined for curves and for drawings. */
function shapesOf(path: Float32Array): Point[][] | undefined {
  if (path.length > PATH_MAX) return undefined;
  const shapes: Point[][] = [];
  for (let at = 0; at < path.length; ) {
    const step = path[at++];
    if (step === CURVE || step === QUADRATIC) return undefined;
    if (step === CLOSE) shapes.at(-1)?.push(...(shapes.at(-1)?.slice(0, 1) ?? []));
    if (step !== MOVE && step !== LINE) continue;
    const point = [path[at++] ?? 0, path[at++] ?? 0] as const;
    if (step === MOVE) shapes.push([point]);
    else shapes.at(-1)?.push(point);
  }
  return shapes;
}

/** The rectangles that a path consists of; undefined if it has another shape. */
function rectanglesOf(path: Float32Array): (readonly number[])[] | undefined {
  const rectangles = shapesOf(path)
    ?.filter((points) => points.length > 1)
    .map(rectangleOf);
  return rectangles?.every((one) => one !== undefined) ? rectangles : undefined;
}

/** The box of each straight line of a path; undefined if it has others. */
function linesOf(path: Float32Array): (readonly number[])[] | undefined {
  return shapesOf(path)?.flatMap((points) =>
    points.slice(1).map((point, at) => {
      const { left, bottom, right, top } = boxOf([point, points[at] ?? point]);
      return [left, bottom, right, top];
    }),
  );
}

function rectangleOf(points: readonly Point[]): readonly number[] | undefined {
  const { left, bottom, right, top } = boxOf(points);
  const isCorner = ([x, y]: Point) => (x === left || x === right) && (y === bottom || y === top);
  const corners = new Set(points.map(([x, y]) => `${x} ${y}`));
  const turns = points.every(
    ([x, y], at) => at === 0 || x === points[at - 1]?.[0] || y === points[at - 1]?.[1],
  );
  return corners.size === 4 && turns && points.every(isCorner) ? [left, bottom, right, top] : undefined;
}
