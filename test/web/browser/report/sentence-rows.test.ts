import { expect } from "chai";
import {
  connectedPairs,
  mirroredMeaning,
  type SentencePair,
  sentenceRows,
  splitAtWords,
} from "../../../../src/web/browser/report/sentence-rows.ts";

const QUERY = "Erst eins. Dann zwei. Ein Einschub. Am Ende drei.";
const SOURCE = "....Three at the end. One and two. A remark.";

/** The pair of these two sentences; the source's text begins at 100 of its document. */
function pair(query: string, source: string, margin = 0.3): SentencePair {
  const [from, to] = [QUERY.indexOf(query), 100 + SOURCE.indexOf(source)];
  return {
    query_start: from,
    query_end: from + query.length,
    source_document_start: to,
    source_document_end: to + source.length,
    margin,
  };
}

const PAIRS = [
  pair("Erst eins.", "One and two."),
  pair("Dann zwei.", "One and two."),
  pair("Am Ende drei.", "Three at the end."),
];

describe("sentences side by side", () => {
  const rowsOf = (pairs: readonly SentencePair[]) =>
    sentenceRows(
      pairs,
      { text: QUERY, at: 0, start: 0, end: QUERY.length },
      { text: SOURCE, at: 100, start: 104, end: 100 + SOURCE.length },
    ).map(({ pairs, query, source }) => [pairs.length, query, source]);

  it("are in the order of the query, with one row for sentences that the source merges", () => {
    expect(rowsOf(PAIRS)).to.deep.equal([
      [2, ["Erst eins.", "Dann zwei."], ["One and two."]],
      [0, ["Ein Einschub."], ["A remark."]],
      [1, ["Am Ende drei."], ["Three at the end."]],
    ]);
  });

  it("begin with text before the first sentence", () => {
    expect(rowsOf(PAIRS.slice(1))).to.deep.equal([
      [0, ["Erst eins."], []],
      [1, ["Dann zwei."], ["One and two."]],
      [0, ["Ein Einschub."], ["A remark."]],
      [1, ["Am Ende drei."], ["Three at the end."]],
    ]);
  });

  it("lose no text, whatever corresponds", () => {
    const withoutSpaces = (text: string) => [...text.replaceAll(/[\s.]/g, "")].toSorted().join("");
    for (const pairs of [PAIRS, PAIRS.slice(1), PAIRS.slice(2), PAIRS.toReversed(), []]) {
      const rows = rowsOf(pairs);
      expect(
        withoutSpaces(
          rows
            .map(([, query]) => String(query))
            .join("")
            .replaceAll(",", ""),
        ),
      ).to.equal(withoutSpaces(QUERY));
      expect(
        withoutSpaces(
          rows
            .map(([, , source]) => String(source))
            .join("")
            .replaceAll(",", ""),
        ),
      ).to.equal(withoutSpaces(SOURCE));
    }
  });

  it("are in the order of the source when they are seen from it", () => {
    const meaning = {
      sentence_pairs: [pair("Dann zwei.", "One and two."), pair("Am Ende drei.", "Three at the end.")],
      shared_words: [],
      own_names: ["Ada"],
      query_language: "de",
      source_language: "en",
    };
    const seen = mirroredMeaning(meaning);
    expect(seen).to.include({ query_language: "en", source_language: "de" });
    expect(seen.own_names).to.deep.equal([]);
    const query = { text: QUERY, at: 0, start: 11, end: QUERY.length };
    const source = { text: SOURCE, at: 100, start: 104, end: 100 + SOURCE.indexOf(" A remark") };
    expect(
      sentenceRows(seen.sentence_pairs, source, query).map(({ query, source }) => [query, source]),
    ).to.deep.equal([
      [["Three at the end."], ["Am Ende drei."]],
      [["One and two."], ["Dann zwei."]],
      [[], ["Ein Einschub."]],
    ]);
    expect(mirroredMeaning(seen)).to.deep.equal({ ...meaning, own_names: [] });
  });

  it("are joined over several sentences of both sides", () => {
    const chain = [
      pair("Erst eins.", "One and two."),
      pair("Am Ende drei.", "A remark."),
      pair("Dann zwei.", "A remark."),
      pair("Dann zwei.", "One and two."),
    ];
    expect(connectedPairs(chain).map((group) => group.length)).to.deep.equal([4]);
  });
});

describe("shared words", () => {
  const marked = (text: string, words: readonly string[]) =>
    splitAtWords(text, words).flatMap(({ text, isShared }) => (isShared ? [text] : []));

  it("are found on both sides by their beginning, without case and accents", () => {
    expect(
      marked("Die zoroastrische Lehre von 1859 in Chicagó.", ["Zoroastrian", "1859", "Chicago"]),
    ).to.deep.equal(["zoroastrische", "1859", "Chicagó"]);
    expect(marked("Nothing of it.", [])).to.deep.equal([]);
  });

  it("leave the text as it is", () => {
    const text = "  Ein «Wort», 12-mal – und نص.\n";
    expect(
      splitAtWords(text, ["Wort"])
        .map((piece) => piece.text)
        .join(""),
    ).to.equal(text);
  });
});
