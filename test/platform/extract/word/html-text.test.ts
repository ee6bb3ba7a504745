import { expect } from "chai";
import fc from "fast-check";

import { decodeHtml, readHtmlText } from "../../../../src/platform/extract/word/html-text.ts";

describe("readHtmlText", () => {
  it("reads blocks, line breaks and cells, and leaves out what a browser does not show", () => {
    const html =
      "<!DOCTYPE html>\n<html><head><title>no</title><style>p > b {}</style></head><body><h1>Head</h1>\n<p>one\n  <b>tw</b>o<br>three</p><script>if (a<b) no()</script><!-- no --><table><tr><td>A1<td>A2</tr></table></body></html>";
    expect(readHtmlText(html)).to.equal("Head\n\none two\nthree\n\nA1\n\nA2");
  });

  it("reads pages with errors, fragments and Word's own marks", () => {
    expect(readHtmlText("<p>one<p>two <b>and <i>more</b> </i><ul><li>a<li>b</ul>tail")).to.equal(
      "one\n\ntwo and more\n\na\n\nb\n\ntail",
    );
    expect(readHtmlText("<![if !vml]>kept<![endif]><o:p>&nbsp;too</o:p>")).to.equal("kept\u00a0too");
    expect(
      readHtmlText('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p/>x</html>'),
    ).to.equal("x");
    expect(readHtmlText("")).to.equal("");
  });

  it("resolves references, and takes a stray < or & for text", () => {
    expect(readHtmlText("caf&eacute; &#8220;x&#x201D; 3 < 4 & AT&T")).to.equal("café “x” 3 < 4 & AT&T");
  });

  it("keeps each word of any text in any nesting, in order", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const tag = fc.constantFrom("p", "div", "b", "li", "td", "span", "h2");
    const piece = fc.letrec<{ piece: string }>((tie) => ({
      piece: fc.oneof(
        { depthSize: "small" },
        word,
        fc.tuple(tag, fc.array(tie("piece"))).map(([name, inner]) => `<${name}>${inner.join(" ")}</${name}>`),
      ),
    })).piece;
    fc.assert(
      fc.property(piece, (html) => {
        const words = html.replace(/<[^>]*>/g, " ").match(/[a-z]+/g) ?? [];
        expect(readHtmlText(html).match(/[a-z]+/g) ?? []).to.deep.equal(words);
      }),
      { seed: 23, numRuns: 200 },
    );
  });
});

describe("decodeHtml", () => {
  it("takes the encoding that is given, the one that the page names, or that of a text file", () => {
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]); // windows-1251
    const named = Buffer.concat([
      Buffer.from('<meta http-equiv="x" content="text/html; charset=windows-1251">'),
      cyrillic,
    ]);
    expect(decodeHtml(cyrillic, "windows-1251")).to.equal("Привет");
    expect(decodeHtml(named)).to.match(/Привет$/);
    expect(decodeHtml(Buffer.from("Привет"))).to.equal("Привет");
    expect(decodeHtml(Buffer.from('<meta charset="none-such">Привет'))).to.match(/Привет$/);
  });
});
