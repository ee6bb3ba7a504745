import { kill } from "node:process";
import { expect } from "chai";
import { LocalEncoder } from "../../../src/matching/encoder/local-encoder.ts";
import { EncoderUnavailable, type SentenceVectors } from "../../../src/matching/encoder/sentence-encoder.ts";
import { useEncoderFiles } from "../../support/encoder.ts";

const KEEPER = [
  "The keeper carried whale oil up the stairs every evening.",
  "Der Wärter trug jeden Abend Walöl die Treppe hinauf.",
  "灯台守は毎晩鯨油を階段で運んだ。",
];
const OTHER = "Prices of wheat fell sharply after the harvest.";

describe("the sentence encoder", function () {
  this.timeout(120_000);
  const encoderFiles = useEncoderFiles();
  let encoder: LocalEncoder;

  before(() => {
    encoder = new LocalEncoder(encoderFiles.files);
  });
  after(() => encoder?.close());

  const vectorOf = ({ values, dimensions }: SentenceVectors, row: number) =>
    values.slice(row * dimensions, (row + 1) * dimensions);
  const cosine = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

  it("gives the vectors of the published model", async () => {
    // The first dimensions and the cosines, by the package's own program in Python, whose weights are not rounded.
    const vectors = await encoder.encode(KEEPER, "check");
    const expected = [
      [-0.0615, 0.0197, 0.0116, -0.0634],
      [-0.0581, -0.0658, 0.017, 0.0248],
      [-0.0619, -0.0827, 0.0141, -0.0106],
    ];
    for (const [row, dimensions] of expected.entries())
      for (const [at, value] of dimensions.entries())
        expect(vectorOf(vectors, row)[at]).to.be.closeTo(value, 0.005);
    expect(cosine(vectorOf(vectors, 0), vectorOf(vectors, 1))).to.be.closeTo(0.669, 0.004);
    expect(cosine(vectorOf(vectors, 0), vectorOf(vectors, 0))).to.be.closeTo(1, 0.0001);
  });

  it("finds a translation more similar than another sentence", async () => {
    const vectors = await encoder.encode([...KEEPER, OTHER], "check");
    for (const translation of [1, 2])
      expect(cosine(vectorOf(vectors, 0), vectorOf(vectors, translation))).to.be.above(
        cosine(vectorOf(vectors, 0), vectorOf(vectors, 3)) + 0.2,
      );
  });

  it("gives a sentence the same vector in any batch, and no vectors for no sentences", async () => {
    // Long enough for several runs of the model in each message; one is longer than what counts of a sentence.
    const many = Array.from(
      { length: 70 },
      (_, at) => `Number ${at} of them: ${`${OTHER} `.repeat(at === 5 ? 40 : 1 + (at % 7))}and number ${at}.`,
    );
    const together = await encoder.encode(many, "corpus");
    for (const at of [0, 5, 31, 32, 41, 69]) {
      const alone = await encoder.encode(many.slice(at, at + 1), "check");
      expect(cosine(vectorOf(together, at), vectorOf(alone, 0)), `${at}`).to.be.closeTo(1, 0.00001);
    }
    expect((await encoder.encode([], "check")).values).to.have.length(0);
  });

  it("finds the nearest centroids", async () => {
    const vectors = await encoder.encode([...KEEPER, OTHER], "check");
    const nearest = await encoder.nearest(vectors, vectors, 2, "check");
    expect(nearest.map(([first]) => first?.centroid)).to.deep.equal([0, 1, 2, 3]);
    expect(nearest[1]?.map(({ centroid }) => centroid)).to.deep.equal([1, 0]);
    expect(nearest[0]?.[0]?.cosine).to.be.closeTo(1, 0.0001);
  });

  it("encodes on when its process was killed", async () => {
    const { processId } = encoder;
    if (processId === undefined) throw new Error("the encoder has no process");
    kill(processId, "SIGKILL");
    expect((await encoder.encode(KEEPER, "check")).values).to.have.length(3 * 512);
    expect(encoder.processId).not.to.equal(processId);
  });

  it("says that it is unavailable when its files are damaged", async () => {
    const { files } = encoderFiles;
    const other = import.meta.filename;
    for (const [wrong, message] of [
      [{ ...files, graph: other }, /./],
      [{ ...files, pieceTable: other }, /is damaged: delete its folder/],
      [{ ...files, pieces: other }, /is damaged: delete its folder/],
    ] as const) {
      const damaged = new LocalEncoder(wrong);
      const failure = await damaged.encode(KEEPER, "check").catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(EncoderUnavailable);
      expect(String(failure)).to.match(message);
      await damaged.close();
    }
  });
});
