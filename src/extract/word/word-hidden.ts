import { type HiddenText, hiddenText } from "../../text/hidden-text.ts";
import type { HidingMeans } from "../../text/integrity.ts";
import { ATTRIBUTES, dropElements, readAttributes } from "./word-xml.ts";

/** Formatting that can hide text; a colour is six hexadecimal digits, `NONE`, or another word if it is not known. */
type Looks = {
  readonly vanish?: boolean | undefined;
  readonly colour?: string | undefined;
  /** The colour of the inside of letters. */
  readonly textFill?: string | undefined;
  /** The colours that effects draw beside the fill of letters, by the effects' names. */
  readonly effects?: ReadonlyMap<string, string> | undefined;
  readonly halfPoints?: number | undefined;
  /** The width of letters in percent of the usual one. */
  readonly scale?: number | undefined;
  /** The room added between letters, in twentieths of a point. */
  readonly spacing?: number | undefined;
  /** The colour of the background. */
  readonly fill?: string | undefined;
};

/** The looks that a document's styles give, and its page. */
export type WordStyles = {
  readonly looksOf: (styleId: string) => Looks;
  /** Whether a table style fills some cells: then the background of a cell is not known. */
  readonly fillsCells: (styleId: string) => boolean;
  /** The styles that may hide text. */
  readonly hiding: readonly string[];
  readonly page: string;
};

const WHITE = "FFFFFF";

/** Styles inherit from each other; more steps are a circle. */
const INHERITED_MAX = 12;

/** @param styles XML of the styles part with the usual prefixes @param page the colour of the page */
export function readWordStyles(styles: string, page = WHITE): WordStyles {
  const own = new Map<string, { readonly looks: Looks; readonly basedOn: string; readonly xml: string }>();
  let usual = "";
  for (const xml of styles.split(/<w:style(?=\s)/).slice(1)) {
    const attributes = readAttributes(xml.slice(0, xml.indexOf(">")));
    const id = attributes.get("styleId") ?? "";
    if (attributes.get("type") === "paragraph" && attributes.get("default") === "1") usual = id;
    own.set(id, { looks: looksIn(xml), basedOn: valueIn(xml, "basedOn") ?? "", xml });
  }
  const defaults = looksIn(/<w:docDefaults>[\s\S]*?<\/w:docDefaults>/.exec(styles)?.[0] ?? "");
  const chain = (styleId: string) => {
    const found: { readonly looks: Looks; readonly basedOn: string; readonly xml: string }[] = [];
    for (let style = own.get(styleId); style !== undefined && found.length < INHERITED_MAX; ) {
      found.push(style);
      style = own.get(style.basedOn);
    }
    return found;
  };
  const known = new Map<string, Looks>();
  return {
    looksOf(styleId) {
      const looks =
        known.get(styleId) ?? merged([...chain(styleId || usual).map((one) => one.looks), defaults]);
      known.set(styleId, looks);
      return looks;
    },
    fillsCells: (styleId) => chain(styleId).some(({ xml }) => CELL_FILL.test(xml)),
    hiding: [...own.keys()].filter((id) => chain(id).some(({ xml }) => MAY_HIDE.test(xml))),
    page,
  };
}

