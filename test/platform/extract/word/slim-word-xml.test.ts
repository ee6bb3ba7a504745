import { expect } from "chai";

import { slimWordXml } from "../../../../src/platform/extract/word/slim-word-xml.ts";

describe("slimWordXml", () => {
  it("drops what only says how text looks, and the properties that are empty then", () => {
    const xml =
      '<w:r><w:rPr><w:b/><w:rFonts w:ascii="A > B"/><w:sz w:val="24"/></w:rPr><w:t>word</w:t></w:r>';
    expect(slimWordXml(xml.replace(" > ", " "))).to.equal("<w:r><w:t>word</w:t></w:r>");
    expect(slimWordXml(xml)).to.equal('<w:r><w:rPr><w:rFonts w:ascii="A > B"/></w:rPr><w:t>word</w:t></w:r>');
  });

  it("keeps all that is text, separates text or marks it as deleted", () => {
    const xml =
      '<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:noBreakHyphen/><w:softHyphen/><w:sym w:font="Symbol" w:char="F061"/><w:fldChar w:fldCharType="end"/><w:footnoteReference w:id="2"/><w:t>&lt;w:b/&gt;</w:t></w:r></w:p>';
    expect(slimWordXml(xml)).to.equal(xml);
  });

  it("joins the texts of runs that only their looks divide, with breaks and tabs as characters", () => {
    const xml =
      '<w:r w:rsidR="1"><w:rPr><w:b/></w:rPr><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r> <w:r><w:br w:type="page"/></w:r><w:r><w:cr/><w:t xml:space="preserve"> c</w:t></w:r>';
    expect(slimWordXml(xml)).to.equal('<w:r w:rsidR="1"><w:t>a\tb\n\n c</w:t></w:r>');
  });

  it("joins no texts of different paragraphs, nor around a note's mark", () => {
    const xml =
      '<w:p><w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t/></w:r><w:r><w:t>c</w:t></w:r></w:p>';
    expect(slimWordXml(xml)).to.equal(xml);
  });
});
