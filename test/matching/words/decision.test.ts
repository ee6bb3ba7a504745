import { expect } from "chai";
import { align } from "../../../src/matching/words/align.ts";
import { BARRIER } from "../../../src/matching/words/boundaries.ts";
import { matchedWords, uncoveredCopies, unreportedMatches } from "../../../src/matching/words/decision.ts";
import { prepareQuery, type QueryOptions } from "../../../src/matching/words/text-pair.ts";
import { newWords, pairOf, passageTexts, places, tokenised, wordsText } from "./sample-texts.ts";

function aligned(queryText: string, sourceText: string) {
  const [query, source] = [tokenised(queryText), tokenised(sourceText)];
  const { kept, dropped } = align(prepareQuery(query), source);
  return {
    kept: kept.map((passage) => passageTexts(query, source, passage)),
    places: kept.map((passage) => passage.source.start),
    dropped: dropped.map(({ reason, passage }) => [reason, passageTexts(query, source, passage)[0]]),
    source,
  };
}

describe("the decision", () => {
  const copy = newWords("copy", 12);

  it("reports query text that the source has twice once, and the second place as a duplicate", () => {
    const { places, dropped } = aligned(
      `${newWords("q", 20)} ${copy}`,
      `${copy} ${newWords("s", 20)} ${copy}`,
    );
    expect(places).to.deep.equal([0]);
    expect(dropped).to.deep.equal([["duplicate", copy]]);
  });

  it("reports source text that the query uses twice as two passages, also when side by side", () => {
    for (const between of [" ", ` ${newWords("q", 20)} `]) {
      const { kept } = aligned(`${copy}${between}${copy}`, `${newWords("s", 20)} ${copy}`);
      expect(kept).to.deep.equal([
        [copy, copy],
        [copy, copy],
      ]);
    }
  });

  it("reports passages in the order of the query, wherever they are in the source", () => {
    const [a, b] = [newWords("a", 30), newWords("b", 20)];
    const { kept } = aligned(`${b} ${newWords("q", 40)} ${a}`, `${a} ${newWords("s", 40)} ${b}`);
    expect(kept).to.deep.equal([
      [b, b],
      [a, a],
    ]);
  });

  it("gives each word of the query to one passage at most, even if two passages contain it", () => {
    const [a, b, c] = [newWords("a", 30), newWords("b", 8), newWords("c", 15)];
    const { kept } = aligned(`${a} ${b} ${c}`, `${b} ${c} ${newWords("s", 90)} ${a} ${b}`);
    expect(kept).to.deep.equal([
      [`${a} ${b}`, `${a} ${b}`],
      [c, c],
    ]);
  });

  it("drops a short match as too short", () => {
    const short = newWords("copy", 6);
    const { kept, dropped } = aligned(
      `${newWords("q", 20)} ${short} ${newWords("r", 20)}`,
      `${newWords("s", 20)} ${short} ${newWords("t", 20)}`,
    );
    expect(kept).to.deep.equal([]);
    expect(dropped).to.deep.equal([["too_short", short]]);
  });
});

