import { EventEmitter, once } from "node:events";
import { expect } from "chai";
import fc from "fast-check";
import { ProgressDisplay, progressBar, progressLine } from "../../../src/platform/terminal/progress.ts";

const HALF = { done: 1_234, total: 3_230, totalIsFinal: true, failed: 0 };

describe("the progress line", () => {
  it("shows done, total, rate, time left and failures", () => {
    expect(progressLine({ ...HALF, failed: 2 }, "files", 156.4)).to.equal(
      "1,234 of 3,230 files, 156 a second, 0:13 left, 2 failed",
    );
  });

  it("shows slow rates with a decimal, and hours of time left", () => {
    expect(progressLine(HALF, "files", 0.44)).to.equal("1,234 of 3,230 files, 0.4 a second, 1:15:37 left");
  });

  it("shows no time left while the total is unknown, without progress or at the end", () => {
    expect(progressLine({ ...HALF, totalIsFinal: false }, "files", 10)).to.equal(
      "1,234 of 3,230 or more files, 10 a second",
    );
    expect(progressLine(HALF, "files", 0)).to.equal("1,234 of 3,230 files, 0.0 a second");
    expect(progressLine({ ...HALF, done: 3_230 }, "files", 10)).to.equal("3,230 of 3,230 files, 10 a second");
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
        const shown = progressBar(progressLine(progress, "files", 12), progress, width);
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
  readonly columns = 70;
  text = "";

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
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

  it("shows the rate of the last 15 seconds", () => {
    const screen = new Screen(true);
    let now = 0;
    display = new ProgressDisplay(screen, { unit: "files", now: () => now });
    const shownAfter = (seconds: number, done: number) => {
      now += seconds * 1000;
      display.update({ ...PROGRESS, done, total: 1_000 });
      screen.text = "";
      display.say("");
      return screen.text;
    };
    display.update({ ...PROGRESS, done: 0, total: 1_000 });
    expect(shownAfter(0.5, 50)).not.to.include("a second");
    expect(shownAfter(9.5, 100)).to.include(" 10 a second, 1:30 left");
    expect(shownAfter(15, 400)).to.include(" 20 a second, 0:30 left");
  });

  it("shows the rate of a count that began anew", () => {
    const screen = new Screen(true);
    let now = 0;
    display = new ProgressDisplay(screen, { unit: "files", now: () => now });
    const shownAt = (seconds: number, done: number) => {
      now = seconds * 1000;
      display.update({ ...PROGRESS, done });
      screen.text = "";
      display.say("");
      return screen.text;
    };
    shownAt(0, 0);
    expect(shownAt(10, 100)).to.include(" 10 a second");
    shownAt(11, 0);
    expect(shownAt(15, 50)).to.include(" 13 a second, 0:04 left");
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
