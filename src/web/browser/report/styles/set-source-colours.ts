import { SOURCE_COLOURS } from "../../../../reports/source-colours.ts";

/** Gives the styles the colours that sources have in the exports too, for light and dark. */
export function setSourceColours({ style }: HTMLElement): void {
  for (const [index, { light, dark }] of SOURCE_COLOURS.entries()) {
    style.setProperty(`--mark-${index + 1}`, `light-dark(${light.mark}, ${dark.mark})`);
    style.setProperty(`--edge-${index + 1}`, `light-dark(${light.edge}, ${dark.edge})`);
  }
}
