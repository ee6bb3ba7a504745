import { expect } from "chai";
import { textTable } from "../../../src/platform/terminal/terminal-text.ts";

describe("a table of text", () => {
  it("aligns its columns, and leaves the last as it is", () => {
    expect(
      textTable([
        ["a.txt", "It is empty."],
        ["further/down.pdf", "It is damaged."],
      ]),
    ).to.deep.equal(["a.txt             It is empty.", "further/down.pdf  It is damaged."]);
  });

  it("lets one long cell stand out instead of pushing all others aside", () => {
    const [first, second] = textTable([
      ["x".repeat(90), "long"],
      ["short", "plain"],
    ]);
    expect(first).to.equal(`${"x".repeat(90)}  long`);
    expect(second).to.equal(`${"short".padEnd(60)}  plain`);
  });

  it("shows line ends, terminal commands and direction marks of a name instead of obeying them", () => {
    expect(textTable([["a\nb\u001B[2J\u202Etxt.pdf"]])).to.deep.equal(["a\\u{a}b\\u{1b}[2J\\u{202e}txt.pdf"]);
  });

  it("of nothing is nothing", () => {
    expect(textTable([])).to.deep.equal([]);
  });
});
