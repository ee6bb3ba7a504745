import { expect } from "chai";
import fc from "fast-check";
import {
  CHUNK_WORDS_LEAST,
  CHUNK_WORDS_MAX,
  CHUNK_WORDS_TAIL,
  type Chunk,
  chunkText,
} from "../../src/text/chunk.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { PIECES } from "./sample-texts.ts";

/** Texts of sentences of 1 to 260 words. */
const prose = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 260 }), fc.constantFrom(". ", "! ", ".\n\n", "\n* * *\n\n")), {
    maxLength: 20,
  })
  .map((parts) => parts.map(([words, end]) => `${"Word ".repeat(words).trimEnd()}${end}`).join(""));

const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 800 }).map((parts) => parts.join(""));

describe("chunks", () => {
  it("cover the text and its words from end to end, in order", () => {
    fc.assert(
      fc.property(fc.oneof(prose, pieces), (text) => {
        const { chunks, tokens } = chunk(text);
        let at = 0;
        let word = 0;
        for (const [index, { start, end, firstWord, endWord, ...rest }] of chunks.entries()) {
          expect({ start, firstWord, ...rest }).to.deep.equal({ start: at, firstWord: word, index });
          expect(endWord).to.be.above(firstWord);
          expect(tokens.starts[firstWord]).to.be.at.least(start);
          expect(tokens.ends[endWord - 1]).to.be.at.most(end);
          at = end;
          word = endWord;
        }
        expect(word).to.equal(tokens.words.length);
        expect(at).to.equal(chunks.length === 0 ? 0 : text.length);
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  it("have 100 to 200 words; only the last one may be shorter or include a short rest", () => {
    fc.assert(
      fc.property(prose, (text) => {
        const { chunks } = chunk(text);
        for (const [index, size] of chunks.map(words).entries()) {
          const last = index === chunks.length - 1;
          expect(size).to.be.below(CHUNK_WORDS_MAX + (last ? CHUNK_WORDS_TAIL : 1));
          if (!last) expect(size).to.be.at.least(CHUNK_WORDS_LEAST);
          else if (index > 0) expect(size).to.be.at.least(CHUNK_WORDS_TAIL);
        }
      }),
      { seed: 13 },
    );
  });

  it("end with a sentence", () => {
    const sentence = "Seven words are what this sentence has. ";
    const { chunks, text } = chunk(sentence.repeat(100));
    expect(chunks.map(words)).to.deep.equal([196, 196, 196, 112]);
    for (const { start, end } of chunks) expect(text.slice(start, end)).to.match(/^Seven .* has\. $/);
  });

  it("cut a very long sentence between words", () => {
    const { chunks, text } = chunk(`${"word ".repeat(500)}end.`);
    expect(chunks.map(words)).to.deep.equal([200, 200, 101]);
    expect(text.slice(chunks[1]?.start)).to.match(/^word /);
  });

  it("give a short rest to the chunk before it", () => {
    expect(chunk("Four words a sentence. ".repeat(55)).chunks.map(words)).to.deep.equal([220]);
  });

  it("do not exist for a text without words", () => {
    for (const text of ["", "  \n", "* * *", "👍", "\u200b"]) expect(chunk(text).chunks).to.deep.equal([]);
  });

  it("are the same for the same text", () => {
    fc.assert(
      fc.property(pieces, (text) => {
        expect(chunk(text).chunks).to.deep.equal(chunk(text).chunks);
      }),
      { seed: 14, numRuns: 30 },
    );
  });

  it("cut Chinese by its own sentences and words", () => {
    const { chunks, text } = chunk("我们今天去北京大学参加会议。".repeat(60), "zh");
    expect(chunks.length).to.be.above(1);
    for (const { start, end } of chunks) expect(text.slice(start, end)).to.match(/^我们.*。$/);
  });
});

function chunk(text: string, language = "en") {
  const tokens = tokenise(text, language);
  return { text, tokens, chunks: chunkText(text, tokens, language) };
}

function words({ firstWord, endWord }: Chunk): number {
  return endWord - firstWord;
}