describe("the decision score", () => {
  describe("what a passage needs", () => {
    const common = "the of and to in a is was that for it as with he on be at by";

    it("is more evidence, the more sources are compared", () => {
      const passage = wordsText(16, (i) => (i % 2 === 0 ? `w${i}` : `q${i}`));
      const query = tokenised(`${newWords("q", 50)}. ${passage}. ${newWords("r", 50)}`);
      const source = tokenised(
        `${newWords("s", 50)}. ${wordsText(16, (i) => (i % 2 === 0 ? `w${i}` : `s${i}`))}. ${newWords("t", 50)}`,
      );
      const found = (sourcesCompared: number) =>
        align(prepareQuery(query, { sourcesCompared }), source).kept.length;
      expect(found(1)).to.equal(1);
      expect(found(1e9)).to.equal(0);
    });

    it("is more than the common words of the language", () => {
      const words = common.split(" ");
      const query = tokenised(`${newWords("q", 60)} ${words.slice(0, 11).join(" ")} ${newWords("r", 60)}`);
      const source = tokenised(`${newWords("s", 60)} ${words.slice(0, 11).join(" ")} ${newWords("t", 60)}`);
      const found = (options: QueryOptions) => align(prepareQuery(query, options), source).kept.length;
      expect(found({})).to.equal(1);
      expect(found({ language: "en" })).to.equal(0);
    });

    const shownIn = (passage: string) => {
      const query = tokenised(`${newWords("q", 60)} ${passage} ${newWords("r", 60)}`);
      const source = tokenised(`${newWords("s", 60)} ${passage} ${newWords("t", 60)}`);
      const { kept } = align(prepareQuery(query, { language: "en", sourcesCompared: 10 }), source);
      return kept.map((one) => passageTexts(query, source, one)[0]);
    };

    it("is, among ten sources, more than a long name; running text of that length or a list of names is enough", () => {
      const name = "Alba of Brena Cerda in Dorna Elda in Fenna of Gorda Hilda";
      const list = `${name}, Ilsa, Jorna, Kelda, Lorna, Merda, Norda, Olda, Pelda`;
      expect(shownIn(name)).to.deep.equal([]);
      expect(shownIn(name.toLowerCase())).to.deep.equal([name.toLowerCase()]);
      expect(shownIn(list)).to.deep.equal([list]);
    });

    it("is more than figures", () => {
      const line = "net rate 12 345 67 890 12 345 persons";
      expect(shownIn(line)).to.deep.equal([]);
      expect(shownIn("net rate and where such figures are from as given persons")).to.have.lengthOf(1);
    });

    it("is no more than a copy of twelve words with something rare, even if the texts share many words", () => {
      const shared = newWords("topic", 200);
      const copy = "topic1 topic5 rare0 topic9 topic2 topic30 rare1 topic4 topic8 topic7 topic77 topic90";
      const query = tokenised(`${shared.split(" ").toReversed().join(" ")} ${copy} ${newWords("q", 9)}`);
      const source = tokenised(`${shared.split(" ").toSorted().join(" ")} ${copy} ${newWords("s", 9)}`);
      const found = align(prepareQuery(query), source).kept.map((one) => passageTexts(query, source, one)[0]);
      expect(found.join(" | ")).to.include(copy);
    });

    it("is more than words of their subject between essays on one question", () => {
      const climate =
        "The summers in the east of the country are warm and the winters are cold. In the mountains of the north the summers are cool and the winters are long. On the coast in the west the winters are mild, and there is much rain in all months of the year. The rain falls in the spring and in the autumn, and in the east there is less rain than in the west. Snow lies in the mountains from the autumn to the spring. On the plains the wind from the east is dry and cold in the winters, and warm in the summers. The temperatures in the summers are high on the plains, and lower in the valleys of the mountains.";
      const other =
        "Winters are mild on the coast, where the rain of the west falls in the autumn and in the winters. The mountains have snow in the winters and cool summers. In the valleys of the north the temperatures are lower than on the plains in all months. The east of the country is dry: there is less rain in the year, the summers are high in temperatures and warm, and the wind is cold. Much of the rain on the plains falls in the spring. The winters in the mountains are long, and in the east they are cold. From the west the wind is warm.";
      const source = tokenised(`${newWords("s", 400)}.\n\n${other}\n\n${newWords("t", 400)}.`);
      const found = (essay: string, isOneSubject: boolean) => {
        const text = tokenised(`${newWords("q", 400)}.\n\n${essay}\n\n${newWords("r", 400)}.`);
        return align(prepareQuery(text, { language: "en", isOneSubject }), source).kept.length;
      };
      const repeated = `${climate} ${climate.replaceAll("summers", "days")}`;
      expect([found(climate, false), found(climate, true)]).to.deep.equal([1, 1]);
      expect([found(repeated, false), found(repeated, true)]).to.deep.equal([2, 0]);
    });
  });

  describe("a source whose parts do not follow each other", () => {
    it("has no passage across the barrier between them, however close the copies are", () => {
      const [a, b] = [newWords("a", 12), newWords("b", 12)];
      const { text, tokens } = tokenised(`${a} | ${b}`);
      const words = [...a.split(" "), BARRIER, ...b.split(" ")];
      const starts = Int32Array.from([
        ...tokens.starts.slice(0, 12),
        a.length + 1,
        ...tokens.starts.slice(12),
      ]);
      const ends = Int32Array.from([...tokens.ends.slice(0, 12), a.length + 2, ...tokens.ends.slice(12)]);
      const query = tokenised(`${a} ${b}`);
      const source = { text, tokens: { words, starts, ends } };
      const { kept } = align(prepareQuery(query), source);
      expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([
        [a, a],
        [b, b],
      ]);
    });
  });
});

