import { expect } from "chai";
import { colourOf, SOURCE_COLOURS } from "../../src/reports/source-colours.ts";

/** Ink and paper of the pages and exports in both schemes. */
const SCHEMES = { light: { ink: "#1b1f26", paper: "#ffffff" }, dark: { ink: "#e7eaf0", paper: "#15181d" } };

/** WCAG 2.2: text 4.5 at least, lines and bars 3; ours keep more. */
const TEXT_MIN = 7;
const EDGE_MIN = 4.5;

describe("the colours of sources", () => {
  for (const scheme of ["light", "dark"] as const) {
    it(`can be read and told from paper: ${scheme}`, () => {
      const { ink, paper } = SCHEMES[scheme];
      for (const colour of SOURCE_COLOURS) {
        const { mark, edge } = colour[scheme];
        expect(contrast(ink, mark), `text on ${mark}`).to.be.at.least(TEXT_MIN);
        expect(contrast(edge, mark), `${edge} on ${mark}`).to.be.at.least(EDGE_MIN);
        expect(contrast(edge, paper), `${edge} on paper`).to.be.at.least(EDGE_MIN);
      }
    });
  }

  it("are all different, and begin again after the last", () => {
    const marks = SOURCE_COLOURS.flatMap(({ light, dark }) => [light.mark, light.edge, dark.mark, dark.edge]);
    expect(new Set(marks).size).to.equal(marks.length);
    const numbers = Array.from({ length: SOURCE_COLOURS.length + 1 }, (_, at) => colourOf(at + 1));
    expect(numbers).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 1]);
  });
});

/** As WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
