import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { OPS } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { HidingMeans } from "../../text/integrity.ts";
import {
  type Background,
  boxOf,
  Canvas,
  contains,
  type Matrix,
  type OperatorArguments,
  type PageBox,
  product,
} from "./pdf-canvas.ts";
import { fontOf, type PageFont } from "./pdf-font.ts";

/** A character as the page draws it. Lengths in points, from the page's lower left corner. */
export type PaintedGlyph = {
  char: string;
  readonly x: number;
  readonly y: number;
  /** Along the direction of writing. */
  readonly width: number;
  readonly isSpace: boolean;
  /** Whether it is a mark on the character before it. */
  readonly isMark: boolean;
  readonly run: GlyphRun;
  /** How it is hidden; undefined for a character that can be seen. */
  hidden: HidingMeans | undefined;
};

/** What the characters that are drawn by one operator have in common. */
export type GlyphRun = {
  readonly font: PageFont;
  /** Maps text space to the page, without the position. */
  readonly matrix: readonly [a: number, b: number, c: number, d: number];
  /** The direction of writing; of length 1. */
  readonly direction: readonly [x: number, y: number];
  /** The size of the font along the direction of writing. */
  readonly em: number;
  readonly height: number;
  /** The space that the file adds behind each character. */
  readonly spacing: number;
  /** The number of the innermost marked content that it stands in, from 1 in the order of the page; 0 outside. */
  readonly mark: number;
};

export type Painting = {
  readonly glyphs: readonly PaintedGlyph[];
  /** By name. */
  readonly fonts: ReadonlyMap<string, PageFont>;
  /** The share of the page that its pictures cover, at most 1: scans may be cut into strips. A drawing of many shapes counts as one of the whole page. */
  readonly pictureShare: number;
};

/** The optional content of a file, with the state that a viewer gives it at first. */
export type Layers = { isVisible(group: unknown): boolean };

type TextState = {
  readonly font: PageFont | undefined;
  readonly fontSize: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  readonly hScale: number;
  readonly leading: number;
  readonly mode: number;
  readonly rise: number;
};

const INITIAL: TextState = {
  font: undefined,
  fontSize: 0,
  charSpacing: 0,
  wordSpacing: 0,
  hScale: 1,
  leading: 0,
  mode: 0,
  rise: 0,
};

/** Letters lower or narrower than this can't be read, in points. */
const TINY = 2;

/** Text that is drawn less opaque than this can't be seen. */
const OPACITY_MIN = 0.05;

/** Text rendering modes (ISO 32000-1, table 106) that draw nothing: 3 is invisible, 7 only clips. */
const NOT_DRAWN = new Set([3, 7]);

/** Text that is hidden so is no text that OCR has put below a scan. */
const NEVER_BELOW_SCANS: ReadonlySet<HidingMeans> = new Set(["outside_page", "tiny", "layer_off"]);

/** Pictures that cover more of a page are a scan. */
const COVERING_SHARE_MAX = 0.5;

/** The characters of a heading that is painted through its letters. */
const CLIP_TEXT_MAX = 1_000;

/** On a page of shapes alone, so many of them are letters: text that is not drawn lies below them as below a scan. */
const OUTLINES_MIN = 50;

/**
 * The characters of a page in the order in which they are drawn, each with the reason why a reader does not see it, if there is one.
 * Interprets the operators of the page as a viewer does (ISO 32000-1, 8 and 9), except that it draws nothing: shapes count by their
 * rectangle. Where the background is a picture or a pattern, text on it counts as visible.
 * @param picturesLeftOut counts the pictures that pdf.js has left out so far, because they need not be decoded.
 * @param layers the optional content of the file; without it, all of it counts as shown.
 * @param arePicturesOpaque whether no picture of the page is known to have a mask; called if pictures may cover text.
 */
