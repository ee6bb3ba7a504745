import { expect } from "chai";
import { tokenise } from "../../../src/text/tokenise.ts";
import type { WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { ASIAN_PARAGRAPHS } from "./languages/asian-paragraphs.ts";
import { EUROPEAN_PARAGRAPHS } from "./languages/european-paragraphs.ts";
import { expectReportLaws } from "./report-laws.ts";

const SAMPLES = [...EUROPEAN_PARAGRAPHS, ...ASIAN_PARAGRAPHS];

/** The share of a copied or reworded paragraph that a report has to mark. */
const FOUND_MIN = 0.95;

/** Characters outside it that may be marked with it: a sentence's end or a chance word. */
const BEYOND_MAX_CHARS = 20;

describe("reports: paragraphs in ten languages", () => {
  const engine = useEngine();
  before(async function () {
    this.timeout(120_000);
    for (const { language, besideSource, copied } of SAMPLES) {
      const text = `${besideSource}\n\n${copied}\n\n${besideSource}`;
      await engine.client.addDocument(`${language}.txt`, text, { language });
    }
  });

  for (const { language, copied, reworded, besideCopy } of SAMPLES) {
    it(`${language}: a copied paragraph is found`, async () => {
      const { report, found, beyond } = await checked(language, besideCopy, copied);
      expect(found).to.be.at.least(FOUND_MIN);
      expect(beyond).to.be.at.most(BEYOND_MAX_CHARS);
      expect(report.sources).to.have.lengthOf(1);
      expect(new Set(report.sources[0]?.passages.map(({ match_type }) => match_type))).to.deep.equal(
        new Set(["identical"]),
      );
      expect(report.integrity_flags).to.deep.equal([]);
    });

    if (reworded === undefined) continue;
    it(`${language}: a paragraph is found with a third of its words replaced or moved`, async () => {
      const changed = changedWords(language, copied, reworded);
      expect(changed, "the sample itself").to.be.within(0.2, 0.5);
      const { report, found, beyond } = await checked(language, besideCopy, reworded);
      expect(found, `${Math.round(changed * 100)}% of the words changed`).to.be.at.least(FOUND_MIN);
      expect(beyond).to.be.at.most(BEYOND_MAX_CHARS);
      expect(report.sources).to.have.lengthOf(1);
    });
  }

  async function checked(language: string, beside: string, paragraph: string) {
    const before = `${beside}\n\n`;
    const report = await engine.client.checked(`${before}${paragraph}`, { language });
    expectReportLaws(report);
    const start = Array.from(before).length;
    const length = Array.from(paragraph).length;
    const inside = marked(report, start, start + length);
    return { report, found: inside / length, beyond: report.total_matched_chars - inside };
  }
});

function marked(report: WireReport, from: number, to: number): number {
  return report.unique_passages.reduce(
    (sum, [start = 0, end = 0]) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)),
    0,
  );
}

/** The share of the words of `reworded` that are not among those of `copied` in their order. */
function changedWords(language: string, copied: string, reworded: string): number {
  const before = tokenise(copied, language).words;
  const after = tokenise(reworded, language).words;
  let above = new Array<number>(before.length + 1).fill(0);
  for (const word of after) {
    const row = [0];
    for (const [at, other] of before.entries()) {
      row.push(word === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0));
    }
    above = row;
  }
  return 1 - (above[before.length] ?? 0) / after.length;
}
