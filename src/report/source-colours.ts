/**
 * The colours of sources, by number: `mark` lies behind text, `edge` is for lines and numbers beside it. Evenly spaced hues
 * of one lightness (OKLCH), so that none looks more important; text has a contrast of at least 8 on every mark, every edge
 * at least 5.
 */
export const SOURCE_COLOURS = [
  { light: { mark: "#fbe0a1", edge: "#6e5400" }, dark: { mark: "#4d3a01", edge: "#deb95c" } },
  { light: { mark: "#cfe6fe", edge: "#005a9d" }, dark: { mark: "#1a3f63", edge: "#89c3fe" } },
  { light: { mark: "#bdf3c3", edge: "#036b28" }, dark: { mark: "#1d4825", edge: "#86d391" } },
  { light: { mark: "#ffd7e1", edge: "#922d55" }, dark: { mark: "#5c2b3b", edge: "#fd9cba" } },
  { light: { mark: "#a7f1ff", edge: "#066370" }, dark: { mark: "#03464f", edge: "#47d2e8" } },
  { light: { mark: "#ffdbc1", edge: "#844500" }, dark: { mark: "#5a320e", edge: "#f8aa6d" } },
  { light: { mark: "#e7ddfe", edge: "#654199" }, dark: { mark: "#43335e", edge: "#c9acff" } },
  { light: { mark: "#ddebab", edge: "#535f02" }, dark: { mark: "#3a420c", edge: "#b7c86b" } },
] as const;

/** How much of an edge's colour the lines of a pattern have: text keeps a contrast of at least 5 on every line. */
export const LINE_SHARE = { light: 0.35, dark: 0.22 } as const;

/** Images in CSS, drawn over a mark with lines of its edge's colour. */
const PATTERNS = [
  () => "none",
  (line: string) => `repeating-linear-gradient(45deg,${line} 0 1px,transparent 1px 8px)`,
  (line: string) => `repeating-linear-gradient(90deg,${line} 0 1px,transparent 1px 7px)`,
  (line: string) =>
    [45, -45]
      .map((angle) => `repeating-linear-gradient(${angle}deg,${line} 0 1px,transparent 1px 8px)`)
      .join(),
] as const;

/**
 * The looks of sources, by number: more colours than eight could not be told apart, so they begin again with a pattern.
 * `mark`, `edge` and `pattern` are values in CSS, for both colour schemes.
 */
export const SOURCE_LOOKS = PATTERNS.flatMap((pattern) =>
  SOURCE_COLOURS.map(({ light, dark }) => ({
    mark: `light-dark(${light.mark},${dark.mark})`,
    edge: `light-dark(${light.edge},${dark.edge})`,
    pattern: pattern(
      `light-dark(${translucent(light.edge, LINE_SHARE.light)},${translucent(dark.edge, LINE_SHARE.dark)})`,
    ),
  })),
);

/** `#rrggbb` with an alpha channel. */
function translucent(colour: string, alpha: number): string {
  return colour + Math.round(alpha * 255).toString(16);
}

/** The look of the source with this number, both from 1. After the last look they begin again; the number is always shown. */
export function colourOf(sourceNumber: number): number {
  return ((sourceNumber - 1) % SOURCE_LOOKS.length) + 1;
}
