import { expect } from "chai";
import fc from "fast-check";
import { progressBar, progressLine } from "../../../src/platform/terminal/progress.ts";

const HALF = { done: 1_234, total: 3_230, totalIsFinal: true, failed: 0 };

describe("the line that shows how far a piece of work has come", () => {
  it("says done, total, rate, time left and failures", () => {
    expect(progressLine({ ...HALF, failed: 2 }, "files", 156.4)).to.equal(
      "1,234 of 3,230 files, 156 a second, 0:13 left, 2 failed",
    );
  });

  it("shows slow rates with a decimal, and hours of time left", () => {
    expect(progressLine(HALF, "files", 0.44)).to.equal("1,234 of 3,230 files, 0.4 a second, 1:15:37 left");
  });

  it("gives no time left while the total is not known, nor where nothing moves or nothing is left", () => {
    expect(progressLine({ ...HALF, totalIsFinal: false }, "files", 10)).to.equal(
      "1,234 of 3,230 or more files, 10 a second",
    );
    expect(progressLine(HALF, "files", 0)).to.equal("1,234 of 3,230 files, 0.0 a second");
    expect(progressLine({ ...HALF, done: 3_230 }, "files", 10)).to.equal("3,230 of 3,230 files, 10 a second");
    expect(progressLine(HALF, "files", undefined)).to.equal("1,234 of 3,230 files");
  });

  it("says first what the work is at, where that is known", () => {
    expect(progressLine({ ...HALF, at: "thesis.pdf, aligning" }, "files", undefined)).to.equal(
      "thesis.pdf, aligning: 1,234 of 3,230 files",
    );
  });

  it("counts wide letters as the two columns that they take", () => {
    expect(progressBar("漢字", { ...HALF, done: 5, total: 10 }, 18)).to.equal("[#####-----] 漢字");
    expect(progressBar("漢字", HALF, 4)).to.equal("漢…");
  });

  it("never says more done than there is, also where files came while they were counted", () => {
    expect(progressLine({ ...HALF, done: 3_232 }, "files", undefined)).to.equal("3,232 of 3,232 files");
  });

  it("fills its bar by the share that is done, and leaves it empty while the total is not known", () => {
    expect(progressBar("half", { ...HALF, done: 5, total: 10 }, 18)).to.equal("[#####-----] half");
    expect(progressBar("half", { ...HALF, done: 10, total: 10 }, 18)).to.equal("[##########] half");
    expect(progressBar("half", { ...HALF, totalIsFinal: false }, 18)).to.equal("[----------] half");
    expect(progressBar("none", { ...HALF, done: 0, total: 0 }, 18)).to.equal("[##########] none");
  });

  it("fits into the terminal, whatever its width", () => {
    const columns = fc.integer({ min: 1, max: 300 });
    const done = fc.nat(10_000);
    fc.assert(
      fc.property(columns, done, done, (width, count, failed) => {
        const progress = { ...HALF, done: count, failed };
        const shown = progressBar(progressLine(progress, "files", 12), progress, width);
        expect(shown.length).to.be.below(width);
      }),
      { seed: 4, examples: [[1, 0, 0]] },
    );
  });
});
