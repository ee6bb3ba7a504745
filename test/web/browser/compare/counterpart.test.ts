import { expect } from "chai";
import fc from "fast-check";
import {
  type PairedPassage,
  pairedPassages,
  passageBeside,
  sideSegments,
} from "../../../../src/web/browser/compare/paired-passages.ts";
import { counterpartOf } from "../../../../src/web/browser/shared/counterpart.ts";
import { textBlocks } from "../../../../src/web/browser/shared/text-blocks.ts";

type Kind = "identical" | "paraphrased";

function wirePassage(
  query: readonly [number, number],
  source: readonly [number, number],
  kind: Kind = "identical",
) {
  const place = {
    query_start: query[0],
    query_end: query[1],
    source_document_start: source[0],
    source_document_end: source[1],
    match_type: kind,
  };
  return { ...place, runs: [place], meaning: null };
}

const NONE: ReadonlySet<Kind> = new Set();
const lengths = { query: 1_000, source: 2_000 };
const at = (
  passages: readonly PairedPassage[],
  offset: number,
  near = 0,
  side: "query" | "source" = "query",
) => counterpartOf(passages, { side, offset, near }, lengths);

describe("the counterpart of a place", () => {
  const ordered = pairedPassages(
    [wirePassage([100, 200], [300, 500]), wirePassage([400, 500], [900, 1_000])],
    NONE,
  );

  it("lies in the same passage at the same share, on both sides", () => {
    expect([at(ordered, 100), at(ordered, 150), at(ordered, 450)]).to.deep.equal([300, 400, 950]);
    expect(at(ordered, 400, 0, "source")).to.equal(150);
  });

  it("lies at the same share of what is between two passages, and before and after them", () => {
    expect([at(ordered, 50), at(ordered, 300), at(ordered, 750)]).to.deep.equal([150, 700, 1_500]);
  });

  it("follows the nearer passage where the order differs", () => {
    const crossed = pairedPassages(
      [wirePassage([100, 200], [900, 1_000]), wirePassage([400, 500], [300, 400])],
      NONE,
    );
    expect([at(crossed, 220), at(crossed, 380)]).to.deep.equal([1_020, 280]);
  });

  it("is the one nearest to what the other text shows, where several passages have the same source", () => {
    const twice = pairedPassages(
      [wirePassage([100, 200], [300, 400]), wirePassage([600, 700], [300, 400])],
      NONE,
    );
    expect(at(twice, 350, 0, "source")).to.equal(150);
    expect(at(twice, 350, 900, "source")).to.equal(650);
  });

  it("is the same share of the whole text when nothing is shared", () => {
    expect(at([], 500)).to.equal(1_000);
  });

  it("is always a place of the other text, and goes forward while the order is the same", () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 4, maxLength: 12 });
    const law = fc.property(cuts, fc.integer({ min: 0, max: 998 }), (points, offset) => {
      const sorted = points.toSorted((a, b) => a - b);
      const passages = pairedPassages(
        Array.from({ length: Math.floor(sorted.length / 2) }, (_, index) => {
          const span = [sorted[2 * index] ?? 0, sorted[2 * index + 1] ?? 0] as const;
          return wirePassage(span, [2 * span[0], 2 * span[1]]);
        }),
        NONE,
      );
      const [one, next] = [at(passages, offset), at(passages, offset + 1)];
      expect(one).to.be.within(0, lengths.source);
      expect(next).to.be.at.least(one);
      expect(at(passages, one, 0, "source")).to.be.closeTo(offset, 1);
    });
    fc.assert(law, { seed: 5, numRuns: 300 });
  });
});

describe("the passages of a pair", () => {
  const text = "a".repeat(5_000);
  const passages = [wirePassage([10, 50], [100, 140]), wirePassage([60, 90], [120, 200], "paraphrased")];

  it("are cut into segments that are the whole text, with all passages of each", () => {
    for (const side of ["query", "source"] as const) {
      const shown = pairedPassages(passages, NONE);
      const segments = sideSegments(textBlocks(text), {
        side,
        passages: shown,
        flags: [],
        uncompared: [{ start: 0, end: 5, reason: "a header" }],
      });
      expect(
        segments
          .flat()
          .map(({ start, end }) => text.slice(start, end))
          .join(""),
      ).to.equal(text);
      for (const { start, passages: own } of segments.flat())
        expect(own).to.deep.equal(shown.filter((one) => one[side].start <= start && start < one[side].end));
      expect(segments.flat().flatMap(({ begins }) => begins)).to.deep.equal(shown);
      expect(segments[0]?.[0]?.uncompared).to.equal("a header");
    }
  });

  it("keep their numbers when a kind is hidden", () => {
    const shown = pairedPassages(passages, new Set(["identical"]));
    expect(shown.map(({ index }) => index)).to.deep.equal([1]);
  });

  it("follow each other around", () => {
    const shown = pairedPassages(passages, NONE);
    const [first, last] = shown;
    expect(passageBeside(shown, undefined, 1)).to.equal(first);
    expect(passageBeside(shown, first, 1)).to.equal(last);
    expect(passageBeside(shown, last, 1)).to.equal(first);
    expect(passageBeside(shown, undefined, -1)).to.equal(last);
    expect(passageBeside([], undefined, 1)).to.equal(undefined);
  });
});
