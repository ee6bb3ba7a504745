import { expect } from "chai";
import fc from "fast-check";
import type { IntegrityFlag } from "../../../../src/client/index.ts";
import {
  blockSegments,
  type Excluded,
  type Marks,
  placedPassages,
} from "../../../../src/web/browser/report/passages.ts";
import { wireSource } from "./wire-report.ts";

const NOTHING: Marks = { passages: [], flags: [], excluded: [], unique: [], margins: [] };
const BLOCKS = [
  { start: 0, end: 40 },
  { start: 40, end: 100 },
];

function placed(...sources: (readonly (readonly [number, number])[])[]) {
  const report = {
    sources: sources.map((places, index) => ({
      ...wireSource(String(index + 1), places),
      number: index + 1,
    })),
  };
  return placedPassages(report);
}

describe("the segments of a marked text", () => {
  it("cover the text without gaps, each with exactly the passages that cover it", () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 60 }))
      .map(([start, length]): [number, number] => [start, Math.min(100, start + length)]);
    fc.assert(
      fc.property(fc.array(fc.array(span, { maxLength: 4 }), { maxLength: 6 }), (sources) => {
        const passages = placed(...sources);
        const segments = blockSegments(BLOCKS, { ...NOTHING, passages }).flat();
        let at = 0;
        for (const segment of segments) {
          expect(segment.start).to.equal(at);
          at = segment.end;
          const covering = passages.filter(({ start, end }) => start <= segment.start && end >= segment.end);
          expect(segment.passages).to.have.same.members(covering);
          expect(segment.begins).to.have.same.members(
            passages.filter(({ start }) => start === segment.start),
          );
        }
        expect(at).to.equal(100);
        expect(segments.flatMap(({ begins }) => begins)).to.have.length(passages.length);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it("name the source with most text first, and end where a block ends", () => {
    const passages = placed([[10, 60]], [[0, 30]]);
    const [first = [], second = []] = blockSegments(BLOCKS, { ...NOTHING, passages });
    const seen = first.map(({ start, end, passages: own }) => [
      start,
      end,
      own.map(({ source }) => source.number).join(),
    ]);
    expect(seen).to.deep.equal([
      [0, 10, "2"],
      [10, 30, "1,2"],
      [30, 40, "1"],
    ]);
    expect(second.map(({ start, begins }) => [start, begins.length])).to.deep.equal([
      [40, 0],
      [60, 0],
    ]);
  });

  it("tell flagged text, excluded matches and matches of deleted documents apart", () => {
    const flag: IntegrityFlag = { kind: "homoglyphs", start: 5, end: 8, detail: "" };
    const excluded: Excluded = {
      source_document_id: "1",
      query_start: 20,
      query_end: 50,
      filter: "exclude_quotes",
    };
    const passages = placed([[30, 35]]);
    const unique = [
      [30, 35],
      [70, 80],
    ] as const;
    const segments = blockSegments(BLOCKS, {
      passages,
      flags: [flag],
      excluded: [excluded],
      unique,
      margins: [],
    }).flat();
    const at = (place: number) => segments.find(({ start, end }) => start <= place && place < end);
    expect(at(5)?.flags).to.deep.equal([flag]);
    expect(at(8)?.flags).to.deep.equal([]);
    expect(at(25)?.excluded).to.equal(excluded);
    expect(at(32)?.excluded, "a match that counts is not excluded").to.equal(undefined);
    expect(at(32)?.isOrphan).to.equal(false);
    expect(at(75)?.isOrphan).to.equal(true);
  });
});
