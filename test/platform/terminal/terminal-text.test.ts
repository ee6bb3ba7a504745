import { expect } from "chai";
import fc from "fast-check";
import {
  columnsOf,
  fitColumns,
  padColumns,
  styleFor,
  textTable,
  visibleJson,
  visibleText,
} from "../../../src/platform/terminal/terminal-text.ts";

const DANGEROUS = "a\u001B[2J\u0007\u009B31m\u202Eb\u2028c\td\n";

describe("text that is safe for a terminal", () => {
  it("escapes control characters", () => {
    expect(visibleText(DANGEROUS)).to.equal("a\\u{1b}[2J\\u{7}\\u{9b}31m\\u{202e}b\\u{2028}c\\u{9}d\\u{a}");
  });

  it("leaves letters of any script, emoji and combining marks as they are", () => {
    for (const text of ["Füße – “Worte”", "متن عربی", "👩‍👩‍👧", "e\u0301"])
      expect(visibleText(text)).to.equal(text);
  });

  it("is the same value as JSON, without control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = visibleJson({ text: DANGEROUS + text });
        expect(json).not.to.match(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(JSON.parse(json)).to.deep.equal({ text: DANGEROUS + text });
      }),
      { seed: 7 },
    );
  });
});

describe("the columns of a terminal", () => {
  it("are two for wide letters and emoji, and none for combining marks", () => {
    expect(columnsOf("abc")).to.equal(3);
    expect(columnsOf("漢字")).to.equal(4);
    expect(columnsOf("👩‍👩‍👧")).to.equal(2);
    expect(columnsOf("e\u0301")).to.equal(1);
  });

  it("cut a text between graphemes, with an ellipsis for the rest", () => {
    expect(fitColumns("漢字かな", 8)).to.equal("漢字かな");
    expect(fitColumns("漢字かな", 7)).to.equal("漢字か…");
    expect(fitColumns("漢字かな", 6)).to.equal("漢字…");
    expect(fitColumns("a👩‍👩‍👧b", 3)).to.equal("a…");
    expect(fitColumns("ae\u0301i", 2)).to.equal("a…");
    expect(fitColumns("abc", 0)).to.equal("");
  });

  it("are never exceeded, and a text that fits is not changed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, columns) => {
        const fit = fitColumns(text, columns);
        expect(columnsOf(fit)).to.be.at.most(Math.max(columns, 0));
        if (columnsOf(text) <= columns && !fit.endsWith("…")) expect(fit).to.equal(text);
      }),
      { seed: 7 },
    );
  });

  it("are filled up with spaces", () => {
    expect(padColumns("漢", 4)).to.equal("漢  ");
    expect(padColumns("long", 2)).to.equal("long");
  });
});

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

const TERMINAL = { isTTY: true };
const STYLED = "\u001B[1m\u001B[31mx\u001B[39m\u001B[22m";

describe("styles", () => {
  const styled = (stream: { isTTY?: boolean }, environment: Record<string, string>) =>
    styleFor(stream, environment)(["red", "bold"], "x");

  it("are for terminals that have colours", () => {
    expect(styled(TERMINAL, {})).to.equal(STYLED);
    expect(styled({}, {})).to.equal("x");
    expect(styled(TERMINAL, { TERM: "dumb" })).to.equal("x");
  });

  it("are turned off by NO_COLOR, unless it is empty", () => {
    expect(styled(TERMINAL, { NO_COLOR: "1" })).to.equal("x");
    expect(styled(TERMINAL, { NO_COLOR: "" })).to.equal(STYLED);
  });

  it("are turned on anywhere by FORCE_COLOR, and off by its 0", () => {
    expect(styled({}, { FORCE_COLOR: "1", NO_COLOR: "1" })).to.equal(STYLED);
    expect(styled(TERMINAL, { FORCE_COLOR: "0" })).to.equal("x");
  });
});
