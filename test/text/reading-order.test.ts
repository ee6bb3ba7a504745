import { expect } from "chai";
import fc from "fast-check";
import { readingOrder } from "../../src/text/reading-order.ts";

const RLO = "\u202e";
const LRO = "\u202d";
const RLE = "\u202b";
const PDF = "\u202c";
const LRI = "\u2066";
const RLI = "\u2067";
const PDI = "\u2069";

function reversed(text: string): string {
  return Array.from(text.matchAll(/\P{M}\p{M}*/gu), ([cluster]) => cluster)
    .reverse()
    .join("");
}

/** As stored, and as read. */
const TEXTS: Readonly<Record<string, readonly [stored: string, read: string]>> = {
  "an override of a part of a line": [
    `so ${RLO}${reversed("copied text")}${PDF} here`,
    "so copied text here",
  ],
  "an override of each word": [`${RLO}deipoc${PDF} ${RLO}txet${PDF}`, "copied text"],
  "overrides that end with their line": [`${RLO}eno enil\n${RLO}owt enil`, "line one\nline two"],
  "marks, which stay on their letters": [`${RLO}${reversed("cafe\u0301")}${PDF}`, "cafe\u0301"],
  "surrogate pairs": [`${RLO}b\u{1d41a}${PDF}`, "\u{1d41a}b"],
  "an override in an override": [`${RLO}${RLO}desrever${PDF} si${PDF}`, "is reversed"],
  "isolates in an override": [`${RLO}${LRI}text${PDI} ${LRI}copied${PDI}${PDF}`, "copied text"],
  "isolates in a right-to-left isolate": [`${RLI}${LRI}text${PDI} ${LRI}copied${PDI}${PDI}`, "copied text"],
  "Latin text in a right-to-left embedding": [`${RLE}copied text${PDF}`, "copied text"],
  "Hebrew in its own direction": [`${RLO}שלום עולם${PDF}`, "שלום עולם"],
  "Hebrew from left to right": [`${LRO}${reversed("שלום עולם")}${PDF}`, "שלום עולם"],
  "controls scattered over a legible text": [`the co${RLO}py of ${RLI}the text`, "the copy of the text"],
  "controls without a partner": [`${PDF}a ${PDI}b`, "a b"],
};

const CONTROL = /[\u2060\u202a-\u202e\u2066-\u2069]/;
const CONTROLS = new RegExp(CONTROL, "g");

describe("reading order", () => {
  for (const [what, [stored, read]] of Object.entries(TEXTS)) {
    it(`restores ${what}`, () => {
      const { text } = readingOrder(stored);
      expect(text.replace(CONTROLS, "")).to.equal(read);
      expect(text).to.have.lengthOf(stored.length);
    });
  }

  it("gives a span that holds a part of a moved line the longest of its places, and no text between them", () => {
    const beside = "one copied sentence stands before";
    const moved = `${"and a copy that begins the line"} ${"followed by words that nobody copied ".repeat(50)}`;
    const stored = `${beside}\n${RLO}${reversed(moved)}\n${beside}`;
    const { text, toSubmitted } = readingOrder(stored);
    const spanOf = (from: string, to: string) => ({
      start: text.indexOf(from),
      end: text.indexOf(to) + to.length,
    });
    const { start, end } = toSubmitted(spanOf("one copied", "begins"));
    expect(stored.slice(start, end)).to.equal(`${beside}\n`);
    const inside = toSubmitted(spanOf("and a copy", "the line"));
    expect(stored.slice(inside.start, inside.end)).to.equal(reversed("and a copy that begins the line"));
    expect(toSubmitted({ start: 0, end: text.length })).to.deep.equal({ start: 0, end: stored.length });
  });

  const anyText = fc
    .array(
      fc.constantFrom(
        RLO,
        LRO,
        RLE,
        PDF,
        LRI,
        RLI,
        PDI,
        "a",
        "bc",
        " ",
        "the ",
        "\u0301",
        "ש",
        "\u{1d41a}",
        "\n",
        ".",
      ),
    )
    .map((pieces) => pieces.join(""));

  it("moves characters within their line only, and finds each of them again", () => {
    fc.assert(
      fc.property(anyText, (stored) => {
        const { text, toSubmitted } = readingOrder(stored);
        const places = Array.from(text, (_, at) => at).map((at) => toSubmitted({ start: at, end: at + 1 }));
        for (const [at, { start, end }] of places.entries()) {
          expect(end).to.equal(start + 1);
          const [is, was] = [text.charAt(at), stored.charAt(start)];
          if (is === "\u2060") expect(was).to.match(CONTROL);
          else expect(is).to.equal(was);
        }
        expect(toSubmitted({ start: 0, end: text.length })).to.deep.equal({ start: 0, end: stored.length });
      }),
      { seed: 12, numRuns: 500 },
    );
  });

  it("stays as it is once restored", () => {
    fc.assert(
      fc.property(anyText, (stored) => {
        const { text } = readingOrder(stored);
        expect(readingOrder(text).text).to.equal(text);
      }),
      { seed: 13, numRuns: 500 },
    );
  });

  it("is found in the longest texts, however deep the controls are nested", () => {
    for (const unit of [RLO, `${RLO}a${PDF}`, `${RLI}a`, `${RLO}${RLI}${LRI}`]) {
      const stored = unit.repeat(500_000 / unit.length);
      expect(readingOrder(stored).text).to.have.lengthOf(stored.length);
    }
  });
});
