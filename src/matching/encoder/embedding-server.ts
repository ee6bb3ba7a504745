import { z } from "zod";
import { Slots, type Turn } from "../../platform/flow/slots.ts";
import { HttpFailure, politeRequest, readText } from "../../platform/http-client/polite-request.ts";
import type { Centroids, NearCentroid } from "../meaning/centroids.ts";
import {
  EncoderUnavailable,
  type EncodingPriority,
  type SentenceEncoder,
  type SentenceVectors,
} from "./sentence-encoder.ts";

/** Sentences in one request: the most that text-embeddings-inference takes by default. */
const BATCH_SENTENCES = 32;

/** Requests that the server answers at a time: the corpus fills two, so a check never waits for it. */
const REQUESTS_AT_ONCE = 4;

/** A batch takes 2.6 s on one slow core; the first may have to wait until the server has loaded its model. */
const ANSWER_WITHIN_MS = 60_000;

/** 32 vectors of 4,096 numbers, the most that usual models have, take 3.5 MB. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** A check can't wait for more attempts, and the encoding of documents restarts by itself. */
const ATTEMPTS_MAX = 3;

/** How long a check waits for its vectors, all in all. The slowest server that was measured encodes 13 sentences a second. */
const CHECK_WAIT = { baseMs: 10_000, perSentenceMs: 100, maxMs: 60_000 } as const;

/** How long checks don't ask the server after a failure: they would most likely fail too. The encoding of documents goes on trying. */
const CHECKS_PAUSE_MS = 10_000;

/** The start of a longer sentence stands for it: small models take 512 tokens, which 1,000 bytes hardly ever exceed. */
const SENTENCE_BYTES_MAX = 1_000;

/** A sentence that is refused for its length is halved down to this. */
const SENTENCE_CHARS_MIN = 60;

/** Statuses by which servers refuse a batch or a sentence for its length. */
const TOO_LARGE: ReadonlySet<number> = new Set([400, 413, 422]);

/** A code of fewer dimensions would tell sentences apart badly. */
const DIMENSIONS_MIN = 64;

/** Vectors whose nearest centroids are sought in one task: 0.1 s of a thread. */
const NEAREST_AT_ONCE = 64;

export type EmbeddingServerOptions = {
  /** The base of the interface, such as `http://127.0.0.1:11434/v1`; `/embeddings` is appended. */
  readonly url: string;
  /** As the server knows it. */
  readonly modelName: string;
  readonly apiKey: string | undefined;
  /** Finds centroids in another thread; see `nearestCentroids`. */
  readonly findNearest: (input: {
    readonly vectors: SentenceVectors;
    readonly centroids: Centroids;
    readonly count: number;
  }) => Promise<NearCentroid[][]>;
};

/** Fingerprints name a model of an embedding server by this and its own name. */
export const SERVER_MODEL = "server:";

/** An encoder behind the interface of OpenAI's embeddings. Sentences are sent to no other address than the given one. */
export class EmbeddingServer implements SentenceEncoder {
  readonly model: string;
  readonly #options: EmbeddingServerOptions;
  readonly #address: URL;
  readonly #slots = new Slots(REQUESTS_AT_ONCE);
  readonly #closing = new AbortController();
  #failure: { readonly at: number; readonly reason: string } | undefined;
  #shared: { readonly of: Centroids; readonly centroids: Centroids } | undefined;

  constructor(options: EmbeddingServerOptions) {
    this.model = SERVER_MODEL + options.modelName;
    this.#options = options;
    this.#address = new URL(options.url);
    this.#address.pathname = `${this.#address.pathname.replace(/\/+$/, "")}/embeddings`;
  }

  async encode(
    sentences: readonly string[],
    priority: EncodingPriority,
    signal?: AbortSignal,
  ): Promise<SentenceVectors> {
    const stop = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    stop.throwIfAborted();
    if (priority === "corpus") return this.#encodeAll(sentences, priority, stop);
    if (this.#failure !== undefined && performance.now() - this.#failure.at < CHECKS_PAUSE_MS)
      throw new EncoderUnavailable(this.#failure.reason);
    const { baseMs, perSentenceMs, maxMs } = CHECK_WAIT;
    const waitMs = Math.min(maxMs, baseMs + perSentenceMs * sentences.length);
    const overdue = AbortSignal.timeout(waitMs);
    try {
      return await this.#encodeAll(sentences, priority, AbortSignal.any([stop, overdue]));
    } catch (error) {
      stop.throwIfAborted();
      if (!overdue.aborted) throw error;
      throw this.#failed(
        `${this.#address.host} did not answer a check within ${Math.round(waitMs / 1000)} s`,
      );
    }
  }

  async nearest(
    { dimensions, values }: SentenceVectors,
    centroids: Centroids,
    count: number,
  ): Promise<NearCentroid[][]> {
    if (dimensions !== centroids.dimensions)
      throw new EncoderUnavailable(
        `the embedding server ${this.#address.host} gives vectors of ${dimensions} dimensions for the model ${this.#options.modelName}, whose fingerprints have ${centroids.dimensions}; run \`npm run corpus:calibrate -- --replace\` if the model has changed`,
      );
    const shared = this.#share(centroids);
    const found: NearCentroid[][] = [];
    const size = NEAREST_AT_ONCE * dimensions;
    for (let from = 0; from < values.length; from += size) {
      const vectors = { dimensions, values: values.slice(from, from + size) };
      found.push(...(await this.#options.findNearest({ vectors, centroids: shared, count })));
    }
    return found;
  }

  async close(): Promise<void> {
    this.#closing.abort(new EncoderUnavailable("the encoder is closed"));
  }

  async #encodeAll(
    sentences: readonly string[],
    priority: EncodingPriority,
    signal: AbortSignal,
  ): Promise<SentenceVectors> {
    // When one batch fails, the others are not worth their time.
    const failing = new AbortController();
    const either = AbortSignal.any([signal, failing.signal]);
    const batches: Promise<readonly Float32Array[]>[] = [];
    for (let from = 0; from < sentences.length; from += BATCH_SENTENCES) {
      const batch = sentences.slice(from, from + BATCH_SENTENCES).map(startOf);
      const turn: Turn = { signal: either, priority: priority === "check" ? "foreground" : "background" };
      batches.push(this.#slots.run(() => this.#embed(batch, either), turn));
    }
    const vectors = await Promise.all(batches).catch((error: unknown) => {
      failing.abort(error);
      throw error;
    });
    const all = vectors.flat();
    const dimensions = all[0]?.length ?? 0;
    const other = all.find(({ length }) => length !== dimensions);
    if (other !== undefined)
      throw this.#failed(
        `${this.#address.host} gave vectors of ${dimensions} and of ${other.length} dimensions`,
      );
    const values = new Float32Array(sentences.length * dimensions);
    for (const [at, vector] of all.entries()) values.set(vector, at * dimensions);
    return { dimensions, values };
  }

  /** One vector of length 1 for each text. Texts that are refused for their length are sent in smaller parts. */
  async #embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    try {
      const vectors = await this.#ask(texts, signal);
      this.#failure = undefined;
      return vectors;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpFailure)) throw error;
      const [first = ""] = texts;
      const isTooLarge = error.status !== undefined && TOO_LARGE.has(error.status);
      if (isTooLarge && texts.length > 1) {
        const half = texts.length >> 1;
        const left = await this.#embed(texts.slice(0, half), signal);
        return [...left, ...(await this.#embed(texts.slice(half), signal))];
      }
      if (isTooLarge && first.length > SENTENCE_CHARS_MIN)
        return this.#embed([first.slice(0, first.length >> 1).toWellFormed()], signal);
      throw this.#failed(`${error.message}${adviceFor(error.status)}`, error);
    }
  }

