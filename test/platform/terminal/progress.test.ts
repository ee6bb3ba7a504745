import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import fc from "fast-check";
import { ProgressDisplay, progressBar, progressLine } from "../../../src/platform/terminal/progress.ts";

const HALF = { done: 1_234, total: 3_230, totalIsFinal: true, failed: 0 };

const steady = (perSecond: number) => ({ perSecond, isSteady: true });

describe("the progress line", () => {
  it("shows done, total, rate, time left and failures", () => {
    expect(progressLine({ ...HALF, failed: 2 }, "files", steady(156.4))).to.equal(
      "1,234 of 3,230 files, 156 a second, under a minute left, 2 failed",
    );
  });

  it("shows slow rates by the minute, and none that would be 0", () => {
    expect(progressLine(HALF, "files", steady(3.21))).to.equal(
      "1,234 of 3,230 files, 3.2 a second, about 10 min left",
    );
    expect(progressLine(HALF, "files", steady(0.04))).to.equal(
      "1,234 of 3,230 files, 2.4 a minute, about 13.9 h left",
    );
    expect(progressLine(HALF, "files", steady(0.001))).to.equal("1,234 of 3,230 files");
  });

  it("shows how many are in work as long as none is done", () => {
    expect(progressLine({ ...HALF, done: 0, begun: 400 }, "files", undefined)).to.equal(
      "0 of 3,230 files, 400 in work",
    );
    expect(progressLine({ ...HALF, begun: 400 }, "files", undefined)).to.equal("1,234 of 3,230 files");
  });

  it("shows no time left while the total is unknown, at an uneven rate, without progress or at the end", () => {
    expect(progressLine({ ...HALF, totalIsFinal: false }, "files", steady(10))).to.equal(
      "1,234 of 3,230 or more files, 10 a second",
    );
    expect(progressLine(HALF, "files", { perSecond: 10, isSteady: false })).to.equal(
      "1,234 of 3,230 files, 10 a second",
    );
    expect(progressLine(HALF, "files", steady(0))).to.equal("1,234 of 3,230 files");
    expect(progressLine({ ...HALF, done: 3_230 }, "files", steady(10))).to.equal(
      "3,230 of 3,230 files, 10 a second",
    );
    expect(progressLine(HALF, "files", undefined)).to.equal("1,234 of 3,230 files");
  });

  it("starts with the current item, if it is known", () => {
    expect(progressLine({ ...HALF, at: "thesis.pdf, aligning" }, "files", undefined)).to.equal(
      "thesis.pdf, aligning: 1,234 of 3,230 files",
    );
  });

  it("counts wide letters as two columns", () => {
    expect(progressBar("漢字", { ...HALF, done: 5, total: 10 }, 18)).to.equal("[#####-----] 漢字");
    expect(progressBar("漢字", HALF, 4)).to.equal("漢…");
  });

  it("never shows more done than the total, even if files were added during the count", () => {
    expect(progressLine({ ...HALF, done: 3_232 }, "files", undefined)).to.equal("3,232 of 3,232 files");
  });

  it("fills its bar by the completed share, and leaves it empty while the total is unknown", () => {
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
        const shown = progressBar(progressLine(progress, "files", steady(12)), progress, width);
        expect(shown.length).to.be.below(width);
      }),
      { seed: 4, examples: [[1, 0, 0]] },
    );
  });
});

const PROGRESS = { done: 10, total: 100, totalIsFinal: true, failed: 0 };
const CLEAR = "\r\u001B[2K";

/** Keeps what is written, and tells of it. */
class Screen extends EventEmitter {
  readonly isTTY: boolean;
  readonly columns: number;
  text = "";

  constructor(isTTY: boolean, columns = 70) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
    this.emit("written");
  }
}