describe("matchedWords", () => {
  it("counts the words of both sides one to one", () => {
    const pair = pairOf("a a b c d e f g", "a b b c x y z g");
    const whole = { query: { start: 0, end: 8 }, source: { start: 0, end: 8 } };
    expect(matchedWords(pair, whole)).to.equal(4);
    expect(matchedWords(pair, { ...whole, source: { start: 0, end: 1 } })).to.equal(1);
  });
});

describe("uncovered copies", () => {
  const copy = newWords("copy", 14);
  const pair = pairOf(`${newWords("q", 20)} ${copy}`, `${copy} ${newWords("s", 20)}`);
  const match = { query: { start: 20, end: 34 }, source: { start: 0, end: 14 } };

  it("are exact matches of twelve words that no passage covers", () => {
    expect(uncoveredCopies(pair, [match], []).map(places)).to.deep.equal([[20, 34, 0, 14]]);
    expect(uncoveredCopies(pair, [match], [match])).to.deep.equal([]);
    const short = { query: { start: 20, end: 31 }, source: { start: 0, end: 11 } };
    expect(uncoveredCopies(pair, [short], [])).to.deep.equal([]);
  });

  it("include the free part of a match that a passage covers partly", () => {
    const covering = { query: { start: 32, end: 34 }, source: { start: 100, end: 102 } };
    expect(uncoveredCopies(pair, [match], [covering]).map(places)).to.deep.equal([[20, 32, 0, 12]]);
  });

  describe("of words that both texts have elsewhere too", () => {
    const words = newWords("again", 14);
    const before = (side: string) => `${words.split(" ").toReversed().join(" ")} ${newWords(side, 6)}`;
    const again = { query: { start: 20, end: 34 }, source: { start: 20, end: 34 } };
    const found = (between: string, others: number) => {
      const [query, source] = ["q", "s"].map(
        (side) => `${before(side)}${between}${words}${between}${newWords(`${side}2`, 6)}`,
      );
      const reported = Array.from({ length: others }, () => ({
        query: { start: 0, end: 8 },
        source: { start: 0, end: 8 },
      }));
      return uncoveredCopies(pairOf(query ?? "", source ?? ""), [again], reported).map(places);
    };

    it("are reported if they are a whole sentence", () => {
      expect(found(". ", 0)).to.deep.equal([[20, 34, 20, 34]]);
      expect(found(" ", 0)).to.deep.equal([]);
    });

    it("are reported if six other copies come from the source", () => {
      expect(found(" ", 6)).to.deep.equal([[20, 34, 20, 34]]);
      expect(found(" ", 5)).to.deep.equal([]);
    });
  });

  it("are listed as dropped otherwise, with a reason", () => {
    const reasons = (reported: readonly (typeof match)[]) =>
      unreportedMatches(pair, [match], reported, []).map(({ reason }) => reason);
    expect(reasons([])).to.deep.equal(["too_short"]);
    expect(reasons([{ query: { start: 15, end: 25 }, source: { start: 20, end: 30 } }])).to.deep.equal([
      "duplicate",
    ]);
    expect(reasons([match])).to.deep.equal([]);
  });
});
