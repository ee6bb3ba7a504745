import { expect } from "chai";
import { align } from "../../../src/matching/words/align.ts";
import { classify } from "../../../src/matching/words/match-type.ts";
import { prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { newWords, passageTexts, tokenised } from "./sample-texts.ts";

function passagesOf(queryText: string, sourceText: string): [string, string][] {
  const [query, source] = [tokenised(queryText), tokenised(sourceText)];
  return align(prepareQuery(query), source).kept.map((passage) => passageTexts(query, source, passage));
}

describe("the text of a passage", () => {
  const copy = newWords("w", 9);

  it("includes the punctuation that directly precedes and follows it on both sides", () => {
    expect(passagesOf(`q (“${copy}.”) q`, `s (“${copy}.”) s`)).to.deep.equal([
      [`(“${copy}.”)`, `(“${copy}.”)`],
    ]);
  });

  it("ends where the two sides differ, and at white space", () => {
    expect(passagesOf(`q [“${copy}!” q`, `s (“${copy}?” s`)).to.deep.equal([[`“${copy}`, `“${copy}`]]);
    expect(passagesOf(`q “ ${copy} . q`, `s “ ${copy} . s`)).to.deep.equal([[copy, copy]]);
  });

  it("never cuts a character of two code units", () => {
    expect(passagesOf(`q 😀😁${copy}😀😁`, `s 😂😁${copy}😀😂`)).to.deep.equal([
      [`😁${copy}😀`, `😁${copy}😀`],
    ]);
  });

  it("leaves punctuation between two adjacent passages to the first of them", () => {
    const [a, b] = [newWords("a", 9), newWords("b", 9)];
    expect(passagesOf(`${a})(${b}`, `(${b} ${newWords("s", 60)} ${a})(s`)).to.deep.equal([
      [`${a})(`, `${a})(`],
      [b, b],
    ]);
  });
});

function whole(text: string) {
  return { text, tokens: tokenise(text, "en") };
}

function classified(query: string, source: string) {
  const querySpan = { start: 0, end: query.length };
  return classify(whole(query), querySpan, whole(source), { start: 0, end: source.length });
}

const TEN_WORDS = "the old keeper carried whale oil up the narrow stairs";

describe("classify", () => {
  const identical: readonly [string, string][] = [
    ["the same", "the same"],
    ["The SAME,  thing", "the same thing!"],
    ["line-\nend", "lineend"],
    ["STRASSE", "straße"],
    ["ΟΔΟΣ", "οδος"],
    ["caf\u0065\u0301", "CAFÉ"],
    ["s p a c e d", "spaced"],
    ["", "…"],
  ];
  for (const [query, source] of identical) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} identical`, () => {
      expect(classified(query, source)).to.deep.equal({ matchType: "identical", similarity: 1 });
    });
  }

  const minorChanges: readonly [string, string, number][] = [
    ["cafe", "café", 1],
    ["disguised with сyrillic", "disguised with cyrillic", 1],
    [TEN_WORDS, TEN_WORDS.replace("whale", "olive"), 0.9],
    [TEN_WORDS, TEN_WORDS.replace("whale oil", "olive juice"), 0.8],
    [TEN_WORDS, TEN_WORDS.replace("narrow ", "").replace("old ", ""), 16 / 18],
    [`${TEN_WORDS} so often`, `most often ${TEN_WORDS}`, 20 / 24],
  ];
  for (const [query, source, similarity] of minorChanges) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} minor changes`, () => {
      expect(classified(query, source)).to.deep.equal({ matchType: "minor_changes", similarity });
      expect(classified(source, query)).to.deep.equal({ matchType: "minor_changes", similarity });
    });
  }

  const paraphrased: readonly [string, string, number][] = [
    [TEN_WORDS, TEN_WORDS.replace("old", "young").replace("whale oil", "olive juice"), 0.7],
    [TEN_WORDS, "up the narrow stairs the old keeper carried whale oil", 0.6],
    [TEN_WORDS, "an elderly man took fuel to the lamp", 2 / 18],
    ["1,000", "2,001", 0],
  ];
  for (const [query, source, similarity] of paraphrased) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} paraphrased`, () => {
      expect(classified(query, source)).to.deep.equal({ matchType: "paraphrased", similarity });
      expect(classified(source, query)).to.deep.equal({ matchType: "paraphrased", similarity });
    });
  }

  it("ignores the text outside the spans", () => {
    const query = whole(`Before. ${TEN_WORDS}. After.`);
    const source = whole(`Elsewhere stood “${TEN_WORDS.toUpperCase()}”`);
    const at = (text: string, words: string) => ({
      start: text.toLowerCase().indexOf(words),
      end: text.toLowerCase().indexOf(words) + words.length,
    });
    const all = classify(query, at(query.text, TEN_WORDS), source, at(source.text, TEN_WORDS));
    expect(all.matchType).to.equal("identical");
    const part = classify(query, at(query.text, "whale oil"), source, at(source.text, "oil"));
    expect(part).to.deep.equal({ matchType: "paraphrased", similarity: 2 / 3 });
  });
});

describe("the runs of a passage", () => {
  const COPIED = [
    "Long before electric lamps were invented, keepers carried buckets of whale oil up the narrow stairs every evening.",
    "The first tower on this rock was built of oak by an engraver who had never seen the sea before.",
    "A storm took it away in a single November night, together with its builder and five of his men.",
  ];
  const REWORDED =
    "Its successor, a tower of granite blocks which its engineer shaped like the trunk of an oak, stood on the reef for more than a century.";
  const SOURCE = `${COPIED.join(" ")} The next tower was made of granite blocks by an engineer who shaped it like the trunk of an oak, and for more than a century it stood on the reef.`;

  function runsOf(queryText: string, sourceText: string) {
    const [query, source] = [whole(queryText), whole(sourceText)];
    return align(prepareQuery(query, { language: "en" }), source).kept.flatMap(
      ({ query: span, matchType, runs }) =>
        (runs ?? [{ query: span, source: span, matchType }]).map(
          (run) => [run.matchType, queryText.slice(run.query.start, run.query.end)] as const,
        ),
    );
  }

  it("are one for each kind of reuse", () => {
    const query = `${COPIED.join(" ")} ${REWORDED}`;
    expect(runsOf(query, SOURCE)).to.deep.equal([
      ["identical", `${COPIED.join(" ")} `],
      ["paraphrased", REWORDED],
    ]);
  });

  it("name the source of each part", () => {
    const query = `${REWORDED} ${COPIED.join(" ")}`;
    const [queryText, sourceText] = [whole(query), whole(SOURCE)];
    const passages = align(prepareQuery(queryText, { language: "en" }), sourceText).kept;
    const identical = passages
      .flatMap(
        ({ runs, query: ofQuery, source, matchType }) => runs ?? [{ query: ofQuery, source, matchType }],
      )
      .find(({ matchType }) => matchType === "identical");
    expect(SOURCE.slice(identical?.source.start, identical?.source.end)).to.match(
      /^Long before .* his men\.?$/,
    );
  });

  it("leave copied sentences in another order identical, and short ones with the sentence before", () => {
    const [first, second, third] = COPIED;
    const kinds = runsOf(`${second} ${third} Really. ${first}`, SOURCE).map(([kind]) => kind);
    expect(kinds).not.to.include("paraphrased");
  });

  it("cover the passage without gaps", () => {
    const query = whole(`${COPIED[0]} ${REWORDED} “${COPIED[2]}”`);
    for (const { query: span, runs } of align(prepareQuery(query, { language: "en" }), whole(SOURCE)).kept) {
      if (runs === undefined) continue;
      expect(runs[0]?.query.start).to.equal(span.start);
      expect(runs.at(-1)?.query.end).to.equal(span.end);
      for (const [at, run] of runs.slice(1).entries()) expect(run.query.start).to.equal(runs[at]?.query.end);
    }
  });
});