const CELL_FILL = /<w:shd\s[^<>]*w:(?:fill="[\da-f]{6}"|val="(?!clear|nil))/i;

/** Vanished, tiny or transparent text, and light letters. Dark ones hide only on a fill. */
const MAY_HIDE =
  /<w:vanish[\s/>]|<w:sz\s[^<>]*w:val="[0-3]"|<w14:textFill|<w:color\s[^<>]*(?:w:val="(?:(?:[d-f][\da-f]){3}|white)"|w:themeColor="(?:background|light)1")|<w:w\s|<w:spacing\s[^<>]*w:val="-/i;
const FILLED = /<w:(?:shd|highlight)\s[^<>]*w:(?:(?:fill|val)="(?!auto|none|clear|nil)|theme)/i;

/** The first looks that say something about a property decide it. */
function merged(all: readonly Looks[]): Looks {
  return {
    vanish: all.find(({ vanish }) => vanish !== undefined)?.vanish,
    colour: all.find(({ colour }) => colour !== undefined)?.colour,
    textFill: all.find(({ textFill }) => textFill !== undefined)?.textFill,
    effects: new Map(all.toReversed().flatMap(({ effects }) => [...(effects ?? [])])),
    halfPoints: all.find(({ halfPoints }) => halfPoints !== undefined)?.halfPoints,
    scale: all.find(({ scale }) => scale !== undefined)?.scale,
    spacing: all.find(({ spacing }) => spacing !== undefined)?.spacing,
    fill: all.find(({ fill }) => fill !== undefined)?.fill,
  };
}

function tagIn(xml: string, name: string): ReadonlyMap<string, string> | undefined {
  const tag = new RegExp(`<w:${name}(?=[\\s/>])${ATTRIBUTES}>`).exec(xml)?.[0];
  return tag === undefined ? undefined : readAttributes(tag);
}

function valueIn(xml: string, name: string): string | undefined {
  return tagIn(xml, name)?.get("val");
}

const COLOUR = /^[\da-f]{6}$/i;
/** A colour that may be one of many, or a changed one. */
const UNKNOWN = "unknown";
/** Instead of a colour, for what is not drawn. Programs write `none` for colours that they do not set. */
const NONE = "<none>";

/** What draws letters beside their fill, or in its place. */
const EFFECT = new RegExp(
  `<(w:(?:outline|shadow|emboss|imprint)|w14:(?:textOutline|shadow|glow))(?=[\\s/>])${ATTRIBUTES}>`,
  "g",
);
/** The fill of letters, which counts instead of `w:color`. */
const TEXT_FILL = new RegExp(`<w14:textFill(?=[\\s>])${ATTRIBUTES}>`);
const TRANSPARENT = /<w14:alpha\s[^<>]*w14:val="(?:100000|9[5-9]\d{3})"/;
/** A colour that nothing but transparency changes. */
const WHOLE_COLOUR =
  /<w14:(?:srgbClr|schemeClr)\s[^<>]*w14:val="(\w+)"\s*(?:\/>|>\s*(?:<w14:alpha\s[^<>]*\/>\s*)?<\/)/;
/** A shadow or glow that reaches beyond the letters. */
const REACHES = /\sw14:(?:blurRad|dist|rad)="[1-9]/;

/** The colours that nearly all themes have for pages and for text. */
const THEME: ReadonlyMap<string, string> = new Map(
  ["background1", "light1", "bg1", "lt1"]
    .map((name): [string, string] => [name, WHITE])
    .concat(["text1", "dark1", "tx1", "dk1"].map((name) => [name, "000000"])),
);

/** The colour of a tag. A theme colour counts before the value, unless it has a tint or shade: then the value holds the result. */
function themed(
  tag: ReadonlyMap<string, string> | undefined,
  value: string,
  theme: string,
): string | undefined {
  const named = tag?.get(theme);
  const isChanged =
    tag?.has(`${theme.replace("Color", "")}Tint`) || tag?.has(`${theme.replace("Color", "")}Shade`);
  return (named === undefined || isChanged ? undefined : THEME.get(named)) ?? tag?.get(value);
}

function colourIn(properties: string): string | undefined {
  const colour = themed(tagIn(properties, "color"), "val", "themeColor");
  return colour?.toLowerCase() === "white" ? WHITE : colour;
}

/** The colour that the element of Word 2010 (`w14`) behind a start tag draws with, if it holds one. */
function colourBehind(properties: string, tag: RegExpExecArray): string | undefined {
  const [name = ""] = /w14:\w+/.exec(tag[0]) ?? [];
  const start = tag.index + tag[0].length;
  const end = tag[0].endsWith("/>") ? start : properties.indexOf(`</${name}>`, start);
  const content = properties.slice(start, Math.max(start, end));
  if (content.includes("<w14:gradFill")) return UNKNOWN;
  if (content.includes("<w14:noFill") || TRANSPARENT.test(content)) return NONE;
  if (!content.includes("Clr")) return undefined;
  const colour = WHOLE_COLOUR.exec(content)?.[1] ?? UNKNOWN;
  return THEME.get(colour) ?? colour;
}

function effectsIn(properties: string): ReadonlyMap<string, string> {
  const effects = new Map<string, string>();
  for (const tag of properties.matchAll(EFFECT)) {
    const [all, name = ""] = tag;
    // The first counts, as of other properties.
    if (effects.has(name)) continue;
    if (name.startsWith("w:"))
      effects.set(name, OFF.test(readAttributes(all).get("val") ?? "") ? NONE : UNKNOWN);
    else {
      const isDrawn = name === "w14:textOutline" || REACHES.test(all);
      effects.set(name, (isDrawn ? colourBehind(properties, tag) : undefined) ?? NONE);
    }
  }
  return effects;
}

const OFF = /^(?:0|false|off)$/;
/** A paragraph has an element of the same name, without this attribute. */
const SPACING = /<w:spacing\s[^<>]*w:val=["'](-?\d+)/;

function looksIn(properties: string): Looks {
  const vanish = tagIn(properties, "vanish");
  const textFill = TEXT_FILL.exec(properties);
  // "auto" is black or white, whichever can be read.
  const colour = colourIn(properties);
  return {
    vanish: vanish && !OFF.test(vanish.get("val") ?? ""),
    colour,
    textFill: (textFill === null ? undefined : colourBehind(properties, textFill)) ?? colour,
    effects: effectsIn(properties),
    halfPoints: numberOf(valueIn(properties, "sz")),
    scale: numberOf(valueIn(properties, "w")),
    spacing: numberOf(SPACING.exec(properties)?.[1]),
    fill: fillIn(properties),
  };
}

function numberOf(value: string | undefined): number | undefined {
  const number = Number.parseFloat(value ?? "");
  return Number.isNaN(number) ? undefined : number;
}

/** The names of highlights that text may have the colour of. */
const HIGHLIGHTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ white: WHITE, black: "000000", yellow: "FFFF00", lightGray: "C0C0C0", darkGray: "808080" },
    ...{ green: "00FF00", cyan: "00FFFF", magenta: "FF00FF", blue: "0000FF", red: "FF0000" },
  }),
);

