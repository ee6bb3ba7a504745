import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import {
  EmbeddingServer,
  type EmbeddingServerOptions,
} from "../../../src/matching/encoder/embedding-server.ts";
import { EncoderUnavailable, type SentenceVectors } from "../../../src/matching/encoder/sentence-encoder.ts";
import { findNearestCentroids } from "../../../src/matching/preparation-tasks.ts";
import { EmbeddingsDouble, type OtherAnswer } from "../../support/servers/embeddings-double.ts";

const SECRET = "sk-very-secret";
const SENTENCE = "The keeper carried whale oil up the stairs.";

const sentences = (count: number) => Array.from({ length: count }, (_, at) => `${SENTENCE} Number ${at}.`);

describe("an embedding server of the user's own", function () {
  this.timeout(120_000);
  let server: EmbeddingsDouble;
  let encoder: EmbeddingServer;

  const encoderOf = (options: Partial<EmbeddingServerOptions> = {}) =>
    new EmbeddingServer({
      url: server.url,
      modelName: "some-model",
      apiKey: SECRET,
      findNearest: async (input) => findNearestCentroids(input),
      ...options,
    });

  beforeEach(async () => {
    server = new EmbeddingsDouble();
    await server.start();
    encoder = encoderOf();
  });
  afterEach(async () => {
    await encoder.close();
    await server.stop();
  });

  const failureOf = async (work: Promise<unknown>): Promise<string> => {
    const failure = await work.catch((error: unknown) => error);
    if (!(failure instanceof EncoderUnavailable)) throw new Error(`no such failure: ${failure}`);
    for (const hidden of [SECRET, "keeper"]) expect(failure.message).not.to.include(hidden);
    return failure.message;
  };

  /** The rows of vectors, to be compared with those that the server gave. */
  const rowsOf = ({ dimensions, values }: SentenceVectors) =>
    Array.from({ length: values.length / dimensions }, (_, row) =>
      values.slice(row * dimensions, (row + 1) * dimensions),
    );

  const expectVectors = (vectors: SentenceVectors, texts: readonly string[]) => {
    const rows = rowsOf(vectors);
    expect(rows).to.have.length(texts.length);
    for (const [at, text] of texts.entries())
      for (const [dimension, value] of server.vectorOf(text).entries())
        expect(rows[at]?.[dimension]).to.be.closeTo(value / 2, 1e-6);
  };

  it("is asked at BASE/embeddings in batches of 32, with model and key, and gives vectors of length 1", async () => {
    const texts = sentences(70);
    expectVectors(await encoder.encode(texts, "corpus"), texts);
    expect(server.requests.map(({ input }) => input.length).toSorted()).to.deep.equal([32, 32, 6]);
    for (const { path, authorization, model } of server.requests)
      expect([path, authorization, model]).to.deep.equal([
        "/v1/embeddings",
        `Bearer ${SECRET}`,
        "some-model",
      ]);
    expect((await encoder.encode([], "check")).values).to.have.length(0);
  });

  it("may have a slash and parameters at the end of its base, and needs no key", async () => {
    const other = encoderOf({ url: `${server.url}/?version=2`, apiKey: undefined });
    await other.encode([SENTENCE], "check");
    expect(server.requests[0]).to.include({ path: "/v1/embeddings?version=2", authorization: undefined });
  });

  it("may give the vectors in any order", async () => {
    server.answer = ({ input }) => ({ body: { data: server.rightAnswer(input).data.toReversed() } });
    const texts = sentences(5);
    expectVectors(await encoder.encode(texts, "check"), texts);
  });

  const changed =
    (change: (data: { index: number; embedding: unknown }[]) => unknown) => (): OtherAnswer => ({
      body: { data: change(server.rightAnswer(sentences(3)).data) },
    });
  const withFirst = (embedding: unknown) => changed(([, ...others]) => [{ index: 0, embedding }, ...others]);
  const WRONG: readonly (readonly [name: string, answer: () => OtherAnswer, reason: RegExp])[] = [
    ["too few vectors", changed((data) => data.slice(1)), /gave 2 vectors for 3 sentences/],
    ["a number twice", changed(([a, , c]) => [a, a, c]), /numbers are not those of the sentences/],
    ["null for NaN", withFirst([null, ...new Array(95).fill(0.1)]), /values that are no numbers/],
    ["infinite values", withFirst([1e39, ...new Array(95).fill(0.1)]), /values that are no numbers/],
    ["a vector of zeros", withFirst(new Array(96).fill(0)), /a vector of zeros/],
    ["vectors of several lengths", withFirst(new Array(97).fill(1)), /of 97 and of 96 dimensions/],
    ["base64 in spite of what was asked", withFirst("zczMPQ=="), /not of the form of OpenAI's/],
    ["invalid JSON", () => ({ body: '{"data": [' }), /not of the form of OpenAI's/],
    ["an answer without end", () => ({ body: "x".repeat(17_000_000) }), /an answer of more than 16 MiB/],
    ["another document", () => ({ body: { embeddings: [] } }), /not of the form of OpenAI's/],
    [
      "a refused key",
      () => ({ status: 401, body: `{"error": "${SECRET}"}` }),
      /401; check EMBEDDINGS_API_KEY/,
    ],
    ["an unknown model", () => ({ status: 404, body: {} }), /404; check EMBEDDINGS_URL and EMBEDDINGS_MODEL/],
    ["errors", () => ({ status: 500, body: { error: SENTENCE } }), /answered with status 500; its log/],
    [
      "a redirect, which is not followed",
      () => ({ status: 307, headers: { location: "http://127.0.0.1:9/" }, body: {} }),
      /307; redirects are not followed/,
    ],
  ];
  for (const [name, answer, reason] of WRONG)
    it(`is unavailable when it gives ${name}`, async () => {
      server.answer = answer;
      expect(await failureOf(encoder.encode(sentences(3), "corpus"))).to.match(reason);
      expect(server.requests.length).to.be.at.most(3);
    });

  it("is unavailable when its vectors have fewer than 64 dimensions", async () => {
    server.dimensions = 32;
    expect(await failureOf(encoder.encode([SENTENCE], "corpus"))).to.match(/at least 64 are needed/);
  });

  it("is of use again once another model with another number of dimensions was calibrated", async () => {
    server.dimensions = 96;
    const centroids = await encoder.encode([SENTENCE], "corpus");
    server.dimensions = 128;
    const others = await encoder.encode([SENTENCE], "corpus");
    expect(await failureOf(encoder.nearest(others, centroids, 1))).to.match(
      /128 dimensions .* have 96; run `npm run corpus:calibrate -- --replace`/,
    );
    expect(await encoder.nearest(others, others, 1)).to.have.lengthOf(1);
  });

  it("is asked again when it is busy, after the time that it names", async () => {
    const started = performance.now();
    server.answer = (_, index) =>
      index === 0 ? { status: 429, headers: { "retry-after": "2" }, body: {} } : undefined;
    expectVectors(await encoder.encode([SENTENCE], "check"), [SENTENCE]);
    expect(performance.now() - started).to.be.at.least(1_900);
  });

  it("is asked again after an error and a broken connection", async () => {
    server.answer = (_, index) => (index === 0 ? { status: 503, body: {} } : undefined);
    expectVectors(await encoder.encode([SENTENCE], "corpus"), [SENTENCE]);
    await server.stop();
    const waiting = encoder.encode([SENTENCE], "corpus");
    await sleep(500);
    await server.start();
    expectVectors(await waiting, [SENTENCE]);
  });

  it("is unavailable while nobody answers at its address", async () => {
    await server.stop();
    expect(await failureOf(encoder.encode([SENTENCE], "corpus"))).to.match(
      /could not be reached .*ECONNREFUSED/,
    );
  });

  it("gets smaller batches and shorter sentences when it refuses them for their length", async () => {
    server.answer = ({ input }) =>
      input.length > 8 || input.some(({ length }) => length > 400) ? { status: 413, body: {} } : undefined;
    const long = "oil ".repeat(500);
    const texts = [...sentences(20), long];
    const vectors = rowsOf(await encoder.encode(texts, "corpus"));
    expect(vectors).to.have.length(21);
    expect(Math.max(...server.requests.flatMap(({ input }) => input.map(({ length }) => length)))).to.equal(
      1_000,
    );
  });

  it("does not get the end of a sentence of more than 1,000 bytes, nor half a letter", async () => {
    await encoder.encode(["é".repeat(800), "x".repeat(2_000)], "corpus");
    expect(server.requests[0]?.input).to.deep.equal(["é".repeat(500), "x".repeat(1_000)]);
  });

  it("is asked four times at once at most, and for checks first", async () => {
    server.delayMs = 500;
    const corpus = encoder.encode(sentences(32 * 8), "corpus");
    const check = encoder.encode(["How much is a check?"], "check");
    await Promise.all([corpus, check]);
    expect(server.inFlightMax).to.equal(4);
    expect(server.requests.findIndex(({ input }) => input[0] === "How much is a check?")).to.equal(4);
  });

  it("does not let a check wait when it is silent, and the next one not at all", async () => {
    server.answer = () => ({});
    const busy = failureOf(encoder.encode(sentences(32 * 6), "corpus"));
    const started = performance.now();
    expect(await failureOf(encoder.encode([SENTENCE], "check"))).to.match(
      /did not answer a check within 10 s/,
    );
    expect(performance.now() - started).to.be.at.least(9_000);
    const next = performance.now();
    expect(await failureOf(encoder.encode([SENTENCE], "check"))).to.match(/did not answer a check/);
    expect(performance.now() - next, "without the wait of the first").to.be.below(5_000);
    await encoder.close();
    expect(await busy).to.match(/closed/);
  });

  it("stops when its caller does", async () => {
    server.answer = () => ({});
    const caller = new AbortController();
    const waiting = encoder.encode([SENTENCE], "check", caller.signal).catch((error: unknown) => error);
    caller.abort(new Error("the check was deleted"));
    expect(await waiting).to.have.property("message", "the check was deleted");
  });

  it("finds the nearest centroids without ONNX Runtime, and none of another dimension", async () => {
    const vectors = await encoder.encode(sentences(70), "corpus");
    const nearest = await encoder.nearest(vectors, vectors, 2);
    expect(nearest.map(([first]) => first?.centroid)).to.deep.equal(
      vectors.values.length === 0 ? [] : [...nearest.keys()],
    );
    expect(nearest[0]?.[0]?.cosine).to.be.closeTo(1, 1e-5);
    const other = { dimensions: 64, values: new Float32Array(64) };
    expect(await failureOf(encoder.nearest(vectors, other, 1))).to.match(/96 dimensions .* have 64; run/);
  });
});
