import { expect } from "chai";
import {
  type Centroids,
  firstCentroids,
  movedCentroids,
  nearestCentroids,
} from "../../../src/matching/meaning/centroids.ts";
import {
  BACKGROUND_CENTROIDS,
  type Calibration,
  meanOf,
} from "../../../src/matching/meaning/meaning-model.ts";
import { measureCalibration, neighboursOf } from "../../../src/matching/meaning/measure-calibration.ts";
import { mulberry32 } from "../../support/work/prose.ts";

const DIMENSIONS = 64;
const SENTENCES = 1_600;
const SUBJECTS = 40;

/** Sentences on some subjects. `common`: how much all have in common, as the vectors of many models do. */
function vectorsOf(common: number): Centroids {
  const random = mulberry32(5);
  const noise = () => random() + random() + random() - 1.5;
  const subjects = Array.from({ length: SUBJECTS }, () => Array.from({ length: DIMENSIONS }, noise));
  const values = new Float32Array(SENTENCES * DIMENSIONS);
  for (let at = 0; at < SENTENCES; at++) {
    const vector = (subjects[at % SUBJECTS] ?? []).map((value) => 0.6 * value + noise() + common);
    const length = Math.hypot(...vector);
    values.set(
      vector.map((value) => value / length),
      at * DIMENSIONS,
    );
  }
  return { dimensions: DIMENSIONS, values };
}

const rows = ({ dimensions, values }: Centroids, from: number, to: number): Centroids => ({
  dimensions,
  values: values.subarray(from * dimensions, to * dimensions),
});
const rowsOf = (vectors: Centroids) =>
  Array.from({ length: vectors.values.length / DIMENSIONS }, (_, at) => rows(vectors, at, at + 1).values);
const nearest = (vectors: Centroids, others: Centroids, count: number) =>
  rowsOf(vectors).map((vector) => nearestCentroids(vector, others, count));
const cosine = (x: Float32Array, y: Float32Array) =>
  x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);

function calibrate(vectors: Centroids): { readonly calibration: Calibration; readonly centroids: Centroids } {
  const [others, queries] = [rows(vectors, 0, 1_400), rows(vectors, 1_400, SENTENCES)];
  let centroids = firstCentroids(others, 200);
  for (let round = 0; round < 3; round++) {
    const assigned = nearest(others, centroids, 1).map(([near]) => near?.centroid ?? 0);
    centroids = movedCentroids(others, assigned, centroids);
  }
  const calibration = measureCalibration({
    queries,
    others,
    mean: meanOf(centroids),
    nearestCentroids: nearest(queries, centroids, BACKGROUND_CENTROIDS),
    nearestOthers: nearest(queries, others, 8),
  });
  return { calibration, centroids };
}

describe("the calibration of a model", () => {
  it("makes the margins of models comparable whose cosines lie close together and far apart", () => {
    const margins = [0, 2].map((common) => {
      const vectors = vectorsOf(common);
      const { calibration, centroids } = calibrate(vectors);
      const { base, slope } = calibration.background;
      const [first, ...others] = rowsOf(rows(vectors, 1_400, 1_420));
      const background = (vector: Float32Array) => {
        const near = nearestCentroids(vector, centroids, BACKGROUND_CENTROIDS);
        return base + (slope * near.reduce((sum, one) => sum + one.cosine, 0)) / near.length;
      };
      const query = first ?? new Float32Array();
      const of = (other: Float32Array) =>
        (cosine(query, other) - (background(query) + background(other)) / 2) * calibration.marginScale;
      return {
        self: of(query),
        others: others.map(of),
        cosines: others.map((other) => cosine(query, other)),
      };
    });
    const [apart, close] = margins;
    expect(Math.max(...(apart?.cosines ?? []))).to.be.below(Math.min(...(close?.cosines ?? [])));
    expect((close?.self ?? 0) / (apart?.self ?? 1)).to.be.within(0.8, 1.25);
    for (const [at, margin] of (apart?.others ?? []).entries())
      expect(close?.others[at]).to.be.closeTo(margin, 0.2);
    expect(Math.max(...(close?.others ?? []))).to.be.below((close?.self ?? 0) / 2);
  });

  it("counts as many neighbours as the sample's size asks for", () => {
    expect([1_000, 12_000, 59_418].map(neighboursOf)).to.deep.equal([1, 4, 20]);
  });

  it("refuses vectors that are all the same", () => {
    const values = new Float32Array(SENTENCES * DIMENSIONS).fill(1 / Math.sqrt(DIMENSIONS));
    expect(() => calibrate({ dimensions: DIMENSIONS, values })).to.throw("do not tell sentences apart");
  });
});

describe("k-means", () => {
  it("moves centroids to where the vectors are, and leaves one that no vector is near", () => {
    const vectors = { dimensions: 2, values: Float32Array.from([1, 0, 0.8, 0.6, 0, 1]) };
    const centroids = { dimensions: 2, values: Float32Array.from([1, 0, 0, 1, -1, 0]) };
    const moved = movedCentroids(vectors, [0, 0, 1], centroids);
    const expected = [1.8 / Math.hypot(1.8, 0.6), 0.6 / Math.hypot(1.8, 0.6), 0, 1, -1, 0];
    for (const [at, value] of expected.entries()) expect(moved.values[at]).to.be.closeTo(value, 1e-6);
  });
});