function fillIn(properties: string): string | undefined {
  const highlight = valueIn(properties, "highlight");
  if (highlight !== undefined && highlight !== "none") return HIGHLIGHTS.get(highlight) ?? UNKNOWN;
  const shading = tagIn(properties, "shd");
  const pattern = shading?.get("val") ?? "clear";
  const isClear = pattern === "clear" || pattern === "nil";
  const [value, theme] = pattern === "solid" ? ["color", "themeColor"] : ["fill", "themeFill"];
  const fill = pattern === "solid" || isClear ? themed(shading, value, theme) : undefined;
  if (fill !== undefined && COLOUR.test(fill)) return fill;
  return isClear && !shading?.has(theme) ? undefined : UNKNOWN;
}

/** A code of each means, to mark text with. */
const MEANS_CODES = {
  n: "not_drawn",
  t: "tiny",
  b: "background_colour",
  x: "transparent",
} as const satisfies Record<string, HidingMeans>;

/** Noncharacters, which no document holds for another purpose. */
const MARK_START = "\ufdd0";
const MARK_END = "\ufdd1";
const MARKS = /[\ufdd0\ufdd1]/g;

/** Text of less than two points can't be read. */
const HALF_POINTS_MIN = 4;

/** The size of text that no style gives one (ISO/IEC 29500-1, 17.3.2.38). */
const HALF_POINTS_USUAL = 20;

/** Letters that are pressed to a tenth of their width or less; Word shows a width of 0 as the usual one. */
const SCALE_PRESSED = 10;

