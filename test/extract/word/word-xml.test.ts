import { expect } from "chai";
import fc from "fast-check";

import {
  escapeXml,
  readAttributes,
  simplifyWordXml,
  unescapeXml,
  withUsualPrefixes,
} from "../../../src/extract/word/word-xml.ts";

describe("simplifyWordXml", () => {
  it("drops what only says how text looks, and the properties that are empty then", () => {
    const xml =
      '<w:r><w:rPr><w:b/><w:rFonts w:ascii="A > B"/><w:sz w:val="24"/></w:rPr><w:t>word</w:t></w:r>';
    expect(simplifyWordXml(xml.replace(" > ", " "))).to.equal("<w:r><w:t>word</w:t></w:r>");
    expect(simplifyWordXml(xml)).to.equal(
      '<w:r><w:rPr><w:rFonts w:ascii="A > B"/></w:rPr><w:t>word</w:t></w:r>',
    );
  });

  it("keeps all that is text, separates text or marks it as deleted", () => {
    const xml =
      '<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:noBreakHyphen/><w:softHyphen/><w:sym w:font="Symbol" w:char="F061"/><w:fldChar w:fldCharType="end"/><w:footnoteReference w:id="2"/><w:t>&lt;w:b/&gt;</w:t></w:r></w:p>';
    expect(simplifyWordXml(xml)).to.equal(xml);
  });

  it("joins the texts of runs that only their looks divide, with breaks and tabs as characters", () => {
    const xml =
      '<w:r w:rsidR="1"><w:rPr><w:b/></w:rPr><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r> <w:r><w:br w:type="page"/></w:r><w:r><w:cr/><w:t xml:space="preserve"> c</w:t></w:r>';
    expect(simplifyWordXml(xml)).to.equal('<w:r w:rsidR="1"><w:t>a\tb\n\n c</w:t></w:r>');
  });

  it("joins no texts of different paragraphs, nor around a note's mark", () => {
    const xml =
      '<w:p><w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t/></w:r><w:r><w:t>c</w:t></w:r></w:p>';
    expect(simplifyWordXml(xml)).to.equal(xml);
  });
});

describe("withUsualPrefixes", () => {
  const MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

  it("names elements and attributes as usual, whatever prefixes a program chose, and leaves text alone", () => {
    const numbered = `<ns0:p xmlns:ns0="${MAIN}" ns0:id="1"><ns0:t>ns0:t</ns0:t></ns0:p>`;
    expect(withUsualPrefixes(numbered)).to.equal(`<w:p xmlns:ns0="${MAIN}" w:id="1"><w:t>ns0:t</w:t></w:p>`);
    const unprefixed = `<?xml version="1.0"?><p xmlns="${MAIN}"><t>t</t><br/></p>`;
    expect(withUsualPrefixes(unprefixed)).to.equal(
      `<?xml version="1.0"?><w:p xmlns="${MAIN}"><w:t>t</w:t><w:br/></w:p>`,
    );
  });
});

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
});
