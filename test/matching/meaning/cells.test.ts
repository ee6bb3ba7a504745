import { expect } from "chai";
import { Cells, DIRECTIONS } from "../../../src/matching/meaning/cells.ts";
import { nearestCentroids } from "../../../src/matching/meaning/centroids.ts";
import { meanOf } from "../../../src/matching/meaning/meaning-model.ts";
import { mulberry32 } from "../../support/work/prose.ts";

const DIMENSIONS = 64;
const CENTROIDS = 300;

describe("the cells of a model", () => {
  const random = mulberry32(3);
  const unit = (values: Float32Array) => {
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  const vectorOf = () => unit(Float32Array.from({ length: DIMENSIONS }, () => random() + random() - 1));
  const values = new Float32Array(CENTROIDS * DIMENSIONS);
  for (let at = 0; at < CENTROIDS; at++) values.set(vectorOf(), at * DIMENSIONS);
  const centroids = { dimensions: DIMENSIONS, values };
  const cells = new Cells(centroids, meanOf(centroids));
  const nearestOf = (vector: Float32Array, count: number) =>
    cells.nearest(vector, nearestCentroids(vector, centroids, 8), count);

  it("are given nearest first, and are cells of the centroids", () => {
    const vector = vectorOf();
    const near = nearestOf(vector, 32);
    expect(near).to.have.lengthOf(32);
    expect(new Set(near.map(({ cell }) => cell)).size).to.equal(32);
    expect(near.map(({ cosine }) => cosine)).to.deep.equal(
      near.map(({ cosine }) => cosine).toSorted((a, b) => b - a),
    );
    expect(near.every(({ cosine }) => Math.abs(cosine) <= 1)).to.equal(true);
    const owners = nearestCentroids(vector, centroids, 8).map(({ centroid }) => centroid);
    for (const { cell } of near) expect(owners).to.include(Math.floor(cell / DIRECTIONS));
  });

  it("bring vectors together that are near each other, and keep others of the same centroid apart", () => {
    let [found, chance] = [0, 0];
    const others = Array.from({ length: 200 }, vectorOf);
    for (let round = 0; round < 200; round++) {
      const vector = vectorOf();
      const changed = unit(vector.map((value) => value + 0.06 * (random() - 0.5)));
      const terms = new Set(nearestOf(vector, 16).map(({ cell }) => cell));
      if (terms.has(nearestOf(changed, 1)[0]?.cell ?? -1)) found++;
      if (terms.has(nearestOf(others[round] ?? vector, 1)[0]?.cell ?? -1)) chance++;
    }
    expect(found).to.be.above(190);
    expect(chance).to.be.below(10);
  });
});
