import { expect } from "chai";
import { align } from "../../../src/matching/words/align.ts";
import { BARRIER } from "../../../src/matching/words/boundaries.ts";
import { exactCandidate } from "../../../src/matching/words/candidates.ts";
import { bestSummarisedSpan, withSummaries } from "../../../src/matching/words/summaries.ts";
import { pairTexts, prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { newWords, pairOf, tokenised } from "./sample-texts.ts";

/** Twenty-four sentences of 20 words. */
const sourceSentences = Array.from({ length: 24 }, (_, at) => newWords(`s${at}x`, 20).split(" "));
const source = sourceSentences.map((words) => `${words.join(" ")}.`).join(" ");

/** What a summary keeps: four words of each sentence, and some words of its own between. */
const summary = sourceSentences
  .map((words, at) => [...words.filter((_, place) => place % 5 === at % 5), `own${at}`].join(" "))
  .join(" ");

const query = `${newWords("q", 150)}.\n\n${summary}.\n\n${newWords("r", 150)}.`;
const ENGLISH = { language: "en" };
const SUMMARY_SPAN = { start: 150, end: 150 + summary.split(" ").length };

/** The query and a source that has another section of 300 words before the summarised one. */
function pairBehindSection(first: string) {
  const sections = tokenised(`${first} | ${source}`);
  const { words, starts, ends } = sections.tokens;
  const withBarrier = (offsets: Int32Array) =>
    Int32Array.from([...offsets.slice(0, 300), 0, ...offsets.slice(300)]);
  return pairTexts(prepareQuery(tokenised(query), ENGLISH), {
    text: sections.text,
    tokens: {
      words: words.toSpliced(300, 0, BARRIER),
      starts: withBarrier(starts),
      ends: withBarrier(ends),
    },
  });
}

describe("summaries", () => {
  it("are the span of the query that the source explains as a whole", () => {
    const pair = pairOf(query, source, ENGLISH);
    const span = bestSummarisedSpan(pair, { start: 0, end: 480 });
    expect(span?.start).to.equal(SUMMARY_SPAN.start);
    expect(span?.end).to.equal(SUMMARY_SPAN.end);
    expect(span?.found).to.equal(96);
    expect(span?.expected).to.be.lessThan(40);
  });

  it("are reported against the whole source and replace the passages that are parts of them", () => {
    const pair = pairOf(query, source, ENGLISH);
    const part = exactCandidate(pair, { query: { start: 160, end: 164 }, source: { start: 40, end: 44 } });
    const elsewhere = exactCandidate(pair, { query: { start: 10, end: 20 }, source: { start: 0, end: 10 } });
    const passages = withSummaries(pair, [], [part, elsewhere]);
    expect(passages.map((one) => [one.query, one.source])).to.deep.equal([
      [SUMMARY_SPAN, { start: 0, end: 480 }],
      [elsewhere.query, elsewhere.source],
    ]);
  });

  it("are no evidence between essays on one question", () => {
    // In another order, so that no passage is found sentence by sentence.
    const sentences = summary.match(/(?:\S+ ?){5}/g) ?? [];
    const reordered = sentences.map((_, at) => sentences[(at * 7) % sentences.length]?.trim()).join(" ");
    const text = tokenised(`${newWords("q", 150)}.\n\n${reordered}.\n\n${newWords("r", 150)}.`);
    const found = (isOneSubject: boolean) =>
      align(prepareQuery(text, { ...ENGLISH, isOneSubject }), tokenised(source)).kept;
    expect(found(false).map((passage) => passage.source)).to.deep.equal([{ start: 0, end: source.length }]);
    expect(found(true)).to.deep.equal([]);
  });

  it("are reported against the section of the source that they summarise", () => {
    const pair = pairBehindSection(newWords("first", 300));
    expect(withSummaries(pair, [], []).map((one) => one.source)).to.deep.equal([{ start: 301, end: 781 }]);
  });

  it("are found as well if another section of the source has the same words", () => {
    const alone = bestSummarisedSpan(pairOf(query, source, ENGLISH), { start: 0, end: 480 });
    const retold = sourceSentences.flat().toSorted().slice(0, 300).join(" ");
    const behind = bestSummarisedSpan(pairBehindSection(retold), { start: 301, end: 781 });
    expect(behind).to.deep.equal(alone);
  });

  it("need a source of some length, and one that is longer than they are", () => {
    const short = sourceSentences
      .slice(0, 8)
      .map((words) => words.join(" "))
      .join(". ");
    expect(withSummaries(pairOf(query, short, ENGLISH), [], [])).to.deep.equal([]);
    expect(withSummaries(pairOf(source, `${summary} ${newWords("t", 200)}`, ENGLISH), [], [])).to.deep.equal(
      [],
    );
  });

  it("are not seen in text that has nothing of the source", () => {
    expect(withSummaries(pairOf(newWords("q", 400), source, ENGLISH), [], [])).to.deep.equal([]);
    expect(bestSummarisedSpan(pairOf(newWords("q", 400), source, ENGLISH), { start: 0, end: 480 })).to.equal(
      undefined,
    );
  });
});
