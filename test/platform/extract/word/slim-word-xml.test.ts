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
      '<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:br/><w:tab/><w:cr/><w:noBreakHyphen/><w:softHyphen/><w:sym w:font="Symbol" w:char="F061"/><w:fldChar w:fldCharType="end"/><w:footnoteReference w:id="2"/><w:t>&lt;w:b/&gt;</w:t></w:r></w:p>';
    expect(slimWordXml(xml)).to.equal(xml);
  });
});
