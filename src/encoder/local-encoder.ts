import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { z } from "zod";
import type { EncoderFiles } from "./encoder-files.ts";
import {
  EncoderUnavailable,
  type EncodingPriority,
  type SentenceEncoder,
  type SentenceVectors,
} from "./sentence-encoder.ts";
import { USE_DIMENSIONS } from "./use-graph.ts";

/** Sentences in one message: 30 ms of work, for which a check may have to wait. */
const BATCH_SENTENCES = 32;

/** Loading takes half a second, and longer beside busy programs. */
const START_WITHIN_MS = 60_000;

/** A batch takes 30 ms; a process that is this late hangs. */
const ANSWER_WITHIN_MS = 60_000;

/** After a failed start, none is tried for so long: each costs a second. */
const RESTART_AFTER_MS = 30_000;

const END_WITHIN_MS = 2_000;

/** The vocabulary of 128,000 pieces takes 70 MB; without a limit, what reading it leaves behind stays for long. */
const HEAP_MB = 128;

const Message = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("vectors"), values: z.instanceof(Float32Array) }),
  z.object({ kind: z.literal("failed"), message: z.string() }),
]);

type Batch = {
  readonly sentences: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly settled: PromiseWithResolvers<Float32Array>;
};

/** The Universal Sentence Encoder in a process of its own, which starts with the first sentence and again after it has died. */
export class LocalEncoder implements SentenceEncoder {
  readonly model = "use-multilingual-v3";
  readonly #files: EncoderFiles;
  readonly #waiting: Record<EncodingPriority, Batch[]> = { check: [], corpus: [] };
  #process: EncoderProcess | undefined;
  #failure: { readonly at: number; readonly reason: string } | undefined;
  #isWorking = false;
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
    const batches: Batch[] = [];
    for (let from = 0; from < sentences.length; from += BATCH_SENTENCES) {
      const settled = Promise.withResolvers<Float32Array>();
      batches.push({ sentences: sentences.slice(from, from + BATCH_SENTENCES), signal, settled });
    }
    this.#waiting[priority].push(...batches);
    void this.#work();
    const parts = await Promise.all(batches.map(({ settled }) => settled.promise));
    const values = new Float32Array(sentences.length * USE_DIMENSIONS);
    for (const [at, part] of parts.entries()) values.set(part, at * BATCH_SENTENCES * USE_DIMENSIONS);
    return { dimensions: USE_DIMENSIONS, values };
  }

  /** The memory that its process holds, for a test; undefined while there is none. */
  get processId(): number | undefined {
    return this.#process?.id;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process?.end();
  }

  /** One batch after another, those of checks first. Batches of one call are encoded in their order. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (let batch = this.#next(); batch !== undefined; batch = this.#next()) {
      try {
        batch.signal?.throwIfAborted();
        batch.settled.resolve(await this.#encodeBatch(batch.sentences));
      } catch (error) {
        batch.settled.reject(error);
      }
    }
    this.#isWorking = false;
  }

  #next(): Batch | undefined {
    return this.#waiting.check.shift() ?? this.#waiting.corpus.shift();
  }

  /** A process that dies may have been killed for its memory or by hand: its batch is tried once more in a new one. */
  async #encodeBatch(sentences: readonly string[]): Promise<Float32Array> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (await this.#startedProcess()).encode(sentences);
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
  #pending: PromiseWithResolvers<Float32Array> | undefined;
  #alive = true;

  constructor({ graph, pieces }: EncoderFiles) {
    const program = new URL(`./encoder-process${extname(import.meta.url)}`, import.meta.url);
    this.#child = fork(program, [graph, pieces], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=4"],
      serialization: "advanced", // vectors go as bytes
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, NODE_V8_COVERAGE: "" },
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
      else if (message.kind === "vectors") this.#settle()?.resolve(message.values);
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

  async encode(sentences: readonly string[]): Promise<Float32Array> {
    const pending = Promise.withResolvers<Float32Array>();
    this.#pending = pending;
    const timer = setTimeout(() => this.#kill(), ANSWER_WITHIN_MS);
    this.#child.send([...sentences], () => {});
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

  #settle(): PromiseWithResolvers<Float32Array> | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}
