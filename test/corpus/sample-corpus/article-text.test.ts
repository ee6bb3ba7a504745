import { expect } from "chai";
import { articleText, decodeEntities } from "../../../src/corpus/sample-corpus/article-text.ts";

const text = (wikitext: string) => articleText("Lighthouse", wikitext);

/** Long enough that the paragraph stays. */
const PLAIN = "A lighthouse shows ships where the coast is, and it has done so for a long time.";

describe("the prose of an article", () => {
  it("keeps paragraphs apart by one empty line and drops headings", () => {
    expect(text(`${PLAIN}\n\n== History ==\n${PLAIN}\n\n\n\n=== Towers ===\n\n${PLAIN}`)).to.equal(
      [PLAIN, PLAIN, PLAIN].join("\n\n"),
    );
  });

  it("shows links, bold and italic words as plain text", () => {
    const wikitext =
      "A '''lighthouse''' shows [[ship]]s where the [[coast (land)|coast]] is, and it has ''done'' so for a [http://example.org/ long time].";
    expect(text(wikitext)).to.equal(PLAIN);
  });

  it("removes templates, tables, images, notes, comments, category and language links", () => {
    const wikitext = [
      "{{Infobox building\n| name = Pharos\n| height = {{convert|100|m}}\n}}",
      '{| class="wikitable"\n! Tower\n|-\n| Pharos || 100 m\n{| inner\n| x\n|}\n|}',
      "[[Image:Pharos.jpg|thumb|right|The [[Pharos]] as it may have looked.]]",
      `${PLAIN.slice(0, -1)}<ref>Smith, ''Towers'', p. 3.</ref>.<!-- more to come -->{{fact}}`,
      "",
      "[[Category:Towers]]\n[[de:Leuchtturm]]\n[[zh-min-nan:Teng-tah]]",
    ].join("\n");
    expect(text(wikitext)).to.equal(PLAIN);
  });

  it("removes lists, indented and preformatted lines, which end a paragraph", () => {
    const wikitext = `${PLAIN}\n* first item of a list, long enough to pass for a paragraph of its own.\n# second\n: an indented remark that is long enough to pass for a paragraph, too.\n code (a, b)\n${PLAIN}`;
    expect(text(wikitext)).to.equal(`${PLAIN}\n\n${PLAIN}`);
  });

  it("removes source sections with their subsections, and continues after them", () => {
    const wikitext = `${PLAIN}\n== References ==\nSmith wrote a book on towers that stand near the sea, in the year 1999.\n=== Online ===\nJones wrote another one of the same kind, which can be read on a screen.\n== Keepers ==\n${PLAIN}`;
    expect(text(wikitext)).to.equal(`${PLAIN}\n\n${PLAIN}`);
  });

  it("decodes entities, including doubly escaped ones", () => {
    expect(text(`${PLAIN} It burns from 5&nbsp;&deg;C &amp;ndash; or less &mdash; upwards.`)).to.equal(
      `${PLAIN} It burns from 5 °C – or less — upwards.`,
    );
  });

  it("keeps the text of templates for foreign words and closes the gaps of the others", () => {
    const wikitext = `The '''Pharos''' ({{polytonic|Φάρος}}, {{IPA|/ˈfɑːrɒs/}}; {{audio|x.ogg}}) ({{coor dm|31|N}}) was high , and {{lang|la|turris}} is a tower.`;
    expect(text(wikitext)).to.equal("The Pharos (Φάρος, /ˈfɑːrɒs/) was high, and turris is a tower.");
  });

  it("keeps indices and possessives beside italic words", () => {
    expect(text(`${PLAIN} The lamps ''x''<sub>''n''</sub> stand in ''Pharos'''s room.`)).to.equal(
      `${PLAIN} The lamps xn stand in Pharos's room.`,
    );
  });

  it("cuts the words that introduce a removed list", () => {
    expect(text(`${PLAIN} Its parts are the following:\n* lamp\n* stairs`)).to.equal(PLAIN);
  });

  it("drops a paragraph with a formula, an address or broken markup", () => {
    for (const broken of [
      "The range is <math>\\sqrt{2Rh}</math> when the tower has that height above the sea.",
      "The list of all towers is kept at http://example.org/ and is brought up to date each year.",
      "The dissolution of the [[Order of Keepers was followed by a time of unmanned towers.",
      "The tower is known as &bogus; by the people who live around it and by no one else at all.",
      "where the height of the tower is given in metres, and the range in nautical miles.",
    ]) {
      expect(text(`${PLAIN}\n\n${broken}`), broken).to.equal(PLAIN);
    }
  });

  it("is empty when there is no prose", () => {
    expect(text("")).to.equal("");
    expect(text("{{stub}}")).to.equal("");
  });
});

describe("the entities of wikitext", () => {
  it("are replaced by their characters, by name, decimal and hexadecimal number", () => {
    expect(decodeEntities("caf&eacute; &Alpha;&omega; 5&nbsp;&euro; &mdash; &#1488;&#x5d1;")).to.equal(
      "café Αω 5\u00a0€ — אב",
    );
  });

  it("are decoded once per call, so that doubly escaped ones need two", () => {
    expect(decodeEntities("1990&amp;ndash;1995")).to.equal("1990&ndash;1995");
    expect(decodeEntities(decodeEntities("1990&amp;ndash;1995"))).to.equal("1990–1995");
  });

  it("are kept when they are unknown or denote no character", () => {
    for (const text of ["AT&T; and R&B", "&bogus;", "&#0;", "&#xd800;", "&#9999999;", "&#150;"]) {
      expect(decodeEntities(text)).to.equal(text);
    }
  });

  it("are decoded in every block of named entities", () => {
    expect(
      decodeEntities("&nbsp;&iquest;&Agrave;&szlig;&agrave;&yuml;&Omega;&sigmaf;&omega;&larr;&hArr;"),
    ).to.equal("\u00a0¿Àßàÿ\u03a9ςω←⇔");
  });
});
