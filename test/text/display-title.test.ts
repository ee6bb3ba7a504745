import { expect } from "chai";
import fc from "fast-check";
import { displayTitle, textPreview } from "../../src/text/display-title.ts";

const LONG = "Long before electric lamps were invented, keepers carried buckets of whale oil up the stairs.";

describe("the name of a text", () => {
  it("is its title, exactly as given", () => {
    expect(displayTitle("  Essay \u202e", LONG)).to.equal("  Essay \u202e");
  });

  it("is otherwise the first words, cut between two of them", () => {
    expect(displayTitle(null, LONG)).to.equal("Long before electric lamps were invented, keepers carried…");
    expect(displayTitle(null, "A short text.")).to.equal("A short text.");
    expect(displayTitle(null, `${"word ".repeat(11)}word, more`)).to.equal(`${"word ".repeat(11)}word…`);
  });

  it("cuts between words in scripts without spaces", () => {
    const chinese = displayTitle(null, "灯塔是一座顶部有明亮灯光的塔。".repeat(9));
    expect([...chinese]).to.have.length.within(50, 61);
    expect(chinese).to.match(/^灯塔是一座顶部有明亮灯光的塔。灯塔是.*\p{Script=Han}…$/u);
    expect(displayTitle(null, "灯台は頂上に明るい光がある塔です。")).to.equal(
      "灯台は頂上に明るい光がある塔です。",
    );
  });

  it("cuts a word that is longer than a line", () => {
    expect(displayTitle(null, "🏛".repeat(200))).to.equal(`${"🏛".repeat(60)}…`);
  });

  it("is one line without invisible characters and direction controls", () => {
    expect(displayTitle(null, "\ufeff\r\n\tThe\u200b title\u202e\n\nThe  text ")).to.equal(
      "The title The text",
    );
    expect(displayTitle(null, "می\u200cخواهم")).to.equal("می\u200cخواهم");
    expect(displayTitle(null, "lone \ud800")).to.equal("lone \ufffd");
  });

  it("says so when there is nothing to see at the beginning", () => {
    for (const text of [" ", "\u200b", "\n".repeat(120) + LONG])
      expect(displayTitle(null, text)).to.equal("Untitled");
  });

  it("is the same for a text and its preview, of bounded length and never empty", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const shown = displayTitle(null, text);
        expect(displayTitle(null, textPreview(text))).to.equal(shown);
        expect([...shown]).to.have.length.within(1, 61);
        expect(shown).to.not.match(/[\r\n]/);
      }),
      { seed: 18 },
    );
  });
});
