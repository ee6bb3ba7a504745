import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { z } from "zod";
import type { Centroids, NearCentroid } from "../meaning/centroids.ts";
import type { EncoderFiles } from "./encoder-files.ts";
import type { EncoderRequest, EncoderResult } from "./encoder-process.ts";
import { EncodingQueue, PAUSE_FOR_CHECKS_MS } from "./encoding-queue.ts";
import {
  EncoderUnavailable,
  type EncodingPriority,
  type SentenceEncoder,
  type SentenceVectors,
} from "./sentence-encoder.ts";
import { USE_DIMENSIONS, USE_MODEL } from "./use-model.ts";

/** Sentences in one message: 15 ms of work, for which a check may have to wait. */
const BATCH_SENTENCES = 32;

/** Loading takes half a second, and longer beside busy programs. */
const START_WITHIN_MS = 60_000;

/** A batch takes 15 ms; a process that is this late hangs. */
const ANSWER_WITHIN_MS = 60_000;

/** After a failed start, none is tried for so long: each costs a second. */
const RESTART_AFTER_MS = 30_000;

const END_WITHIN_MS = 2_000;

/** The program itself takes 20 MB; without a limit, what loading it leaves behind stays for long. */
const HEAP_MB = 48;

const Message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("result"), value: z.custom<EncoderResult>().optional() }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);

type Job = (process: EncoderProcess) => Promise<EncoderResult>;

/** The Universal Sentence Encoder in a process of its own, which starts with the first sentence and again after it has died. */
export class LocalEncoder implements SentenceEncoder {
  readonly model = USE_MODEL;
  readonly #files: EncoderFiles;
  readonly #queue = new EncodingQueue(1, PAUSE_FOR_CHECKS_MS);
  #process: EncoderProcess | undefined;
  #failure: { readonly at: number; readonly reason: string } | undefined;
  #isClosed = false;

  constructor(files: EncoderFiles) {
    this.#files = files;
  }

  async encode(
    sentences: readonly string[],
    priority: EncodingPriority,
    signal?: AbortSignal,
  ): Promise<SentenceVectors> {
    signal?.throwIfAborted();
    const batches: Promise<EncoderResult>[] = [];
    for (let from = 0; from < sentences.length; from += BATCH_SENTENCES) {
      const batch = sentences.slice(from, from + BATCH_SENTENCES);
      batches.push(
        this.#do((process) => process.ask({ kind: "encode", sentences: batch }), priority, signal),
      );
    }
    const values = new Float32Array(sentences.length * USE_DIMENSIONS);
    for (const [at, part] of (await Promise.all(batches)).entries()) {
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
    const batches: Promise<EncoderResult>[] = [];
    const size = BATCH_SENTENCES * dimensions;
    for (let from = 0; from < values.length; from += size) {
      const vectors = values.slice(from, from + size);
      batches.push(this.#do((process) => process.nearest(vectors, centroids, count), priority, undefined));
    }
    return (await Promise.all(batches)).flatMap((part) => {
      if (part === undefined || part instanceof Float32Array)
        throw new Error("the encoder's process gave no centroids");
      return part.map((near) => [...near]);
    });
  }

  /** Undefined while there is none. */
  get processId(): number | undefined {
    return this.#process?.id;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process?.end();
  }

  #do(job: Job, priority: EncodingPriority, signal: AbortSignal | undefined): Promise<EncoderResult> {
    return this.#queue.run(() => this.#runJob(job), priority, signal);
  }

  /** A process that dies may have been killed for its memory or by hand: the job is tried once more in a new one. */
  async #runJob(job: Job): Promise<EncoderResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await job(await this.#startedProcess());
      } catch (error) {
        if (!(error instanceof ProcessLost) || attempt > 1 || this.#isClosed)
          throw new EncoderUnavailable(error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #startedProcess(): Promise<EncoderProcess> {
    if (this.#isClosed) throw new EncoderUnavailable("the encoder is closed");
    if (this.#process?.isAlive === true) return this.#process;
    if (this.#failure !== undefined && performance.now() - this.#failure.at < RESTART_AFTER_MS)
      throw new EncoderUnavailable(this.#failure.reason);
    const fresh = new EncoderProcess(this.#files);
    this.#process = fresh;
    try {
      await fresh.started;
      this.#failure = undefined;
      return fresh;
    } catch (error) {
      const reason = `the encoder does not start: ${error instanceof Error ? error.message : String(error)}`;
      this.#failure = { at: performance.now(), reason };
      throw new EncoderUnavailable(reason);
    }
  }
}

/** The process has ended or hangs. */
class ProcessLost extends Error {}

class EncoderProcess {
  readonly started: Promise<void>;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #pending: PromiseWithResolvers<EncoderResult> | undefined;
  #alive = true;
  /** Those that the process knows. */
  #centroids: Centroids | undefined;

  constructor({ graph, pieceTable, pieces }: EncoderFiles) {
    const program = new URL(`./encoder-process${extname(import.meta.url)}`, import.meta.url);
    this.#child = fork(program, [graph, pieceTable, pieces], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=4"],
      serialization: "advanced", // vectors go as bytes
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        ...process.env,
        // ONNX Runtime reports its use to its maker unless this is set. Nothing may leave the machine.
        ORT_DISABLE_TELEMETRY: "1",
        // One pool for all threads, as only one of them computes at a time: 20 MB less. The service itself has more.
        MALLOC_ARENA_MAX: "1",
        NODE_V8_COVERAGE: "",
      },
    });
    const started = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      started.reject(new ProcessLost("the encoder's process did not start in time"));
      this.#kill();
    }, START_WITHIN_MS);
    this.started = started.promise.finally(() => clearTimeout(timer));
    this.#child.on("message", (raw) => {
      const message = Message.parse(raw);
      if (message.kind === "ready") started.resolve();
      else if (message.kind === "result") this.#settle()?.resolve(message.value);
      else {
        started.reject(new Error(message.message));
        this.#settle()?.reject(new Error(message.message));
      }
    });
    this.#exited = new Promise((resolve) => {
      const gone = (how: string) => {
        this.#alive = false;
        const error = new ProcessLost(`the encoder's process ended (${how})`);
        started.reject(error);
        this.#settle()?.reject(error);
        resolve();
      };
      this.#child.once("exit", (code, signal) => gone(signal ?? `exit code ${code}`));
      this.#child.on("error", (error) => gone(error.message));
    });
    // Whoever started it waits for it; nobody may be waiting any more when it fails.
    this.started.catch(() => undefined);
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  get id(): number | undefined {
    return this.#child.pid;
  }

  async nearest(vectors: Float32Array, centroids: Centroids, count: number): Promise<EncoderResult> {
    if (this.#centroids !== centroids) {
      await this.ask({ kind: "centroids", ...centroids });
      this.#centroids = centroids;
    }
    return this.ask({ kind: "nearest", vectors, count });
  }

  /** One request at a time. @throws ProcessLost; Error with the process's reason. */
  async ask(request: EncoderRequest): Promise<EncoderResult> {
    const pending = Promise.withResolvers<EncoderResult>();
    this.#pending = pending;
    const timer = setTimeout(() => this.#kill(), ANSWER_WITHIN_MS);
    this.#child.send(request, () => {});
    try {
      return await pending.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    const timer = setTimeout(() => this.#kill(), END_WITHIN_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #kill(): void {
    this.#child.kill("SIGKILL");
  }

  #settle(): PromiseWithResolvers<EncoderResult> | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}