export async function paintedGlyphs(
  page: PDFPageProxy,
  picturesLeftOut: () => number = () => 0,
  layers: Layers | undefined = undefined,
  arePicturesOpaque: () => boolean = () => false,
): Promise<Painting> {
  const before = picturesLeftOut();
  const list = await page.getOperatorList({ annotationMode: 0 });
  const leftOut = picturesLeftOut() - before;
  // pdf.js hides the error that ends a list early; it throws the same one here.
  if (mayBeCut(list)) await page.getTextContent();
  const fonts = await fontsOf(page, list);
  const painter = new Painter(page.view, page.userUnit, fonts, layers);
  for (let at = 0; at < list.fnArray.length; at++)
    painter.run(list.fnArray[at] ?? 0, list.argsArray[at] ?? []);
  return painter.painting(leftOut, arePicturesOpaque);
}

type OperatorList = Awaited<ReturnType<PDFPageProxy["getOperatorList"]>>;

/** The operators that pdf.js sends at once, and a few less at the end of a text. */
const CHUNK = 1_000;
const CHUNK_ABOUT = 995;

/** Whether a list consists of whole chunks: the last one has not been sent, or is as long by chance. */
function mayBeCut({ fnArray }: OperatorList): boolean {
  let length = 0;
  for (const operator of fnArray) {
    length++;
    const isEnd = operator === OPS.restore || operator === OPS.endText;
    if (length >= CHUNK || (isEnd && length >= CHUNK_ABOUT)) length = 0;
  }
  return length === 0;
}

async function fontsOf(
  { commonObjs }: PDFPageProxy,
  { fnArray, argsArray }: OperatorList,
): Promise<Map<string, PageFont>> {
  const names = new Set<string>();
  for (let at = 0; at < fnArray.length; at++) {
    if (fnArray[at] === OPS.setFont) names.add(argsArray[at][0]);
    if (fnArray[at] === OPS.setGState)
      for (const [key, value] of argsArray[at][0]) if (key === "Font") names.add(value[0]);
  }
  const fonts = new Map<string, PageFont>();
  for (const name of names) {
    const font = await new Promise<unknown>((resolve) => {
      commonObjs.get(name, resolve);
    });
    fonts.set(name, fontOf(name, font));
  }
  return fonts;
}

/** Follows the operators of a page. */
class Painter {
  readonly #canvas: Canvas;
  readonly #view: PageBox;
  readonly #unit: number;
  readonly #fonts: ReadonlyMap<string, PageFont>;
  readonly #glyphs: PaintedGlyph[] = [];
  /** The characters that are drawn by each operator and not covered yet, by the rows of the page that they touch. */
  readonly #runs: DrawnRun[][] = Array.from({ length: ROWS }, () => []);
  #text: TextState = INITIAL;
  readonly #saved: { readonly text: TextState; readonly clipText: number }[] = [];
  /** The characters that are seen only where something is painted before the matching `restore`. */
  readonly #clipText: PaintedGlyph[] = [];
  /** The first character of the text object whose letters clip. */
  #clippingFrom: number | undefined;
  /** Text space to user space at the beginning of the line, and the position in it. */
  #matrix: Matrix = [1, 0, 0, 1, 0, 0];
  #line: readonly [x: number, y: number] = [0, 0];
  #x = 0;
  #y = 0;
  #marks = 0;
  /** For each picture that may cover characters, the number of those that are drawn before it. */
  readonly #glyphsBelow: number[] = [];
  readonly #openMarks: { readonly mark: number; readonly isOff: boolean }[] = [];
  readonly #layers: Layers | undefined;
  #formDepth = 0;

  constructor(
    view: readonly number[],
    unit: number,
    fonts: ReadonlyMap<string, PageFont>,
    layers: Layers | undefined,
  ) {
    this.#layers = layers;
    const [left = 0, bottom = 0, right = 0, top = 0] = view;
    this.#view = { left, bottom, right, top };
    this.#canvas = new Canvas();
    this.#unit = unit > 0 ? unit : 1;
    this.#fonts = fonts;
  }

