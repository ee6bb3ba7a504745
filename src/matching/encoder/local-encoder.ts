import { extname, resolve } from "node:path";
import { z } from "zod";
import { type Child, ChildLost, ChildPool } from "../../platform/child-pool/child-pool.ts";
import { errorMessage } from "../../platform/error-code.ts";
import { untilAborted } from "../../platform/flow/concurrency.ts";
import type { Centroids, NearCentroid } from "../meaning/centroids.ts";
import type { EncoderFiles } from "./encoder-files.ts";
import type { EncoderAnswer, EncoderRequest } from "./encoder-process.ts";
import {
  EncoderUnavailable,
  type EncodingPriority,
  type SentenceEncoder,
  type SentenceVectors,
} from "./sentence-encoder.ts";
import { USE_DIMENSIONS, USE_MODEL } from "./use-model.ts";

/** Sentences in one message: 15 ms of work, for which a check may have to wait. */
const BATCH_SENTENCES = 32;

/** A batch takes 15 ms; a process that is this late hangs. */
const ANSWER_WITHIN_MS = 60_000;

/** A failed start costs a second. */
const RESTART_AFTER_MS = 30_000;

/** Encoding takes a core of this machine: the corpus leaves it to a check for this time after its sentences are encoded. */
const PAUSE_FOR_CHECKS_MS = 300;

/** The program itself takes 20 MB; without a limit, the memory that loading needs is held for long. */
const HEAP_MB = 48;

type EncoderChild = Child<EncoderAnswer>;

/** The Universal Sentence Encoder in its own process, which starts with the first sentence and again after it has died. */
export class LocalEncoder implements SentenceEncoder {
  readonly model = USE_MODEL;
  readonly #pool: ChildPool<EncoderAnswer>;
  /** The centroids that a process has. */
  readonly #centroidsOf = new WeakMap<EncoderChild, Centroids>();

  constructor({ graph, pieceTable, pieces }: EncoderFiles) {
    this.#pool = new ChildPool({
      name: "the encoder",
      program: new URL(`./encoder-process${extname(import.meta.url)}`, import.meta.url),
      args: [graph, pieceTable, pieces].map((path) => resolve(path)),
      execArgv: [`--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=4"],
      environment: {
        // ONNX Runtime reports its use to its maker unless this is set. Nothing may leave the machine.
        ORT_DISABLE_TELEMETRY: "1",
        // One pool for all threads, as only one of them computes at a time: 20 MB less. The service itself has more.
        MALLOC_ARENA_MAX: "1",
      },
      stderr: "inherit",
      answer: z.custom<EncoderAnswer>((value) => value instanceof Float32Array || Array.isArray(value)),
      processes: 1,
      limits: { backgroundPauseMs: PAUSE_FOR_CHECKS_MS },
      timeMs: ANSWER_WITHIN_MS,
      idleMs: Number.POSITIVE_INFINITY,
      startPauseMs: RESTART_AFTER_MS,
    });
  }

  async encode(
    sentences: readonly string[],
    priority: EncodingPriority,
    signal?: AbortSignal,
  ): Promise<SentenceVectors> {
    signal?.throwIfAborted();
    const batches: Promise<EncoderAnswer>[] = [];
    for (let from = 0; from < sentences.length; from += BATCH_SENTENCES) {
      const batch = sentences.slice(from, from + BATCH_SENTENCES);
      const request: EncoderRequest = { kind: "encode", sentences: batch };
      batches.push(this.#run((child) => child.ask(request), priority, signal));
    }
    // A batch in progress is finished, because ending its process would cost others half a second.
    const all = Promise.all(batches);
    const values = new Float32Array(sentences.length * USE_DIMENSIONS);
    for (const [at, part] of (await (signal === undefined ? all : untilAborted(all, signal))).entries()) {
      if (!(part instanceof Float32Array)) throw new Error("the encoder's process gave no vectors");
      values.set(part, at * BATCH_SENTENCES * USE_DIMENSIONS);
    }
    return { dimensions: USE_DIMENSIONS, values };
  }

  async nearest(
    { dimensions, values }: SentenceVectors,
    centroids: Centroids,
    count: number,
    priority: EncodingPriority,
  ): Promise<NearCentroid[][]> {
    const batches: Promise<EncoderAnswer>[] = [];
    const size = BATCH_SENTENCES * dimensions;
    for (let from = 0; from < values.length; from += size) {
      const vectors = values.slice(from, from + size);
      batches.push(this.#run((child) => this.#askNearest(child, vectors, centroids, count), priority));
    }
    return (await Promise.all(batches)).flatMap((part) => {
      if (part instanceof Float32Array) throw new Error("the encoder's process gave no centroids");
      return part.map((near) => [...near]);
    });
  }

  /** Undefined while there is none. */
  get processId(): number | undefined {
    return this.#pool.processIds[0];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #askNearest(
    child: EncoderChild,
    vectors: Float32Array,
    centroids: Centroids,
    count: number,
  ): Promise<EncoderAnswer> {
    const isSent = this.#centroidsOf.get(child) === centroids;
    const request: EncoderRequest = { kind: "nearest", vectors, count, ...(!isSent && { centroids }) };
    const answer = await child.ask(request);
    this.#centroidsOf.set(child, centroids);
    return answer;
  }

  /** A process that dies may have been killed for its memory or by hand: the job is tried once more in a new one. */
  async #run(
    job: (child: EncoderChild) => Promise<EncoderAnswer>,
    priority: EncodingPriority,
    signal?: AbortSignal,
  ): Promise<EncoderAnswer> {
    const attempt = () =>
      this.#pool.run(job, { signal, priority: priority === "check" ? "foreground" : "background" });
    try {
      return await attempt().catch((error: unknown) => {
        if (error instanceof ChildLost && error.reason !== "not started") return attempt();
        throw error;
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new EncoderUnavailable(errorMessage(error));
    }
  }
}
