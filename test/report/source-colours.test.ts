import { expect } from "chai";
import { colourOf, LINE_SHARE, SOURCE_COLOURS, SOURCE_LOOKS } from "../../src/report/source-colours.ts";

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

  it("leave text readable on the lines of their patterns", () => {
    for (const scheme of ["light", "dark"] as const) {
      for (const { [scheme]: colour } of SOURCE_COLOURS) {
        const line = mixed(colour.edge, colour.mark, LINE_SHARE[scheme]);
        expect(contrast(SCHEMES[scheme].ink, line), `text on ${line}`).to.be.at.least(5);
        expect(contrast(line, colour.mark), `${line} on ${colour.mark}`).to.be.at.least(1.3);
      }
    }
  });

  it("begin again with a pattern, so that 32 sources in a row look different", () => {
    const looks = Array.from({ length: 32 }, (_, at) => SOURCE_LOOKS[colourOf(at + 1) - 1]);
    expect(new Set(looks.map((look) => JSON.stringify(look))).size).to.equal(32);
    expect(looks[8]).to.include({ mark: looks[0]?.mark }).and.not.include({ pattern: looks[0]?.pattern });
  });

  it("are all different, and begin again after the last", () => {
    const marks = SOURCE_COLOURS.flatMap(({ light, dark }) => [light.mark, light.edge, dark.mark, dark.edge]);
    expect(new Set(marks).size).to.equal(marks.length);
    expect([1, 8, 9, 32, 33].map(colourOf)).to.deep.equal([1, 8, 9, 32, 1]);
  });
});

/** One colour over another with some opacity. */
function mixed(over: string, under: string, opacity: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) => Math.round(channel(over, at) * opacity + channel(under, at) * (1 - opacity)))
    .map((value) => value.toString(16).padStart(2, "0"))
    .join("")}`;
}

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