  painting(picturesLeftOut: number, arePicturesOpaque: () => boolean): Painting {
    const { shapes, picturesSeen, picturePlaces } = this.#canvas;
    const pictures =
      picturesLeftOut > picturesSeen ? [...this.#canvas.pictures, ...picturePlaces] : this.#canvas.pictures;
    const isOutlined =
      shapes >= OUTLINES_MIN && !this.#glyphs.some(({ hidden, isSpace }) => !hidden && !isSpace);
    const pictureShare = isOutlined ? 1 : shareOf(this.#view, pictures);
    // A text layer that is not drawn, which may lie below its picture, counts as seen only from here on.
    if (picturesLeftOut === picturesSeen && pictureShare < COVERING_SHARE_MAX)
      this.#coverByPictures(arePicturesOpaque);
    for (const glyph of this.#glyphs) {
      if (glyph.hidden === undefined || NEVER_BELOW_SCANS.has(glyph.hidden)) continue;
      const isOnPicture = pictures.some((box) => contains(box, centreOf(glyph)));
      if (isOnPicture && glyph.hidden !== "covered" && glyph.hidden !== "transparent")
        glyph.hidden = undefined;
      else if (isOutlined && glyph.hidden === "not_drawn") glyph.hidden = undefined;
    }
    return { glyphs: this.#glyphs, fonts: this.#fonts, pictureShare };
  }

  /** Hides the characters below pictures. Where these are most of a page, they are a scan with the text that OCR has found in it. */
  #coverByPictures(areOpaque: () => boolean): void {
    const covered = this.#canvas.plainPictures.flatMap((box, at) =>
      this.#glyphs
        .slice(0, this.#glyphsBelow[at])
        .filter((glyph) => !glyph.isSpace && !glyph.hidden && isWithin(box, glyph)),
    );
    if (covered.length > 0 && areOpaque()) for (const glyph of covered) glyph.hidden = "covered";
  }

  run(operator: number, args: OperatorArguments): void {
    const canvas = this.#canvas;
    switch (operator) {
      case OPS.save:
        this.#save();
        break;
      case OPS.restore:
        this.#restore();
        break;
      case OPS.transform:
        canvas.transform(args);
        break;
      case OPS.beginText:
        this.#setMatrix([1, 0, 0, 1, 0, 0]);
        this.#clippingFrom = undefined;
        break;
      case OPS.endText:
        this.#endText();
        break;
      case OPS.setTextMatrix:
        this.#setMatrix(args[0]);
        break;
      case OPS.moveText:
        this.#move(args[0], args[1]);
        break;
      case OPS.setLeadingMoveText:
        this.#text = { ...this.#text, leading: -args[1] };
        this.#move(args[0], args[1]);
        break;
      case OPS.nextLine:
        this.#move(0, -this.#text.leading);
        break;
      case OPS.setLeading:
        this.#text = { ...this.#text, leading: args[0] };
        break;
      case OPS.setCharSpacing:
        this.#text = { ...this.#text, charSpacing: args[0] };
        break;
      case OPS.setWordSpacing:
        this.#text = { ...this.#text, wordSpacing: args[0] };
        break;
      case OPS.setHScale:
        this.#text = { ...this.#text, hScale: args[0] / 100 };
        break;
      case OPS.setTextRise:
        this.#text = { ...this.#text, rise: args[0] };
        break;
      case OPS.setTextRenderingMode:
        this.#text = { ...this.#text, mode: args[0] };
        break;
      case OPS.setFont:
        this.#setFont(args[0], args[1]);
        break;
      case OPS.setGState:
        for (const [key, value] of args[0])
          if (key === "Font") this.#setFont(value[0], value[1]);
          else canvas.setState(key, value);
        break;
      case OPS.showText:
        this.#show(args[0]);
        break;
      case OPS.paintFormXObjectBegin:
        this.#formDepth++;
        this.#save();
        canvas.beginForm(args[0], args[1]);
        break;
      case OPS.paintFormXObjectEnd:
        this.#formDepth--;
        this.#restore();
        break;
      case OPS.beginGroup:
        this.#save();
        canvas.beginGroup(args[0]);
        break;
      case OPS.endGroup:
        this.#restore();
        break;
      case OPS.beginMarkedContent:
      case OPS.beginMarkedContentProps:
        this.#beginMark(args[0], args[1]);
        break;
      case OPS.endMarkedContent:
        this.#openMarks.pop();
        canvas.isLayerOff = this.#openMarks.at(-1)?.isOff === true;
        break;
      default:
        this.#paint(operator, args);
    }
    if (canvas.plainPictures.length > this.#glyphsBelow.length) this.#glyphsBelow.push(this.#glyphs.length);
  }

  #beginMark(tag: string, properties: unknown): void {
    const isLayer = tag === "OC";
    const outer = this.#openMarks.at(-1);
    if (!isLayer && this.#formDepth === 0) this.#marks++;
    const isOff = outer?.isOff === true || (isLayer && this.#layers?.isVisible(properties) === false);
    this.#openMarks.push({ mark: isLayer || this.#formDepth > 0 ? (outer?.mark ?? 0) : this.#marks, isOff });
    this.#canvas.isLayerOff = isOff;
  }

  #paint(operator: number, args: OperatorArguments): void {
    const canvas = this.#canvas;
    const isSeen = (glyph: PaintedGlyph) => operator === OPS.shadingFill || !canvas.hides(0, centreOf(glyph));
    const seen =
      operator === OPS.constructPath || operator === OPS.shadingFill ? this.#clipText.filter(isSeen) : [];
    canvas.painted = [];
    for (const box of canvas.paint(operator, args)) this.#cover(box);
    for (const glyph of seen)
      if (canvas.painted.some((box) => contains(box, centreOf(glyph)))) glyph.hidden = undefined;
  }

  /** Letters of a rendering mode from 4 limit what is painted from here to the matching `restore`. */
  #endText(): void {
    if (this.#clippingFrom === undefined) return;
    const glyphs = this.#glyphs.slice(this.#clippingFrom);
    this.#clippingFrom = undefined;
    const { left, bottom, right, top } = boxOf(glyphs.flatMap(cornersOf));
    const grow = Math.max(0, ...glyphs.slice(0, CLIP_TEXT_MAX).map(({ run }) => run.height));
    this.#canvas.clipToText({
      left: left - grow,
      bottom: bottom - grow,
      right: right + grow,
      top: top + grow,
    });
    for (const glyph of glyphs)
      if (glyph.hidden === "not_drawn" && this.#clipText.length < CLIP_TEXT_MAX) this.#clipText.push(glyph);
  }

  #save(): void {
    this.#saved.push({ text: this.#text, clipText: this.#clipText.length });
    this.#canvas.save();
  }

  #restore(): void {
    const saved = this.#saved.pop();
    this.#text = saved?.text ?? this.#text;
    this.#clipText.length = saved?.clipText ?? this.#clipText.length;
    this.#canvas.restore();
  }

