import { expect } from "chai";
import fc from "fast-check";
import { analyseSource } from "../../../src/matching/preparation-tasks.ts";
import { alignPacked } from "../../../src/matching/tasks.ts";
import { integrityFlags } from "../../../src/text/integrity.ts";
import { prose } from "../../support/work/prose.ts";

const COPIED = prose(61, 60).slice(0, -1);

function reversed(text: string): string {
  return Array.from(text).reverse().join("");
}

/** A disguise of text without line breaks. */
const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  "each word in an override": (text) => text.replace(/[^ ]+/g, (word) => `\u202e${reversed(word)}\u202c`),
  "each line in an override": (text) =>
    text.replace(/.{1,60}(?: |$)/g, (line) => `\u202e${reversed(line.trimEnd())}\u202c\n`).trimEnd(),
  "all in an override": (text) => `\u202e${reversed(text)}\u202c`,
  "isolated words in a right-to-left isolate": (text) =>
    `\u2067${text
      .split(" ")
      .reverse()
      .map((word) => `\u2066${word}\u2069`)
      .join(" ")}\u2069`,
  "line separators in words": (text) => text.replace(/(?<=\b\w{2})(?=\w{2})/g, "\u2028"),
  "paragraph separators between letters": (text) => text.replace(/(?<=\w)(?=\w)/g, "\u2029"),
  "thin spaces between letters": (text) => text.replace(/(?<=\w)(?=\w)/g, "\u2009"),
};

/** Both texts aligned as a comparison aligns them. */
function align(queryText: string, source: string) {
  const language = "en";
  const { sections } = analyseSource({ text: source, language });
  const whole = { index: 0, start: 0, startCodePoint: 0, end: source.length };
  const [found] = alignPacked({
    ...{ queryKey: queryText, queryText, language, frequentShingles: [], sourcesCompared: 1 },
    documents: [{ documentId: "source", language, chunks: [whole], sections }],
  });
  return found?.passages ?? [];
}

describe("a disguised copy", () => {
  const before = fc.integer({ min: 1, max: 40 }).map((words) => `${prose(62, words)}\n`);
  const after = fc.integer({ min: 1, max: 40 }).map((words) => `\n${prose(63, words)}`);

  for (const [what, disguise] of Object.entries(DISGUISES)) {
    it(`is found where it stands, on either side, and flagged: ${what}`, () => {
      fc.assert(
        fc.property(before, after, (head, tail) => {
          const copy = disguise(COPIED);
          const text = head + copy + tail;
          const plain = `${prose(64, 30)}\n${COPIED}\n${prose(65, 30)}`;
          const [ofText, ...more] = align(text, plain);
          expect(more).to.deep.equal([]);
          expect(text.slice(ofText?.query.start, ofText?.query.end)).to.satisfy(isWhole(copy));
          const [ofPlain] = align(plain, text);
          const { start, end } = ofPlain?.sourceDocument.utf16 ?? {};
          expect(text.slice(start, end)).to.satisfy(isWhole(copy));
          const flags = integrityFlags(text);
          expect(
            flags.every((flag) => flag.end > head.length && flag.start < head.length + copy.length),
          ).to.equal(true);
          expect(flags).to.have.length.above(0);
        }),
        { seed: 61, numRuns: 20 },
      );
    });
  }
});

/** Whether a passage holds all letters of a copy and nothing else: controls at its ends may be missing. */
function isWhole(copy: string): (passage: string) => boolean {
  const bare = (text: string) =>
    text.replace(/^[\s\u202a-\u202e\u2066-\u2069]+|[\s\u202a-\u202e\u2066-\u2069]+$/g, "");
  return (passage) => bare(passage) === bare(copy);
}
