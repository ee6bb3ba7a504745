import { expect } from "chai";
import type { PeerFigures } from "../../../../measure/benchmark/peers/peer-figures.ts";
import { readProgramLine } from "../../../../measure/benchmark/peers/peer-program.ts";
import { peerTable } from "../../../../measure/benchmark/peers/peer-table.ts";
import { simTextRuns } from "../../../../measure/benchmark/peers/sim-text.ts";

describe("what the peers print", () => {
  it("reads the runs of sim_text, and nothing else of what it prints", () => {
    const output = `Total input: 3231 files (1 new, 3230 old), 2405383 words

/tmp/queries/suspicious-document00005.txt: line 30-35|/tmp/sources/source-document01090.txt: line 8-9[108]

/tmp/queries/suspicious-document00005.txt: line 75-75|/tmp/sources/source: line 2.txt: line 23-23[10]

`;
    const file = "/tmp/queries/suspicious-document00005.txt";
    expect(simTextRuns(output)).to.deep.equal([
      { file, firstLine: 30, lastLine: 35, sourceFile: "/tmp/sources/source-document01090.txt", words: 108 },
      { file, firstLine: 75, lastLine: 75, sourceFile: "/tmp/sources/source: line 2.txt", words: 10 },
    ]);
  });

  it("reads the answers of the programs, and passes over the line that says that the sources are loaded", () => {
    const line =
      '{"event": "answer", "query": "suspicious-document00005.txt", "seconds": 0.0031, ' +
      '"found": [{"source": "source-document01090.txt", "spans": [[812, 1103], [1240, 1391]]}]}';
    expect(readProgramLine('{"event": "loaded"}')).to.equal(undefined);
    expect(readProgramLine(line)).to.deep.equal({
      queryName: "suspicious-document00005.txt",
      seconds: 0.0031,
      found: new Map([
        [
          "source-document01090.txt",
          [
            { start: 812, end: 1103 },
            { start: 1240, end: 1391 },
          ],
        ],
      ]),
    });
  });

  it("refuses what is no such line", () => {
    expect(() => readProgramLine('{"event": "answer", "query": "a"}')).to.throw(/seconds/);
    expect(() => readProgramLine("Traceback (most recent call last):")).to.throw(SyntaxError);
  });
});

describe("the table of peers", () => {
  const ours: PeerFigures = {
    name: "ours",
    fromScratchSeconds: 20,
    warmSeconds: 0.2,
    classes: [{ className: "verbatim", sources: 10, foundSources: 9 }],
    charsFound: 0.9,
    charsRight: 0.95,
    falseSources: 0,
  };

  it("marks what is better than ours, says where there is no index, and names what did not run", () => {
    const classes = [{ className: "verbatim", sources: 10, foundSources: 10 }];
    const quick = { ...ours, name: "quick", fromScratchSeconds: 1, warmSeconds: undefined };
    const thorough = { ...ours, name: "thorough", warmSeconds: 2, falseSources: 3, classes };
    const missing = { name: "missing", reason: "not installed" };
    const lines = peerTable(ours, [quick, thorough, missing]).map((line) => line.replaceAll(/ +/g, " "));
    expect(lines.slice(2)).to.deep.equal([
      "quick 1.0 s* 0.050 no index 9/10 90% 95% 0.0 ",
      "thorough 20.0 s 1.0 2.0 s 10 10/10* 90% 95% 3.0 ",
      "missing: not installed",
    ]);
  });
});