  #setFont(name: string, size: number): void {
    this.#text = { ...this.#text, font: this.#fonts.get(name), fontSize: size };
  }

  #setMatrix(matrix: Matrix): void {
    this.#matrix = matrix;
    this.#line = [0, 0];
    [this.#x, this.#y] = [0, 0];
  }

  #move(x: number, y: number): void {
    this.#line = [this.#line[0] + x, this.#line[1] + y];
    [this.#x, this.#y] = this.#line;
  }

  #show(glyphs: readonly (number | DrawnGlyph)[]): void {
    const { font, fontSize, charSpacing, wordSpacing, hScale } = this.#text;
    if (font === undefined || this.#canvas.isMask) return;
    const toPage = product(this.#canvas.matrix, this.#matrix);
    const run = this.#runOf(font, toPage);
    const background = this.#canvas.background();
    const from = this.#glyphs.length;
    if (this.#text.mode >= 4 && !font.isType3) this.#clippingFrom ??= from;
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        const back = (glyph * fontSize) / 1000;
        if (font.isVertical) this.#y += back;
        else this.#x -= back * hScale;
        continue;
      }
      const char = charOf(glyph, font);
      // Codes of ligatures are white space elsewhere.
      const kind = font.hasCodes && /^[\v\f\r]$/.test(char) ? "letter" : kindOf(char);
      if (kind === "format") continue;
      const across = font.isVertical ? (glyph.vmetric?.[0] ?? -glyph.width) : glyph.width;
      const advance = kind === "mark" ? 0 : across * font.scale * fontSize * (font.isVertical ? 1 : hScale);
      this.#add(char, kind, advance, toPage, run, background);
      const spacing = (charSpacing + (glyph.isSpace ? wordSpacing : 0)) * (font.isVertical ? -1 : hScale);
      if (font.isVertical) this.#y += advance + spacing;
      else this.#x += advance + spacing;
    }
    const [first, last] = [this.#glyphs[from], this.#glyphs.at(-1)];
    if (first === undefined || last === undefined) return;
    const drawn = { box: boxOf([first, last].flatMap(cornersOf)), from, to: this.#glyphs.length };
    for (let row = this.#rowAt(drawn.box.bottom); row <= this.#rowAt(drawn.box.top); row++)
      this.#runs[row]?.push(drawn);
  }

  #runOf(font: PageFont, toPage: Matrix): GlyphRun {
    const { fontSize, hScale, charSpacing } = this.#text;
    const [a, b, c, d] = toPage;
    const up = font.isType3 && font.boxHeight !== undefined && fontSize <= 1 ? font.boxHeight : 1;
    const matrix = [
      a * fontSize * hScale,
      b * fontSize * hScale,
      c * fontSize * up,
      d * fontSize * up,
    ] as const;
    const em = Math.hypot(matrix[0], matrix[1]);
    const length = Math.hypot(c, d);
    const along = Math.hypot(a, b) || 1;
    const sign = Math.sign(fontSize * hScale) || 1;
    return {
      font,
      matrix,
      direction: font.isVertical
        ? [-c / (length || 1), -d / (length || 1)]
        : [(sign * a) / along, (sign * b) / along],
      em: font.isVertical ? Math.abs(fontSize) * length : em,
      height: Math.hypot(matrix[2], matrix[3]),
      spacing: Math.max(0, charSpacing * along * hScale),
      mark: this.#openMarks.at(-1)?.mark ?? 0,
    };
  }

  #add(
    char: string,
    kind: ReturnType<typeof kindOf>,
    advance: number,
    toPage: Matrix,
    run: GlyphRun,
    background: Background,
  ): void {
    const { rise } = this.#text;
    const [a, b, c, d, e, f] = toPage;
    const x = a * this.#x + c * (this.#y + rise) + e;
    const y = b * this.#x + d * (this.#y + rise) + f;
    const scale = run.font.isVertical ? Math.hypot(c, d) : Math.hypot(a, b);
    const glyph: PaintedGlyph = {
      char,
      x,
      y,
      width: Math.abs(advance) * scale,
      isSpace: kind === "space",
      isMark: kind === "mark",
      run,
      hidden: undefined,
    };
    glyph.hidden = this.#hidingMeans(glyph, background);
    this.#glyphs.push(glyph);
  }

  #hidingMeans(glyph: PaintedGlyph, background: Background): HidingMeans | undefined {
    const { run, x, y, width } = glyph;
    const { left, bottom, right, top } = this.#view;
    const [ux, uy] = run.direction;
    const [endX, endY] = [x + ux * width, y + uy * width];
    if (Math.max(x, endX) < left || Math.min(x, endX) > right) return "outside_page";
    if (Math.max(y, endY) < bottom || Math.min(y, endY) > top) return "outside_page";
    if (glyph.isSpace) return undefined;
    if (this.#canvas.isLayerOff) return "layer_off";
    const centre = centreOf(glyph);
    const { mode } = this.#text;
    const isDrawn = !NOT_DRAWN.has(mode) || run.font.isType3;
    // A text layer on a scan may clip to nothing.
    if (isDrawn && !contains(this.#canvas.clip, centre)) return "outside_page";
    const size = Math.min(run.height, run.em) * this.#unit * (run.font.scale / 0.001);
    if (!run.font.isType3 && size < TINY) return "tiny";
    if (!isDrawn) return "not_drawn";
    if (this.#canvas.opacityOf(mode) < OPACITY_MIN) return "transparent";
    return background.hides(mode, centre) ? "background_colour" : undefined;
  }

  /** Hides the characters that are drawn so far within a box. */
  #cover(box: PageBox): void {
    for (let row = this.#rowAt(box.bottom); row <= this.#rowAt(box.top); row++) {
      const runs = this.#runs[row] ?? [];
      if (runs.length > 0) this.#runs[row] = runs.filter((run) => !this.#coverRun(run, box));
    }
  }

  /** @returns whether no character of it is left to be covered */
  #coverRun({ box: drawn, from, to }: DrawnRun, box: PageBox): boolean {
    if (drawn.left > box.right || drawn.right < box.left) return false;
    if (drawn.bottom > box.top || drawn.top < box.bottom) return false;
    let isCovered = true;
    for (let at = from; at < to; at++) {
      const glyph = this.#glyphs[at];
      if (glyph === undefined || glyph.isSpace) continue;
      if (isWithin(box, glyph)) glyph.hidden ??= "covered";
      isCovered &&= glyph.hidden !== undefined;
    }
    return isCovered;
  }

  /** The row of a height; what is above or below the page counts to its first or last one. */
  #rowAt(y: number): number {
    const { bottom, top } = this.#view;
    const row = Math.floor(((y - bottom) / (top - bottom)) * ROWS);
    return Math.min(ROWS - 1, Math.max(0, row || 0));
  }
}

