import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { RunStore } from "../../src/checks/run-store.ts";
import { MeaningStore } from "../../src/corpus/documents/meaning-store.ts";
import { EncoderModels } from "../../src/corpus/meaning/encoder-models.ts";
import { encodeQuery } from "../../src/matching/encode-query.ts";
import { analyseQuery } from "../../src/matching/tasks.ts";
import { CountingEncoder, DIMENSIONS } from "../support/counting-encoder.ts";
import { useEngine } from "../support/use-engine.ts";

describe("the encoding of a long text that is checked", () => {
  // Without a worker, the runs are this test's own.
  const engine = useEngine({ roles: ["engine"] });
  const runs = new RunStore();
  const meaning = new MeaningStore();
  const encoder = new CountingEncoder();
  const text = Array.from(
    { length: 1_000 },
    (_, at) => `The sentence of this text has the number ${at}.`,
  ).join(" ");

  before(() =>
    engine.database.transaction((transaction) =>
      meaning.addModel(transaction, {
        model: encoder.model,
        dimensions: DIMENSIONS,
        centroids: new Int8Array(7 * DIMENSIONS).fill(1),
        calibration: {
          background: { base: 0.1, slope: 0.7 },
          code: { scale: 0.06, offset: 0 },
          marginScale: 1,
        },
      }),
    ),
  );

  function encodeIn(checkId: string, runId: string) {
    const { database } = engine;
    const encoderModels = new EncoderModels({
      database,
      meaning,
      encoders: { wanted: encoder.model, open: async () => encoder },
    });
    const kept = {
      find: (generation: number) => runs.findVectors(database, checkId, generation),
      keep: (generation: number, first: number, vectors: Float32Array) =>
        runs.keepVectors(database, { checkId, runId }, generation, first, vectors),
    };
    const { sentences } = analyseQuery({ text, language: "en", withSentences: true });
    return encodeQuery(sentences, {
      encoder: encoderModels,
      vectors: kept,
      signal: new AbortController().signal,
    });
  }

  it("is not repeated by the next run, which compares with the same vectors", async () => {
    const checkId = await engine.client.submit(text);
    const [cutOff, next, again] = [randomUUID(), randomUUID(), randomUUID()];
    await runs.start(engine.database, checkId, cutOff);
    encoder.callsLeft = 5;
    expect(await encodeIn(checkId, cutOff)).to.deep.equal({ reason: "unavailable" });
    expect(encoder.encoded).to.have.lengthOf(640);

    encoder.callsLeft = Number.POSITIVE_INFINITY;
    await runs.start(engine.database, checkId, next);
    const encoded = await encodeIn(checkId, next);
    expect(encoder.encoded).to.have.lengthOf(1_000);
    expect(new Set(encoder.encoded).size).to.equal(1_000);

    await runs.start(engine.database, checkId, again);
    const fromKept = await encodeIn(checkId, again);
    expect(encoder.encoded).to.have.lengthOf(1_000);
    expect(fromKept).to.have.property("sentences").that.has.lengthOf(1_000);
    expect(vectorsIn(fromKept)).to.deep.equal(vectorsIn(encoded));

    await runs.dropKept(engine.database, checkId);
    expect((await runs.findVectors(engine.database, checkId, 1)).size).to.equal(0);
  }).timeout(120_000);
});

function vectorsIn(encoded: Awaited<ReturnType<typeof encodeQuery>>) {
  return "sentences" in encoded ? encoded.sentences.map(({ vector }) => vector) : undefined;
}
