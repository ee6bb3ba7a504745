import { expect } from "chai";
import fc from "fast-check";
import { type Point, type Series, trendOf } from "../../../measure/load/trend.ts";
import { trendPlot } from "../../../measure/load/trend-plot.ts";

const seriesOf = (points: readonly Point[]): Series => ({
  name: "memory & more",
  unit: "MB",
  riseShareMax: 0.1,
  riseMax: 1,
  points,
  warmUp: [],
});

describe("a trend", () => {
  it("of a straight line is that line, whatever its rise", () => {
    const numbers = fc.integer({ min: -1_000, max: 1_000 });
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 2, max: 50 }), (start, slope, count) => {
        const points = Array.from({ length: count }, (_, at) => ({
          seconds: 10 * at,
          value: start + slope * 10 * at,
        }));
        const trend = trendOf(seriesOf(points));
        expect(trend.slope).to.be.closeTo(slope, 1e-6);
        expect(trend.start).to.be.closeTo(start, 1e-4);
        expect(trend.rise).to.be.closeTo(slope * 10 * (count - 1), 1e-4);
      }),
      { seed: 8 },
    );
  });

  it("is flat when it rises by less than the share of its mean, falls, or goes up and down", () => {
    const line = (rise: number) => [0, 1, 2, 3].map((at) => ({ seconds: at, value: 100 + (rise * at) / 3 }));
    expect(trendOf(seriesOf(line(9))).isFlat).to.equal(true);
    expect(trendOf(seriesOf(line(12))).isFlat).to.equal(false);
    expect(trendOf(seriesOf(line(-50))).isFlat).to.equal(true);
    const zigzag = Array.from({ length: 100 }, (_, at) => ({ seconds: at, value: at % 2 === 0 ? 50 : 150 }));
    expect(trendOf(seriesOf(zigzag)).isFlat).to.equal(true);
  });

  it("of few small numbers may rise by a fixed amount", () => {
    const points = [2, 2, 3, 3].map((value, at) => ({ seconds: at, value }));
    expect(trendOf({ ...seriesOf(points), riseMax: 2 }).isFlat).to.equal(true);
    expect(trendOf({ ...seriesOf(points), riseMax: 0 }).isFlat).to.equal(false);
  });

  it("is drawn with its points and its line, its name escaped", () => {
    const points = [10, 20].map((seconds) => ({ seconds, value: seconds }));
    const plot = trendPlot("Soak", [{ ...seriesOf(points), warmUp: [{ seconds: 0, value: 1 }] }]);
    expect(plot)
      .to.match(/^<svg [^>]+>/)
      .and.to.include("memory &amp; more")
      .and.to.include("<polyline");
    expect(plot).not.to.match(/NaN|undefined/);
  });
});
