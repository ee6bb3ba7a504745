import { expect } from "chai";
import { decodeEntities } from "../../../../src/corpus/sample-corpus/wikitext/decode-entities.ts";

describe("the entities of wikitext", () => {
  it("become the characters that they name, by name, decimal and hexadecimal number", () => {
    expect(decodeEntities("caf&eacute; &Alpha;&omega; 5&nbsp;&euro; &mdash; &#1488;&#x5d1;")).to.equal(
      "café Αω 5\u00a0€ — אב",
    );
  });

  it("are decoded once a call, so that doubly escaped ones need two", () => {
    expect(decodeEntities("1990&amp;ndash;1995")).to.equal("1990&ndash;1995");
    expect(decodeEntities(decodeEntities("1990&amp;ndash;1995"))).to.equal("1990–1995");
  });

  it("stay as they are when they are unknown or name no character", () => {
    for (const text of ["AT&T; and R&B", "&bogus;", "&#0;", "&#xd800;", "&#9999999;", "&#150;"]) {
      expect(decodeEntities(text)).to.equal(text);
    }
  });

  it("give the right character at both ends of every consecutive run of names", () => {
    expect(
      decodeEntities("&nbsp;&iquest;&Agrave;&szlig;&agrave;&yuml;&Omega;&sigmaf;&omega;&larr;&hArr;"),
    ).to.equal("\u00a0¿Àßàÿ\u03a9ςω←⇔");
  });
});