/** Letters are half as wide as their size on average: moved together by as much, they lie over each other. */
const SPACING_MIN = -0.5;

/** A contrast (WCAG 2.2) that nobody sees; light grey on white has 1.4. */
const CONTRAST_MIN = 1.15;

function hidingCode(looks: Looks, background: string): keyof typeof MEANS_CODES | undefined {
  if (looks.vanish === true) return "n";
  if (isTiny(looks)) return "t";
  const drawn = coloursOf(looks).filter((colour) => colour !== NONE);
  if (drawn.length === 0) return "x";
  if (background === UNKNOWN) return undefined;
  const isUnseen = (colour: string) => COLOUR.test(colour) && contrast(colour, background) < CONTRAST_MIN;
  return drawn.every(isUnseen) ? "b" : undefined;
}

function isTiny({ halfPoints = HALF_POINTS_USUAL, scale = 100, spacing = 0 }: Looks): boolean {
  const width = (halfPoints * (scale >= 1 ? scale : 100)) / 100;
  const isPressed = scale <= SCALE_PRESSED && width < HALF_POINTS_MIN;
  // A half-point is ten twentieths of a point.
  return halfPoints < HALF_POINTS_MIN || isPressed || (spacing < 0 && spacing / 10 <= SPACING_MIN * width);
}

