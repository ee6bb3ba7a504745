import { expect } from "chai";
import fc from "fast-check";

import {
  decodeXml,
  escapeXml,
  readAttributes,
  unescapeXml,
} from "../../../../src/platform/extract/word/xml-text.ts";

describe("XML text", () => {
  it("is the same after escaping and unescaping", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(unescapeXml(escapeXml(text))).to.equal(text);
        expect(escapeXml(text)).not.to.match(/[<>]/);
      }),
      { seed: 29 },
    );
  });

  it("resolves numbers and the five names, and keeps what it does not know", () => {
    expect(unescapeXml("&#233;&#x1F600;&quot;&apos;&nbsp;&#x110000;&amp;lt;")).to.equal(
      "é😀\"'&nbsp;&#x110000;&lt;",
    );
  });

  it("gives attributes by their names without prefixes, in either kind of quotation marks", () => {
    const attributes = readAttributes(`<a:b r:id="x > y" Target = 'p&amp;q' empty="">`);
    expect([...attributes]).to.deep.equal([
      ["id", "x > y"],
      ["Target", "p&q"],
      ["empty", ""],
    ]);
  });

  it("decodes UTF-8 and UTF-16 with their marks", () => {
    const text = "<a>é</a>";
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      utf16,
      Buffer.from(utf16).swap16(),
    ]) {
      expect(decodeXml(bytes)).to.equal(text);
    }
  });
});
