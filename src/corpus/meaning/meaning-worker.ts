import type { ReadyModel } from "../../matching/encoder/sentence-encoder.ts";
import { EncoderUnavailable } from "../../matching/encoder/sentence-encoder.ts";
import type { MeaningModel } from "../../matching/meaning/meaning-model.ts";
import { errorMessage } from "../../platform/error-code.ts";
import { untilAborted } from "../../platform/flow/concurrency.ts";
import { RepeatedWork } from "../../platform/flow/repeated-work.ts";
import { isStoreUnavailable } from "../../platform/flow/retry-policy.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import { type CalibrateModel, NotCalibrated } from "./calibrate-model.ts";
import type { EncodeDocuments } from "./encode-documents.ts";
import type { EncoderModels } from "./encoder-models.ts";

/** A new document waits for at most so long until its sentences are encoded. */
const POLL_INTERVAL_MS = 2_000;

type EncodingCorpus = CorpusStores & {
  readonly encoderModels: EncoderModels;
  readonly encodeDocuments: EncodeDocuments;
  readonly calibrateModel: CalibrateModel;
};

/** Encodes waiting documents in the background, and switches checks to a new model once its fingerprints are complete. */
export class MeaningWorker {
  readonly #corpus: EncodingCorpus;
  readonly #work: RepeatedWork;
  /** The last failure, so that it is logged once. */
  #hindrance: string | undefined;

  constructor(corpus: EncodingCorpus) {
    this.#corpus = corpus;
    this.#work = new RepeatedWork(
      (signal) => this.#encodeWaiting(signal),
      (error) => this.#report(error),
    );
  }

  start(): void {
    this.#work.wakeEvery(POLL_INTERVAL_MS);
    this.#work.wake();
  }

  async close(): Promise<void> {
    await this.#work.close();
  }

  async #encodeWaiting(signal: AbortSignal): Promise<void> {
    const { encoderModels, encodeDocuments, log } = this.#corpus;
    for (;;) {
      signal.throwIfAborted();
      // Looked up each time, since the command can calibrate the model again at any moment.
      const ready = (await untilAborted(encoderModels.wanted(), signal)) ?? (await this.#calibrated(signal));
      if (ready === undefined) return;
      const encoded = await encodeDocuments(ready.encoder, ready.model, signal);
      if (encoded > 0 && this.#hindrance !== undefined) {
        log.info("documents are encoded again");
        this.#hindrance = undefined;
      }
      if (encoded === 0 && (await this.#settleOn(ready.model))) return;
    }
  }

  async #calibrated(signal: AbortSignal): Promise<ReadyModel | undefined> {
    const { encoderModels, calibrateModel, log } = this.#corpus;
    await calibrateModel.firstTime(await encoderModels.encoder(), { signal, say: (line) => log.info(line) });
    this.#hindrance = undefined;
    return encoderModels.wanted();
  }

  /**
   * Lets checks use this generation once no document lacks it, and drops all others: earlier ones, and generations that were given up
   * when the settings changed again. The backlog must be empty, so that no other worker is at work on it.
   * @returns whether there is nothing to do at the moment.
   */
  async #settleOn({ generation, model }: MeaningModel): Promise<boolean> {
    const { database, meaning, log } = this.#corpus;
    const all = await meaning.listGenerations(database);
    const others = all.filter((other) => other.generation !== generation);
    if (others.length === 0) return true;
    if (others.some((other) => other.model === model && other.generation > generation)) return false;
    return database.transaction(async (transaction) => {
      if ((await meaning.refillBacklog(transaction, generation)) > 0) return false;
      if ((await meaning.progress(transaction)).waiting > 0) return true;
      await meaning.switchTo(
        transaction,
        generation,
        others.map((other) => other.generation),
      );
      log.info({ generation, model }, "checks compare the meaning by this generation of fingerprints alone");
      return true;
    });
  }

  #report(error: unknown): void {
    const { log } = this.#corpus;
    const reason = errorMessage(error);
    if (this.#hindrance === reason) return;
    this.#hindrance = reason;
    if (error instanceof NotCalibrated) log.info({ reason }, "documents are not encoded yet");
    else if (error instanceof EncoderUnavailable || isStoreUnavailable(error))
      log.warn({ reason }, "documents are not encoded: checks compare words alone until they are");
    else log.error({ err: error }, "encoding documents failed");
  }
}