describe("the display of progress", () => {
  let display: ProgressDisplay;
  afterEach(() => display.close());

  it("rewrites one line on a terminal, below other lines", async () => {
    const screen = new Screen(true);
    display = new ProgressDisplay(screen, { unit: "files", intervalMs: 1 });
    display.update(PROGRESS);
    await once(screen, "written");
    const bar = `${CLEAR}[####------------------------------------] 10 of 100 files`;
    expect(screen.text).to.equal(bar);
    display.say("One thing.");
    expect(screen.text.startsWith(`${bar}`)).to.equal(true);
    expect(screen.text).to.include(`${CLEAR}One thing.\n${bar}`);
    display.close();
    expect(screen.text.endsWith(CLEAR)).to.equal(true);
  });

  it("writes plain lines elsewhere", async () => {
    const screen = new Screen(false);
    display = new ProgressDisplay(screen, { unit: "files", intervalMs: 1 });
    display.say("One thing.");
    display.update(PROGRESS);
    await once(screen, "written");
    display.close();
    expect(screen.text).to.match(/^One thing\.\n(10 of 100 files\n)+$/);
  });

  it("shows nothing before the work begins, nor after the end", () => {
    const screen = new Screen(true);
    display = new ProgressDisplay(screen, { unit: "files" });
    display.say("Starting.");
    display.close();
    display.say("Ended.");
    expect(screen.text).to.equal(`${CLEAR}Starting.\n${CLEAR}Ended.\n`);
  });

  describe("with a clock", () => {
    let now: number;
    let screen: Screen;

    beforeEach(() => {
      now = 0;
      screen = new Screen(true, 200);
      display = new ProgressDisplay(screen, { unit: "files", now: () => now });
    });

    /** What it shows at a time, in seconds, when so many are done. */
    function shownAt(seconds: number, done: number, total = 1_000): string {
      now = seconds * 1000;
      display.update({ ...PROGRESS, done, total });
      screen.text = "";
      display.say("");
      return screen.text;
    }

    it("shows the rate of the last 30 seconds, and the time left once it is steady", () => {
      shownAt(0, 0);
      expect(shownAt(0.5, 5)).not.to.include("a second");
      expect(shownAt(5, 50)).to.match(/ 10 a second$/);
      for (let second = 6; second < 40; second++) shownAt(second, 10 * second);
      expect(shownAt(40, 400)).to.match(/ 10 a second, about 1 min left$/);
      for (let second = 41; second < 80; second++) shownAt(second, 400 + 12 * (second - 40));
      expect(shownAt(80, 880)).to.match(/ 12 a second, under a minute left$/);
    });

    it("shows an even rate where the count grows by batches, also between them", () => {
      const shown: string[] = [];
      for (let second = 0; second <= 600; second++)
        shown.push(shownAt(second, 100 * Math.floor(second / 40), 10_000));
      const later = shown.slice(200);
      expect(
        later.filter((line) => !/ 2\.[4-6] a second, about (5\d|6\d) min left$/.test(line)),
      ).to.deep.equal([]);
    });

    it("shows no time left after a leap, as over files that are there already, until the rate is steady again", () => {
      for (let second = 0; second <= 10; second++) shownAt(second, 200 * second, 10_000);
      for (let second = 11; second < 15; second++) shownAt(second, 2_000 + 5 * (second - 10), 10_000);
      for (let second = 15; second <= 25; second++)
        expect(shownAt(second, 2_000 + 5 * (second - 10), 10_000), `${second} s`).not.to.include("left");
      for (let second = 26; second <= 50; second++) shownAt(second, 2_000 + 5 * (second - 10), 10_000);
      expect(shownAt(51, 2_205, 10_000)).to.match(/ 5\.0 a second, about 26 min left$/);
    });

    it("shows a falling rate, then none, while nothing more is done", () => {
      for (let second = 0; second <= 40; second++) shownAt(second, 10 * second);
      expect(shownAt(100, 400)).not.to.include(" 10 a second").and.not.to.include("left");
      expect(shownAt(1_000_000, 400)).to.match(/400 of 1,000 files$/);
    });

    it("keeps the rate once all is done", () => {
      for (let second = 0; second <= 10; second++) shownAt(second, 10 * second, 100);
      expect(shownAt(60, 100, 100)).to.match(/100 of 100 files, 10 a second$/);
    });

    it("shows the rate of a count that began anew", () => {
      shownAt(0, 0);
      expect(shownAt(10, 100)).to.include(" 10 a second");
      shownAt(11, 0);
      expect(shownAt(15, 50)).to.include(" 13 a second");
    });
  });

  it("shows no rate if it is switched off", async () => {
    let atMs = 0;
    const screen = new Screen(false);
    display = new ProgressDisplay(screen, {
      unit: "files",
      showsRate: false,
      intervalMs: 1,
      now: () => atMs,
    });
    display.update({ ...PROGRESS, done: 0 });
    atMs = 10_000;
    display.update(PROGRESS);
    await once(screen, "written");
    expect(screen.text).to.equal("10 of 100 files\n");
  });

  it("clears the terminal for other output, and comes back", async () => {
    const screen = new Screen(true);
    display = new ProgressDisplay(screen, { unit: "files", intervalMs: 1 });
    display.clear();
    expect(screen.text).to.equal("");
    display.update(PROGRESS);
    await once(screen, "written");
    display.clear();
    expect(screen.text.endsWith(CLEAR)).to.equal(true);
    await once(screen, "written");
    expect(screen.text.endsWith("10 of 100 files")).to.equal(true);
  });
});