  /** @throws HttpFailure; EncoderUnavailable for an answer that holds no vectors. */
  async #ask(input: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const { modelName, apiKey } = this.#options;
    const access = { purpose: "embeddings", contact: null, pauseMs: 0, signal };
    const body = await politeRequest(
      access,
      {
        url: this.#address,
        accept: "application/json",
        headers: () => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        timeoutMs: ANSWER_WITHIN_MS,
        attemptsMax: ATTEMPTS_MAX,
        json: { model: modelName, input, encoding_format: "float" },
      },
      async (response) => ({ kind: "answer", value: await readText(response, ANSWER_BYTES_MAX) }),
    );
    const vectors = readVectors(body, input.length);
    if (typeof vectors === "string") throw this.#failed(`${this.#address.host} gave ${vectors}`);
    const short = vectors.find(({ length }) => length < DIMENSIONS_MIN);
    if (short !== undefined)
      throw this.#failed(
        `${this.#address.host} gave a vector of ${short.length} dimensions; at least ${DIMENSIONS_MIN} are needed`,
      );
    return vectors;
  }

  #failed(reason: string, cause?: unknown): EncoderUnavailable {
    const message = `the embedding server ${reason}`;
    this.#failure = { at: performance.now(), reason: message };
    return new EncoderUnavailable(message, { cause });
  }

  /** In memory that threads share: 16 MB would be copied with each task otherwise. */
  #share(centroids: Centroids): Centroids {
    if (this.#shared?.of === centroids) return this.#shared.centroids;
    const { dimensions, values } = centroids;
    const shared = new Float32Array(new SharedArrayBuffer(values.byteLength));
    shared.set(values);
    this.#shared = { of: centroids, centroids: { dimensions, values: shared } };
    return this.#shared.centroids;
  }
}

/** The advice for a status. */
function adviceFor(status: number | undefined): string {
  if (status === 401 || status === 403) return "; check EMBEDDINGS_API_KEY";
  if (status === 404) return "; check EMBEDDINGS_URL and EMBEDDINGS_MODEL";
  if (status !== undefined && status >= 300 && status < 400)
    return "; redirects are not followed, so EMBEDDINGS_URL must name the final address";
  return status === undefined ? "" : "; its log should say why";
}

function startOf(sentence: string): string {
  const bytes = Buffer.from(sentence);
  if (bytes.length <= SENTENCE_BYTES_MAX) return sentence;
  let end = SENTENCE_BYTES_MAX;
  // Continuation bytes of UTF-8 begin with the bits 10.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.unknown()) })),
});

/** The vectors of an answer in the order of the sentences, of length 1; or the fault in it. */
function readVectors(body: string, count: number): readonly Float32Array[] | string {
  const answer = Answer.safeParse(parseJson(body));
  if (!answer.success) return "an answer that is not of the form of OpenAI's embeddings";
  const { data } = answer.data;
  if (data.length !== count) return `${data.length} vectors for ${count} sentences`;
  const vectors: Float32Array[] = [];
  for (const [at, { index, embedding }] of data.toSorted((a, b) => a.index - b.index).entries()) {
    if (index !== at) return "vectors whose numbers are not those of the sentences";
    const vector = new Float32Array(embedding.length);
    let squares = 0;
    for (const [dimension, value] of embedding.entries()) {
      if (typeof value !== "number" || !Number.isFinite(Math.fround(value)))
        return "a vector with values that are no numbers";
      vector[dimension] = value;
      squares += value * value;
    }
    if (squares === 0) return "a vector of zeros";
    const length = Math.sqrt(squares);
    vectors.push(vector.map((value) => value / length));
  }
  return vectors;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
