import { expect } from "chai";
import fc from "fast-check";

import { decodeText } from "../../src/extract/text/text-file.ts";

const MARK = "\uFEFF";

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

describe("decodeText", () => {
  it("decodes any text, with or without a byte-order mark, and takes only the mark away", () => {
    const sentence = fc.string({ unit: "grapheme" }).map((text) => `Ω ${text.replace(/\p{Cc}/gu, "")}`);
    fc.assert(
      fc.property(sentence, (text) => {
        expect(decodeText(Buffer.from(text))).to.equal(text);
        expect(decodeText(Buffer.from(MARK + text))).to.equal(text);
        expect(decodeText(Buffer.from(MARK + text, "utf16le"))).to.equal(text);
        expect(decodeText(utf16be(MARK + text))).to.equal(text);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it("reads windows-1252 where the bytes are not UTF-8, with its own quotes, dashes and euro sign", () => {
    expect(decodeText(Buffer.from("\x80 \x93caf\xe9\x94 \x97 \x85", "latin1"))).to.equal("€ “café” — …");
  });

  it("keeps UTF-8 that declares itself, though one byte is damaged", () => {
    expect(decodeText(Buffer.from("\xef\xbb\xbf\xc3\xa9 \xff", "latin1"))).to.equal("é \uFFFD");
  });

  it("allows a stray control character, and calls data with many of them no text", () => {
    expect(decodeText(Buffer.from(`${"word ".repeat(100)}\0\0\x01`))).to.be.a("string");
    expect(decodeText(Buffer.from("w\0o\0r\0d\0".repeat(100)))).to.equal(undefined);
    expect(decodeText(Buffer.from(`caf\xe9 word\x01 word\x02 `.repeat(100), "latin1"))).to.equal(undefined);
    expect(decodeText(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(40)]))).to.equal(undefined);
  });

  it("takes UTF-8 with many of them all the same, as a PDF without a usable character table gives", () => {
    const garbled = "words in between \x02\x15\x17 and \x06\x01\0 others\n".repeat(50);
    expect(decodeText(Buffer.from(garbled))).to.equal(garbled);
  });

  it("keeps form feeds and terminal escapes, which text files have", () => {
    const text = "\f\x1b[1mpage\x1b[0m\v\x1a".repeat(20);
    expect(decodeText(Buffer.from(text))).to.equal(text);
  });
});