/** The rows and columns of a grid whose points measure areas. */
const GRID = 50;

/** The share of a page that boxes cover together, from 0 to 1, to about two hundredths. */
function shareOf(view: PageBox, boxes: readonly PageBox[]): number {
  const covered = new Set<number>();
  const pointsIn = (from: number, to: number, start: number, end: number) => {
    const at = (place: number) => ((place - start) / (end - start)) * GRID - 0.5;
    return [Math.max(0, Math.ceil(at(from))), Math.min(GRID - 1, Math.floor(at(to)))] as const;
  };
  for (const { left, bottom, right, top } of boxes) {
    const [firstColumn, lastColumn] = pointsIn(left, right, view.left, view.right);
    const [firstRow, lastRow] = pointsIn(bottom, top, view.bottom, view.top);
    for (let row = firstRow; row <= lastRow; row++)
      for (let column = firstColumn; column <= lastColumn; column++) covered.add(row * GRID + column);
    if (covered.size === GRID * GRID) break;
  }
  return covered.size / (GRID * GRID);
}

/** The rows into which a page is divided to find what is drawn at a place. */
const ROWS = 100;

type DrawnRun = { readonly box: PageBox; readonly from: number; readonly to: number };

/** A glyph as pdf.js returns it. */
type DrawnGlyph = {
  readonly unicode: string;
  readonly width: number;
  readonly vmetric?: readonly number[];
  /** Whether it is the one-byte code 32, which word spacing widens. */
  readonly isSpace: boolean;
  readonly originalCharCode: number;
};