/** The colours that letters are drawn with. An outline has the usual colour, and may be white inside. */
function coloursOf({ colour = "auto", textFill = "auto", effects = new Map() }: Looks): string[] {
  const { "w:outline": outline = NONE, ...others } = Object.fromEntries(effects);
  return [...(outline === NONE ? [textFill] : [colour, WHITE]), ...Object.values(others)];
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const TAG = new RegExp(
  `<(/?)w:(tbl|tblPr|tc|tcPr|txbxContent|p|pPr|r|rPr|t|sdtPr|sdtEndPr)(?=[\\s/>])${ATTRIBUTES}>`,
  "g",
);

/** A picture or a shape behind text, which may be of any colour and stand anywhere. */
const BEHIND_TEXT = /\sbehindDoc\s*=\s*["'](?:1|true)["']|z-index:\s*-/;

/** The styles for a part: the page has no known colour where a picture or a shape is behind its text. @param xml with its pictures */
export function stylesFor(xml: string, styles: WordStyles): WordStyles {
  return BEHIND_TEXT.test(xml) ? { ...styles, page: UNKNOWN } : styles;
}

/** What surrounds text, outermost first. */
type Frame = { readonly name: string; readonly background: string; readonly looks: Looks };

/**
 * Marks hidden text of a WordprocessingML part: text that is not to be shown, is tiny or transparent, or has the colour of its background.
 * In a box or a table whose fill is not known, no colour hides text. @param xml with all its formatting
 */
export function markHiddenText(xml: string, styles: WordStyles): string {
  const own = dropElements(xml.replace(MARKS, "\ufffd"), "w:(?:r|p|tc|tbl)PrChange");
  const isPlain = !MAY_HIDE.test(own) && !FILLED.test(own) && styles.page === WHITE;
  if (
    isPlain &&
    !styles.hiding.some((id) => own.includes(`"${id}"`)) &&
    hidingCode(styles.looksOf(""), WHITE) === undefined
  )
    return own;
  const frames: Frame[] = [{ name: "page", background: styles.page, looks: styles.looksOf("") }];
  const top = (): Frame => frames.at(-1) ?? { name: "page", background: styles.page, looks: {} };
  const pieces: string[] = [];
  let from = 0;
  let properties: { readonly name: string; readonly start: number } | undefined;
  let code: string | undefined;
  for (const { 0: tag, 1: closing, 2: name = "", index } of own.matchAll(TAG)) {
    const end = index + tag.length;
    if (tag.endsWith("/>")) continue;
    if (name.endsWith("Pr")) {
      if (closing === "") properties ??= { name, start: end };
      else if (properties?.name === name) {
        const frame = frames.pop();
        if (frame !== undefined)
          frames.push(withProperties(frame, name, own.slice(properties.start, index), styles));
        properties = undefined;
      }
      continue;
    }
    if (properties !== undefined) continue;
    if (name === "t") {
      code = closing === "" ? hidingCode(top().looks, top().background) : code;
      if (code === undefined) continue;
      pieces.push(
        own.slice(from, closing === "" ? end : index),
        closing === "" ? MARK_START + code : MARK_END,
      );
      from = closing === "" ? end : index;
      if (closing !== "") code = undefined;
    } else if (closing === "") {
      // A box does not look like the run that it is anchored in.
      const isBox = name === "txbxContent";
      frames.push(isBox ? { name, background: UNKNOWN, looks: styles.looksOf("") } : { ...top(), name });
    } else if (frames.length > 1) frames.pop();
  }
  return pieces.join("") + own.slice(from);
}

function withProperties(frame: Frame, name: string, properties: string, styles: WordStyles): Frame {
  // The looks of a content control's handles are not those of the text around it.
  if (name.startsWith("sdt")) return frame;
  // The looks of a paragraph's mark are not those of its text.
  const xml = name === "pPr" ? properties.replace(/<w:rPr>[\s\S]*?<\/w:rPr>/, "") : properties;
  const style = valueIn(xml, { pPr: "pStyle", rPr: "rStyle", tblPr: "tblStyle" }[name] ?? "none");
  if (name === "tblPr") {
    const isFilled = style !== undefined && styles.fillsCells(style);
    return { ...frame, background: isFilled ? UNKNOWN : (fillIn(xml) ?? frame.background) };
  }
  if (name === "tcPr") return { ...frame, background: fillIn(xml) ?? frame.background };
  const styled = style === undefined ? frame.looks : merged([styles.looksOf(style), frame.looks]);
  const looks = name === "pPr" ? styled : merged([looksIn(xml), styled]);
  return {
    ...frame,
    looks,
    background: fillIn(xml) ?? (style && styles.looksOf(style).fill) ?? frame.background,
  };
}

const MARKED = new RegExp(`${MARK_START}(.)([^${MARK_END}]*)${MARK_END}`, "g");

/** Longer words are no words: then the hidden letters between them stand in place of blanks. */
const WORD_LETTERS_MEAN_MAX = 12;

/** The text without its marked parts, and these. Where hidden letters divide words, a blank does so instead. */
export function withoutHiddenText(marked: string): {
  readonly text: string;
  readonly hidden: readonly HiddenText[];
} {
  if (!marked.includes(MARK_START)) return { text: marked, hidden: [] };
  const hidden: HiddenText[] = [];
  const pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    if (piece === "") return;
    pieces.push(piece);
    length += piece.length;
  };
  for (const line of marked.split(/(?<=\n)/)) {
    const letters =
      line
        .replace(MARKED, "")
        .match(/\p{L}+/gu)
        ?.map((word) => word.length) ?? [];
    const areBlanks = letters.reduce((sum, own) => sum + own, 0) > WORD_LETTERS_MEAN_MAX * letters.length;
    let from = 0;
    for (const { 0: all, 1: code = "n", 2: own = "", index } of line.matchAll(MARKED)) {
      add(line.slice(from, index));
      from = index + all.length;
      const means = Object.entries(MEANS_CODES).find(([one]) => one === code)?.[1] ?? "not_drawn";
      hidden.push(...hiddenText(length, means, own));
      const takesRoom = areBlanks || code === "b" || code === "x";
      if (takesRoom && WORD_END.test(pieces.at(-1) ?? "") && WORD_START.test(line.slice(from, from + 2)))
        add(" ");
    }
    add(line.slice(from));
  }
  return { text: pieces.join(""), hidden };
}

const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;

/** HTML in which deletions show the marked text. */
export function withHiddenAsDeleted(html: string): string {
  return html.replace(MARKED, (_all, _code, own) => `<del>${own}</del>`);
}
