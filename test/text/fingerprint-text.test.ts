import { expect } from "chai";
import { chunkText } from "../../src/text/chunk.ts";
import { codePointLength } from "../../src/text/code-points.ts";
import { fingerprintForm } from "../../src/text/fingerprint-form.ts";
import {
  type FingerprintedChunk,
  fingerprintText,
  PART_LENGTH_MAX,
} from "../../src/text/fingerprint-text.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { prose } from "../support/work/prose.ts";

describe("the fingerprint of a text", () => {
  it("consists of its chunks, for every text that can be checked", () => {
    const text = prose(1, 3_000);
    const tokens = tokenise(text, "en");
    const expected = chunkText(text, tokens, "en").map((chunk) => ({
      index: chunk.index,
      start: chunk.start,
      end: chunk.end,
      startCodePoint: chunk.start,
      charCount: chunk.end - chunk.start,
      wordCount: chunk.endWord - chunk.firstWord,
      form: fingerprintForm(tokens.words.slice(chunk.firstWord, chunk.endWord)),
    }));
    expect(fingerprintText(text, "en")).to.deep.equal(expected);
  });

  it("has no chunks without words", () => {
    expect(fingerprintText("", "en")).to.deep.equal([]);
    expect(fingerprintText("… 😀 !", "en")).to.deep.equal([]);
  });

  const paragraph = `${prose(2, 120)}\n\n`;
  const long: Record<string, string> = {
    "prose in paragraphs": paragraph.repeat(Math.ceil((2.5 * PART_LENGTH_MAX) / paragraph.length)),
    "one line without a space": "漢字仮名".repeat(PART_LENGTH_MAX / 2),
    "letters beyond the basic plane, shifted by one": `x${"𐌰𐌱".repeat(PART_LENGTH_MAX / 2)}`,
    "a long stretch without a word": `${paragraph}${"… ".repeat(PART_LENGTH_MAX)}${paragraph}`,
    "a stretch without a word at the start": `${"… ".repeat(PART_LENGTH_MAX)}${paragraph}`,
  };
  for (const [name, text] of Object.entries(long)) {
    it(`covers a text of several sections without gaps: ${name}`, function () {
      this.timeout(120_000);
      const chunks = fingerprintText(text, "ja");
      expect(chunks[0]?.start).to.equal(0);
      expect(chunks.at(-1)?.end).to.equal(text.length);
      expect(chunks.map((chunk) => chunk.index)).to.deep.equal([...chunks.keys()]);
      const gaps = chunks.filter((chunk, at) => at > 0 && chunk.start !== chunks[at - 1]?.end);
      expect(gaps).to.deep.equal([]);
      for (const chunk of someOf(chunks)) {
        expect(chunk.startCodePoint).to.equal(codePointLength(text.slice(0, chunk.start)));
        const { words } = tokenise(text.slice(chunk.start, chunk.end), "ja");
        expect(firstWords(fingerprintForm(words))).to.deep.equal(firstWords(chunk.form));
      }
    });
  }
});

/** The first, the last, and one in 400 between. */
function someOf(chunks: readonly FingerprintedChunk[]): FingerprintedChunk[] {
  return chunks.filter((_, at) => at % 400 === 0 || at === chunks.length - 1);
}

function firstWords(form: string): string[] {
  return form.split(" ").slice(0, 3);
}
