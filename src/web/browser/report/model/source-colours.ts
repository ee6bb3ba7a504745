/** How many colours sources have; see `palette.css`. More could not be told apart, so that numbers tell the rest. */
export const COLOURS = 8;

/** The colour of the source with this number, from 1. */
export function colourOf(sourceNumber: number): number {
  return ((sourceNumber - 1) % COLOURS) + 1;
}
