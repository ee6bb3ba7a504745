import { expect } from "chai";
import { makeManualTexts } from "../../../../measure/evaluation/modern/manual-texts.ts";
import {
  type DetectedModernText,
  modernLines,
  scoreModern,
} from "../../../../measure/evaluation/modern/modern-score.ts";
import { makeModernTexts } from "../../../../measure/evaluation/modern/modern-texts.ts";

describe("the score of rewritten paragraphs", () => {
  const text = (kind: string, marks: Readonly<Record<string, readonly (readonly [number, number])[]>>) => ({
    className: kind,
    queryName: "essay.txt",
    sourceName: "source.txt",
    cases: [],
    planted: { start: 100, end: 200 },
    isIndependent: kind === "independent",
    detections: new Map(
      Object.entries(marks).map(([name, spans]) => [
        name,
        spans.map(([start, end]) => ({ query: { start, end }, source: { start: 0, end: 9 } })),
      ]),
    ),
  });
  const scoreOf = (one: DetectedModernText) => scoreModern([one])[0];

  it("counts a paragraph of which half is marked and whose source is named", () => {
    expect(scoreOf(text("light", { "source.txt": [[100, 150]] }))).to.include({ found: 1, outside: 0 });
    expect(scoreOf(text("light", { "source.txt": [[100, 149]] }))).to.include({ found: 0, reported: 1 });
  });

  it("does not count a paragraph with another source alone", () => {
    expect(scoreOf(text("light", { "other.txt": [[100, 200]] }))).to.include({ found: 0, reported: 1 });
    const both = text("light", { "other.txt": [[140, 200]], "source.txt": [[130, 150]] });
    expect(scoreOf(both)).to.include({ found: 1 });
  });

  it("counts each marked character outside the paragraph once", () => {
    const wide = text("light", {
      "source.txt": [[90, 210]],
      "other.txt": [
        [95, 120],
        [300, 310],
      ],
    });
    expect(scoreOf(wide)).to.include({ found: 1, outside: 30 });
  });

  it("counts independent paragraphs that are reported, and never as found", () => {
    const kinds = scoreModern([
      text("independent", { "source.txt": [[100, 200]] }),
      text("independent", { "source.txt": [[0, 50]] }),
    ]);
    expect(kinds[0]).to.include({ texts: 2, found: 0, reported: 1, outside: 50 });
    expect(modernLines(kinds)[1]).to.match(/^independent +- +2 +- +1 +50$/);
  });
});

describe("the texts of the modern benchmark", () => {
  it("gives the reason when the data is missing", async () => {
    const made = await makeModernTexts({ dataDir: "/no/such/folder", englishOnly: true, say: () => {} });
    expect(made).to.deep.equal({ available: false, reason: "/no/such/folder does not exist" });
  });

  it("gives the reason for translated manuals, too", async () => {
    const made = await makeManualTexts("/no/such/folder");
    expect(made).to.deep.equal({ available: false, reason: "/no/such/folder does not exist" });
  });
});
