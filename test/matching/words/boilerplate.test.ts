import { expect } from "chai";
import fc from "fast-check";
import { align } from "../../../src/matching/words/align.ts";
import { isBoilerplate } from "../../../src/matching/words/decision.ts";
import { markShingles, prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { SHINGLE_WORDS } from "../../../src/text/fingerprint-form.ts";
import { placedShingles } from "../../../src/text/sampled-shingles.ts";
import type { Span } from "../../../src/text/span.ts";
import { prose } from "../../support/work/prose.ts";
import { passageTexts, tokenised } from "./sample-texts.ts";

const SEED = 20_261;

/** The sampled shingles of texts, as if each of them stood in many documents. */
function shinglesOf(...texts: readonly string[]): Set<string> {
  const words = texts.map((text) => tokenised(text).tokens.words);
  return new Set(words.flatMap((some) => placedShingles(some).map(({ shingle }) => shingle)));
}

/** The text with one word in so many replaced by a new one. */
function edited(text: string, every: number): string {
  return text
    .split(" ")
    .map((word, at) => (at % every === every - 1 ? `new${at}` : word))
    .join(" ");
}

/** Where query and source agree, as [query text, source text]; and why the rest was dropped. */
function aligned(query: string, source: string, frequent: ReadonlySet<string>) {
  const [queryText, sourceText] = [tokenised(query), tokenised(source)];
  const { kept, dropped } = align(prepareQuery(queryText, { frequentShingles: frequent }), sourceText);
  return {
    kept: kept.map((passage) => passageTexts(queryText, sourceText, passage)),
    reasons: dropped.map(({ reason }) => reason),
  };
}

describe("boilerplate", () => {
  const licence = prose(700, 40);
  const notice = prose(701, 30);
  const frequent = shinglesOf(licence, notice);

  it("drops a passage that consists of nothing but frequent shingles, and says so", () => {
    const [query, source] = [`${prose(1, 60)} ${licence} ${prose(2, 60)}`, `${prose(3, 80)} ${licence}`];
    expect(aligned(query, source, new Set()).kept).to.have.lengthOf(1);
    const { kept, reasons } = aligned(query, source, frequent);
    expect(kept).to.deep.equal([]);
    expect(reasons).to.include("set_phrase");
  });

  it("drops it even if it was edited here and there", () => {
    const query = `${prose(1, 60)} ${edited(licence, 12)} ${prose(2, 60)}`;
    expect(aligned(query, `${licence} ${prose(3, 80)}`, new Set()).kept).to.have.lengthOf(1);
    expect(aligned(query, `${licence} ${prose(3, 80)}`, frequent).kept).to.deep.equal([]);
  });

  for (const [name, copy] of [
    ["begins with one", `${licence} ${prose(4, 50)}`],
    ["ends with one", `${prose(4, 50)} ${licence}`],
    ["has one inside", `${prose(4, 30)} ${licence} ${prose(5, 30)}`],
    ["stands between two", `${licence} ${prose(4, 50)} ${notice}`],
  ] as const) {
    it(`keeps a copied passage whole that ${name}`, () => {
      const [query, source] = [`${prose(6, 40)} ${copy} ${prose(7, 40)}`, `${copy} ${prose(8, 40)}`];
      expect(aligned(query, source, frequent).kept).to.deep.equal([[copy, copy]]);
    });

    it(`keeps as much of an edited copy that ${name} as if nothing were frequent`, () => {
      for (const every of [4, 7, 10, 15]) {
        const query = `${prose(6, 40)} ${edited(copy, every)} ${prose(7, 40)}`;
        const without = aligned(query, copy, new Set());
        expect(aligned(query, copy, frequent).kept, `every ${every}th`).to.deep.equal(without.kept);
        expect(without.kept).to.not.have.lengthOf(0);
      }
    });
  }

  it("keeps a passage that has no sampled shingle at all, whatever is frequent", () => {
    const short = [...Array(400).keys()]
      .map((seed) => prose(1_000 + seed, 9))
      .filter((text) => shinglesOf(text).size === 0);
    expect(short).to.not.have.lengthOf(0);
    for (const text of short) {
      expect(
        aligned(`${prose(9, 30)} ${text} ${prose(10, 30)} ${notice}`, text, frequent).kept,
      ).to.have.lengthOf(1);
    }
  });

  it("finds a document that contains boilerplate in itself as one passage, and one that is only boilerplate not at all", () => {
    const document = `${licence} ${prose(11, 60)} ${notice} ${prose(12, 60)} ${licence}`;
    expect(aligned(document, document, frequent).kept).to.deep.equal([[document, document]]);
    expect(aligned(licence, licence, frequent).kept).to.deep.equal([]);
  });

  it("leaves the words of dropped boilerplate to a longer match that contains them", () => {
    const copy = `${prose(13, 20)} ${licence}`;
    const source = `${licence} ${prose(14, 40)} ${copy}`;
    expect(aligned(`${prose(15, 40)} ${copy}`, source, frequent).kept).to.deep.equal([[copy, copy]]);
  });
});

describe("isBoilerplate", () => {
  /** Words of which some five in a row are common to all texts of the world. */
  const texts = fc.record({
    words: fc.array(fc.constantFrom(..."abcdefghijklmnop"), { minLength: 8, maxLength: 120 }),
    frequentOneIn: fc.integer({ min: 1, max: 4 }),
    cuts: fc.array(fc.nat({ max: 119 }), { maxLength: 4 }),
  });

  it("holds only for runs whose sampled shingles are all frequent", () => {
    fc.assert(
      fc.property(texts, ({ words, frequentOneIn, cuts }) => {
        const placed = placedShingles(words);
        const frequent = new Set(
          placed.filter((_, at) => at % frequentOneIn === 0).map((one) => one.shingle),
        );
        const runs = runsBetween(words.length, cuts);
        const inside = placed
          .filter(({ firstWord }) => runs.some((run) => isInside(run, firstWord)))
          .map(({ shingle }) => frequent.has(shingle));
        if (isBoilerplate(markShingles(words, frequent), runs)) {
          expect(inside).to.include(true);
          for (const run of runs) {
            const own = placed.filter(({ firstWord }) => isInside(run, firstWord));
            expectRareOnlyBetween(own.map(({ firstWord, shingle }) => [firstWord, frequent.has(shingle)]));
          }
        } else {
          const open = openWords(runs, placed);
          expect(inside.length === 0 || inside.includes(false) || Math.max(...open) > 16).to.equal(true);
        }
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it("holds for nothing when no shingle is frequent, and costs nothing then", () => {
    fc.assert(
      fc.property(texts, ({ words, cuts }) => {
        expect(markShingles(words, new Set())).to.equal(undefined);
        expect(markShingles(words, new Set(["of another text"]))).to.equal(undefined);
        expect(isBoilerplate(undefined, runsBetween(words.length, cuts))).to.equal(false);
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it("holds for adjacent phrases, but not for text between them that is longer than a line and a half", () => {
    const phrase = tokenised(prose(900, 45)).tokens.words;
    const frequent = new Set(placedShingles(phrase).map(({ shingle }) => shingle));
    for (const [ownWords, expected] of [
      [0, true],
      [3, true],
      [20, false],
    ] as const) {
      const own = ownWords === 0 ? [] : tokenised(prose(703, ownWords)).tokens.words;
      const words = [...phrase, ...own, ...phrase, ...own, ...phrase];
      const marks = markShingles(words, frequent);
      expect([...(marks ?? [])], "a rare shingle across a border").to.include(1);
      const run: Span = { start: 0, end: words.length };
      expect(isBoilerplate(marks, [run]), `${ownWords} words`).to.equal(expected);
    }
  });

  /** Rare shingles have a frequent one on both sides, not far away; `shingles` as [first word, is frequent]. */
  function expectRareOnlyBetween(shingles: readonly (readonly [number, boolean])[]): void {
    for (const [at, [, isFrequent]] of shingles.entries()) {
      if (isFrequent) continue;
      const before = shingles.slice(0, at).findLast(([, frequent]) => frequent);
      const after = shingles.slice(at).find(([, frequent]) => frequent);
      expect(before).to.not.equal(undefined);
      expect(after).to.not.equal(undefined);
      expect((after?.[0] ?? 0) - (before?.[0] ?? 0) - SHINGLE_WORDS).to.be.at.most(16);
    }
  }

  /** All of a text but for one word at each of the cuts. */
  function runsBetween(words: number, cuts: readonly number[]): Span[] {
    const borders = [-1, ...new Set(cuts.filter((cut) => cut < words).toSorted((a, b) => a - b)), words];
    const runs = borders.slice(1).map((end, at) => {
      const start = (borders[at] ?? 0) + 1;
      return { start, end };
    });
    return runs.filter((run) => run.end - run.start > 0);
  }

  function isInside(run: Span, firstWord: number): boolean {
    return firstWord >= run.start && firstWord + SHINGLE_WORDS <= run.end;
  }

  /** The lengths of the stretches of the runs' words that no sampled shingle covers, edits left out. */
  function openWords(runs: readonly Span[], placed: ReturnType<typeof placedShingles>): number[] {
    const covered = new Set<number>();
    for (const { firstWord } of placed) {
      if (!runs.some((run) => isInside(run, firstWord))) continue;
      for (let word = firstWord; word < firstWord + SHINGLE_WORDS; word++) covered.add(word);
    }
    const lengths = [0];
    for (const run of runs) {
      for (let word = run.start; word < run.end; word++) {
        if (covered.has(word)) lengths.push(0);
        else lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + 1;
      }
    }
    return lengths;
  }
});
