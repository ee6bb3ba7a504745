import { readFileSync } from "node:fs";
import { expect } from "chai";
import { COLOURS, colourOf } from "../../../../src/web/browser/report/model/source-colours.ts";

const STYLES = new URL("../../../../src/web/browser/", import.meta.url);
const css = (path: string) => readFileSync(new URL(path, STYLES), "utf8");
const both = css("report/styles/palette.css") + css("frame/base.css");

/** WCAG 2.2's figure for text of usual size; lines and other drawings need 3. */
const TEXT_CONTRAST_MIN = 4.5;

/** As large as a passage's ground is mixed with its source's colour where it is chosen; see `text.css`. */
const GROUND_SHARE = 0.24;

describe("the colours of sources", () => {
  for (const [scheme, place] of [
    ["light", 0],
    ["dark", 1],
  ] as const) {
    it(`can be told from the paper, bear a number, and let the text on them be read, ${scheme}`, () => {
      const paper = colour("paper", place);
      for (let number = 1; number <= COLOURS; number++) {
        const source = colour(`source-${number}`, place);
        expect(contrast(source, paper), `${number} on paper`).to.be.above(TEXT_CONTRAST_MIN);
        expect(contrast(colour("on-source", place), source), `number on ${number}`).to.be.above(
          TEXT_CONTRAST_MIN,
        );
        const ground = source.map(
          (part, index) => part * GROUND_SHARE + (paper[index] ?? 0) * (1 - GROUND_SHARE),
        );
        expect(contrast(colour("ink", place), ground), `text on ${number}`).to.be.above(TEXT_CONTRAST_MIN);
      }
    });
  }

  it("are each for sources in turn", () => {
    expect([1, 2, COLOURS, COLOURS + 1].map(colourOf)).to.deep.equal([1, 2, COLOURS, 1]);
  });
});

function colour(name: string, place: 0 | 1): number[] {
  const values = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(both)?.slice(1);
  const value = values?.[place];
  if (value === undefined) throw new Error(`the styles have no colour --${name}`);
  return [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
}

/** The contrast ratio of WCAG 2. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