/** pdf.js takes the code of a glyph for its character where it does not know the name. */
function charOf({ unicode, originalCharCode }: DrawnGlyph, { ligatures }: PageFont): string {
  const isCode = ligatures.size > 0 && unicode === String.fromCharCode(originalCharCode);
  return (isCode ? ligatures.get(originalCharCode) : undefined) ?? unicode;
}

const KINDS = new Map<string, "space" | "mark" | "format" | "letter">();

/** As pdf.js tells them apart; cached, because most texts have few characters. */
function kindOf(char: string): "space" | "mark" | "format" | "letter" {
  const known = KINDS.get(char);
  if (known !== undefined) return known;
  const kind = /^\s/u.test(char)
    ? "space"
    : /^\p{Mn}/u.test(char)
      ? "mark"
      : /\p{Cf}$/u.test(char)
        ? "format"
        : "letter";
  if (KINDS.size < 10_000) KINDS.set(char, kind);
  return kind;
}

/** How far letters reach above the baseline at least, as a share of their height: the letter x. */
const X_HEIGHT = 0.45;

function isWithin(box: PageBox, glyph: PaintedGlyph): boolean {
  return cornersOf(glyph).every((corner) => contains(box, corner));
}

/** The lower left and the upper right corner of a small letter in the place of a character. */
function cornersOf({ x, y, width, run }: PaintedGlyph): (readonly [number, number])[] {
  const [ux, uy] = run.direction;
  const up = X_HEIGHT * run.height;
  return [
    [x, y],
    [x + ux * width - uy * up, y + uy * width + ux * up],
  ];
}

function centreOf(glyph: PaintedGlyph): readonly [number, number] {
  const [from, to] = cornersOf(glyph);
  return [((from?.[0] ?? 0) + (to?.[0] ?? 0)) / 2, ((from?.[1] ?? 0) + (to?.[1] ?? 0)) / 2];
}
