import { expect } from "chai";
import {
  alignMeaning,
  CosinesByVector,
  NOT_ENCODED_BACKGROUND,
} from "../../../src/matching/meaning/align-meaning.ts";
import { codeOf, DIMENSIONS, MODEL, vectorOf } from "./small-model.ts";

const [QUERY, SOURCE] = [6, 20];

/** A sentence of a language that the encoder does not know: most of its vector is that of the language. */
function foreignVector(seed: number): Float32Array {
  const own = vectorOf(seed);
  const mixed = vectorOf(0).map((value, at) => 3 * value + (own[at] ?? 0));
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}

function sentencesOf(vectors: readonly Float32Array[]) {
  return vectors.map((vector, at) => ({
    ...{ span: { start: 100 * at, end: 100 * at + 90 }, vector, background: 0.1 },
    ...{ terms: new Set<string>(), names: new Map<string, string>(), formulas: 0 },
    ...{ isCovered: false, startsParagraph: at === 0 },
  }));
}

/** The greatest log-odds of a paragraph. */
function bestOf(query: ReturnType<typeof sentencesOf>, source: readonly Float32Array[]): number {
  const coded = source.map((vector, at) => {
    const span = { start: 100 * at, end: 100 * at + 90 };
    return { span, code: codeOf(vector), cell: 0, background: 0.1, terms: new Set<string>(), formulas: 0 };
  });
  const counts = { chunks: 0, chunksWith: new Map<string, number>() };
  const place = { query, source: coded, byWords: [] };
  const { reworded } = alignMeaning(new CosinesByVector(MODEL), place, counts, QUERY);
  return Math.max(...reworded.map(({ logOdds }) => logOdds));
}

describe("the meaning of sentences that all resemble each other", () => {
  const vectors = (first: number, count: number, of: (seed: number) => Float32Array) =>
    Array.from({ length: count }, (_, at) => of(first + at));
  const foreign = sentencesOf(vectors(1, QUERY, foreignVector));
  const others = vectors(100, SOURCE, foreignVector);

  it("is no evidence", () => {
    expect(bestOf(foreign, others)).to.be.below(0);
  });

  it("is no evidence beside sentences that were not encoded in time", () => {
    const late = sentencesOf(vectors(0, 2 * QUERY, () => new Float32Array(DIMENSIONS))).map(
      (sentence, at) => ({
        ...sentence,
        ...(foreign[at] ?? { background: NOT_ENCODED_BACKGROUND, startsParagraph: at === QUERY }),
      }),
    );
    expect(bestOf(late, others)).to.equal(bestOf(foreign, others));
  });

  it("is evidence where some are much nearer than the others", () => {
    const known = vectors(1, QUERY, vectorOf);
    expect(bestOf(sentencesOf(known), [...vectors(100, SOURCE - QUERY, vectorOf), ...known])).to.be.above(0);
  });
});
