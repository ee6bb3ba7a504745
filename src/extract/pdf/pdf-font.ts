import { z } from "zod";

/** What is used of a font of a page. */
export type PageFont = {
  readonly name: string;
  readonly isVertical: boolean;
  readonly isType3: boolean;
  /** Whether its characters may be the codes of its glyphs, see `readTexFonts`. */
  readonly hasCodes: boolean;
  /** The characters of ligatures that have the names of their letters, as `Q_u`, by code. */
  readonly ligatures: ReadonlyMap<number, string>;
  /** The first number of its matrix: glyph space to text space. */
  readonly scale: number;
  /** The height of its letters in text space, for a Type 3 font that states it. */
  readonly boxHeight: number | undefined;
  readonly family: string;
  readonly ascent: number;
  readonly descent: number;
};

const COMPUTER_MODERN =
  /^(?:[A-Z]{6}\+)?CM(?:R|B|BX|BXSL|BXTI|TI|SL|SS|SSI|SSBX|SSDC|SSQ|SSQI|FF|FI|FIB|U|DUNH)\d/;

/** Whether the name of a font is that of a text font of Computer Modern whose letters have different widths: its encoding is OT1. */
export function isComputerModern(baseName: string): boolean {
  return COMPUTER_MODERN.test(baseName);
}

const Numbers = z.array(z.number()).catch([]);

/** What is used of a font of pdf.js. */
const FontData = z.object({
  fontMatrix: Numbers,
  bbox: Numbers,
  isType3Font: z.boolean().catch(false),
  name: z.string().catch(""),
  // A sparse array; the worker leaves it out unless it is asked for (`fontExtraProperties`).
  differences: z.unknown().optional(),
  vertical: z.boolean().catch(false),
  fallbackName: z.string().catch("sans-serif"),
  ascent: z.number().catch(0),
  descent: z.number().catch(0),
});

/** The fonts of pdf.js that are already described: most pages use those of the page before. */
const KNOWN = new WeakMap<object, PageFont>();

/** The description of a font of pdf.js. @param name as its operators name it */
export function fontOf(name: string, font: unknown): PageFont {
  if (typeof font !== "object" || font === null) return pageFont(name, font);
  const known = KNOWN.get(font) ?? pageFont(name, font);
  KNOWN.set(font, known);
  return known;
}

function pageFont(name: string, font: unknown): PageFont {
  const { fontMatrix, bbox, isType3Font, vertical, fallbackName, ascent, descent, ...data } =
    FontData.parse(font);
  const names = Object.entries(Object(data.differences)).map(
    ([code, glyph]) => [Number(code), String(glyph)] as const,
  );
  const [scale = 0.001, , , up = 0.001] = fontMatrix;
  const [, bottom = 0, , top = 0] = bbox;
  return {
    name,
    isVertical: vertical,
    isType3: isType3Font,
    hasCodes: isType3Font ? names.length > 0 && names.every(isCode) : isComputerModern(data.name),
    ligatures: new Map(
      names
        .filter(([, glyph]) => LIGATURE.test(glyph))
        .map(([code, glyph]) => [code, glyph.replace(/\..*/, "").replaceAll("_", "")]),
    ),
    scale,
    boxHeight: isType3Font && top > bottom ? (top - bottom) * Math.abs(up) : undefined,
    family: fallbackName,
    ascent,
    descent,
  };
}

/** The name of a ligature, maybe with that of a variant. */
const LIGATURE = /^[A-Za-z](?:_[A-Za-z])+(?:\.|$)/;

/** Whether a glyph has its code as its name, decimal or hexadecimal, behind a letter or two. */
function isCode([code, name]: readonly [code: number, name: string]): boolean {
  const digits = /^[A-Za-z]{1,2}?([0-9A-Fa-f]{1,3})$/.exec(name)?.[1] ?? "";
  return Number(digits) === code || Number.parseInt(digits, 16) === code || name === ".notdef";
}
