import { expect } from "chai";
import fc from "fast-check";

import { decodeHtml, readHtml, readWebArchive } from "../../../src/extract/word/embedded-files.ts";

describe("readHtml", () => {
  it("reads blocks, line breaks and cells, and leaves out what a browser does not show", () => {
    const html =
      "<!DOCTYPE html>\n<html><head><title>no</title><style>p > b {}</style></head><body><h1>Head</h1>\n<p>one\n  <b>tw</b>o<br>three</p><script>if (a<b) no()</script><!-- no --><table><tr><td>A1<td>A2</tr></table></body></html>";
    expect(readHtml(html)).to.equal("Head\n\none two\nthree\n\nA1\n\nA2");
  });

  it("reads pages with errors, fragments and Word's own marks", () => {
    expect(readHtml("<p>one<p>two <b>and <i>more</b> </i><ul><li>a<li>b</ul>tail")).to.equal(
      "one\n\ntwo and more\n\na\n\nb\n\ntail",
    );
    expect(readHtml("<![if !vml]>kept<![endif]><o:p>&nbsp;too</o:p>")).to.equal("kept\u00a0too");
    expect(readHtml('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p/>x</html>')).to.equal(
      "x",
    );
    expect(readHtml("")).to.equal("");
  });

  it("resolves references, and takes a stray < or & for text", () => {
    expect(readHtml("caf&eacute; &#8220;x&#x201D; 3 < 4 & AT&T")).to.equal("café “x” 3 < 4 & AT&T");
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
        expect(readHtml(html).match(/[a-z]+/g) ?? []).to.deep.equal(words);
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

/** Parts as mail programs write them, with the given boundary. */
function multipart(boundary: string, ...parts: readonly string[]): string {
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  return `MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html"; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

function page(encoding: string, body: string): string {
  return `Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Location: file:///a.htm\r\n\r\n${body}`;
}

const PICTURE = "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=";

describe("readWebArchive", () => {
  it("finds the page among the parts, in any transfer encoding", () => {
    const html = "<p>caf\u00e9 = bar</p>";
    const bodies = {
      "quoted-printable": "<p>caf=C3=A9 =3D =\r\nbar</p>",
      base64: Buffer.from(html).toString("base64"),
      "8bit": Buffer.from(html).toString("latin1"),
    };
    for (const [encoding, body] of Object.entries(bodies)) {
      const archive = multipart("----=_b.1", PICTURE, page(encoding, body));
      expect(readWebArchive(Buffer.from(archive, "latin1"))).to.equal("café = bar");
    }
  });

  it("finds a page in a list inside the list, and one that stands alone", () => {
    const inner = multipart("inner", page("8bit", "<p>x</p>")).replace("MIME-Version: 1.0\r\n", "");
    expect(readWebArchive(Buffer.from(multipart("outer", PICTURE, inner)))).to.equal("x");
    expect(readWebArchive(Buffer.from(page("8bit", "<p>x</p>")))).to.equal("x");
  });

  it("finds none where there is none", () => {
    for (const archive of ["", "text", multipart("b", PICTURE), multipart("b")]) {
      expect(readWebArchive(Buffer.from(archive))).to.equal(undefined);
    }
  });
});
