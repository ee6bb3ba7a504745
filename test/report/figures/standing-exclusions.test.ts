import { expect } from "chai";
import { standingText } from "../../../src/report/figures/standing-exclusions.ts";

const TEXT = [
  "On Ferries\n\nA thesis by Mara Odell\n",
  "Eidesstattliche Erklärung\n\nIch habe die Arbeit selbst verfasst.\n",
  "Abstract\n\nFerries are late.\n",
  "1 Introduction\n\nMany ferries\nare  late.\n",
  "2 Methods\n\nWe waited.\n\n2.1 Sample\n\nAll ferries of one year.\n",
  "3 Results\n\nThey were late. All methods agree.\n",
].join("\n");

const leftOut = (phrases: readonly string[], sections: readonly string[]) =>
  standingText(TEXT, { phrases, sections }).map(({ start, end }) => TEXT.slice(start, end));

describe("standingText", () => {
  it("finds sections by their kind in several languages, with their subsections", () => {
    expect(leftOut([], ["declaration"])).to.have.lengthOf(1);
    expect(leftOut([], ["declaration"])[0]).to.match(/^Eidesstattliche.*verfasst\.\s+$/s);
    expect(leftOut([], ["abstract"])[0]).to.match(/^Abstract\s+Ferries are late\.\s+$/);
    expect(leftOut([], ["methods"])[0]).to.match(/^2 Methods.*2\.1 Sample.*one year\.\s+$/s);
  });

  it("finds the title page, and sections by their heading", () => {
    expect(leftOut([], ["title_page"])[0]).to.match(/^On Ferries.*Odell\s+$/s);
    expect(leftOut([], ["Results"])[0]).to.match(/^3 Results.*agree\.\s+$/s);
    expect(leftOut([], ["Discussion"])).to.deep.equal([]);
  });

  it("finds phrases in any case and across line ends, with signs as they are", () => {
    expect(leftOut(["many FERRIES are late."], [])).to.deep.equal(["Many ferries\nare  late."]);
    expect(leftOut(["many ferries are late?"], [])).to.deep.equal([]);
  });
});
