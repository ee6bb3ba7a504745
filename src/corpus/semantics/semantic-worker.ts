import { EncoderUnavailable } from "../../encoder/sentence-encoder.ts";
import { untilAborted } from "../../platform/flow/concurrency.ts";
import { isStoreUnavailable } from "../../platform/flow/retry-policy.ts";
import type { CorpusParts } from "../corpus-parts.ts";
import { RepeatedWork } from "../reconciliation/reconciliation-worker.ts";
import type { EncodeDocuments } from "./encode-documents.ts";
import type { Semantics } from "./semantics.ts";

/** A new document waits for at most so long until its sentences are encoded. */
const POLL_INTERVAL_MS = 2_000;

type Parts = Pick<CorpusParts, "database" | "semantics" | "log"> & {
  readonly meaning: Semantics;
  readonly encodeDocuments: EncodeDocuments;
};

/** Encodes waiting documents in the background, and switches checks to a new model once its fingerprints are complete. */
export class SemanticWorker {
  readonly #parts: Parts;
  readonly #work: RepeatedWork;
  #timer: NodeJS.Timeout | undefined;
  /** What kept it from working the last time, so that it is logged once. */
  #hindrance: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#work = new RepeatedWork(
      (signal) => this.#encodeWaiting(signal),
      (error) => this.#report(error),
    );
  }

  start(): void {
    this.#timer = setInterval(() => this.#work.wake(), POLL_INTERVAL_MS);
    this.#work.wake();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work.close();
  }

  async #encodeWaiting(signal: AbortSignal): Promise<void> {
    const { meaning, encodeDocuments, log } = this.#parts;
    const { encoder, model } = await untilAborted(meaning.wanted(), signal);
    for (;;) {
      signal.throwIfAborted();
      const encoded = await encodeDocuments(encoder, model, signal);
      if (this.#hindrance !== undefined) log.info("documents are encoded again");
      this.#hindrance = undefined;
      if (encoded === 0) break;
    }
    await this.#switchModel(model.generation);
  }

  /** Only with an empty backlog, which no other worker can be at work on. */
  async #switchModel(generation: number): Promise<void> {
    const { database, semantics, log } = this.#parts;
    if ((await semantics.currentGeneration(database)) === generation) return;
    const switched = await database.transaction(async (transaction) => {
      if ((await semantics.progress(transaction)).waiting > 0) return false;
      await semantics.switchTo(transaction, generation);
      return true;
    });
    if (switched) log.info({ generation }, "checks compare the meaning by a new model");
  }

  #report(error: unknown): void {
    const { log } = this.#parts;
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#hindrance === reason) return;
    this.#hindrance = reason;
    if (error instanceof EncoderUnavailable || isStoreUnavailable(error))
      log.warn({ reason }, "documents are not encoded: checks compare words alone until they are");
    else log.error({ err: error }, "encoding documents failed");
  }
}
