import { expect } from "chai";
import {
  chooseHits,
  evidenceBounds,
  ReuseScorer,
  STRONG_EVIDENCE,
  type WeighedChunk,
} from "../../../src/matching/words/reuse-evidence.ts";
import type { TermCounts } from "../../../src/matching/words/search-terms.ts";
import { mulberry32 } from "../../support/work/prose.ts";

/** Words that are each in a few of 20,000 chunks, and words that are in most. */
const rare = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `r${from + at}`);
const common = (count: number) => Array.from({ length: count }, (_, at) => `c${at % 12}`);
const counts: TermCounts = {
  chunks: 20_000,
  chunksWith: new Map([
    ...rare(0, 2_000).map((word) => [word, 4] as const),
    ...common(12).map((word) => [word, 14_000] as const),
  ]),
};

/** Two texts' words in turn. */
const mixed = (some: readonly string[], others: readonly string[]) =>
  some.flatMap((word, at) => [word, ...(others[at] === undefined ? [] : [others[at]])]);

const weigh = (query: readonly string[], source: readonly string[]) =>
  new ReuseScorer(query.join(" "), counts).of(source.join(" "));

describe("evidence of reuse", () => {
  const query = mixed(rare(0, 90), common(90));

  it("is little between texts that share only common words, and strong for a copy", () => {
    const other = weigh(query, mixed(rare(500, 590), common(90)));
    expect(other.sharedTerms).to.equal(0);
    expect(other.evidence).to.be.below(6);
    expect(weigh(query, query).evidence).to.be.above(60);
  });

  it("is found for a copied sentence in other text, and for one with a third of its words replaced", () => {
    const around = mixed(rare(700, 780), common(80));
    const sentence = query.slice(40, 58);
    const reworded = sentence.map((word, at) => (at % 3 === 0 ? `r${900 + at}` : word));
    expect(weigh(query, [...around, ...sentence, ...around]).evidence).to.be.above(20);
    expect(weigh(query, [...around, ...reworded, ...around]).evidence).to.be.above(14);
  });

  it("is more for the same words close together than scattered over the text", () => {
    const shared = rare(0, 6);
    const others = rare(700, 874);
    const together = weigh(query, [...others, ...shared]);
    const scattered = weigh(
      query,
      others.flatMap((word, at) => (at % 29 === 0 ? [word, shared[at / 29] ?? word] : [word])),
    );
    expect(together.evidence).to.be.above(2 * scattered.evidence);
    expect(together.sharedTerms).to.equal(scattered.sharedTerms);
  });

  it("counts a word as often as the query has it, so that a repeated one proves nothing", () => {
    const repeated = [...Array(60).fill("r1"), ...rare(700, 800)];
    expect(weigh(query, repeated).evidence).to.equal(weigh(query, ["r1"]).evidence);
  });

  it("does not depend on the order of the words in a stretch", () => {
    const sentence = query.slice(20, 50);
    const around = rare(700, 780);
    const turned = weigh(query, [...around, ...sentence.toReversed(), ...around]).evidence;
    const copied = weigh(query, [...around, ...sentence, ...around]).evidence;
    expect(turned).to.be.closeTo(copied, copied / 10);
  });

  it("does not depend on what was weighed before", () => {
    const random = mulberry32(5);
    const one = new ReuseScorer(query.join(" "), counts);
    for (let round = 0; round < 200; round++) {
      const words = Array.from({ length: 1 + Math.floor(random() * 200) }, () =>
        random() < 0.5 ? `r${Math.floor(random() * 120)}` : `c${Math.floor(random() * 14)}`,
      );
      expect(one.of(words.join(" "))).to.deep.equal(weigh(query, words));
    }
  });
});

const weighed = (documentId: string, evidence: number, chunkIndex = 0): WeighedChunk => ({
  ...{ documentId, chunkIndex },
  ...{ sharedTerms: 3, evidence },
});

const many = Array.from({ length: 60 }, (_, at) => weighed(`d${String(at).padStart(2, "0")}`, 20 + at));

describe("the evidence that is asked for", () => {
  it("grows with the logarithm of the number of chunks", () => {
    for (const chunks of [0, 1_000, 20_000])
      expect(evidenceBounds(chunks)).to.deep.equal({ hit: 14, document: 21 });
    const ofMillion = evidenceBounds(1_000_000);
    expect(ofMillion.hit).to.be.closeTo(17.8, 0.05);
    expect(ofMillion.document).to.be.closeTo(24.8, 0.05);
    expect(evidenceBounds(10_000_000).hit - ofMillion.hit).to.be.closeTo(Math.log(10), 1e-9);
  });
});

describe("choosing candidates", () => {
  const EVIDENCE_MIN = evidenceBounds(0).hit;

  it("leaves out chunks with too little evidence", () => {
    expect(chooseHits([weighed("strong", 30), weighed("weak", 3)], 10, EVIDENCE_MIN)).to.deep.equal([
      weighed("strong", 30),
    ]);
    expect(chooseHits([weighed("a", 30), weighed("b", 26.9)], 10, STRONG_EVIDENCE)).to.deep.equal([
      weighed("a", 30),
    ]);
  });

  it("selects the documents with most evidence, more of them for a short text", () => {
    const ofLong = chooseHits(many, 100, EVIDENCE_MIN).map(({ documentId }) => documentId);
    expect(ofLong).to.have.lengthOf(9);
    expect(ofLong[0]).to.equal("d59");
    expect(chooseHits(many, 1, EVIDENCE_MIN)).to.have.lengthOf(24);
  });

  it("selects all chunks of a selected document", () => {
    const chunks = [weighed("a", 90, 4), weighed("a", 15, 5), weighed("a", 14, 6)];
    expect(
      chooseHits([...many, ...chunks], 100, EVIDENCE_MIN).filter(({ documentId }) => documentId === "a"),
    ).to.deep.equal(chunks);
  });

  it("does not depend on the order of the hits", () => {
    const alike = [...many, ...many.map((one) => ({ ...one, chunkIndex: 1 })), weighed("e", 79)];
    expect(chooseHits(alike.toReversed(), 100, EVIDENCE_MIN)).to.deep.equal(
      chooseHits(alike, 100, EVIDENCE_MIN),
    );
  });
});
