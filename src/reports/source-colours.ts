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

/** The colour of the source with this number, both from 1. More colours than eight could not be told apart: they begin again. */
export function colourOf(sourceNumber: number): number {
  return ((sourceNumber - 1) % SOURCE_COLOURS.length) + 1;
}
