import type { SemanticModel } from "../../core/semantic/semantic-model.ts";
import { EncoderUnavailable, type SentenceEncoder } from "../../encoder/sentence-encoder.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { NewSemanticModel, SemanticStore } from "./semantic-store.ts";

/** An encoder and what is known of its vectors. */
export type ReadyModel = { readonly encoder: SentenceEncoder; readonly model: SemanticModel };

type Parts = {
  readonly database: Database;
  readonly semantics: SemanticStore;
  /** Opens the encoder of the settings, or that of another model, until the signal; undefined when semantic matching is off. */
  readonly openEncoder:
    | ((model: string | undefined, signal: AbortSignal) => Promise<SentenceEncoder>)
    | undefined;
  /** Measures a model of which fingerprints are made for the first time. @throws EncoderUnavailable. */
  readonly describeModel: (encoder: SentenceEncoder) => Promise<NewSemanticModel>;
};

/** After a failure, the encoder is not asked for again for so long. */
const RETRY_AFTER_MS = 30_000;

type Opening = { readonly ready: Promise<ReadyModel>; failedAt: number | undefined };

/** The encoder of this process and the models by which it makes and compares fingerprints. */
export class Semantics {
  readonly #parts: Parts;
  /** By model; the wanted one has no name before it is open. */
  readonly #openings = new Map<string | undefined, Opening>();
  readonly #closing = new AbortController();
  #isUnavailable = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    return this.#parts.openEncoder !== undefined;
  }

  /** Whether the encoder could not be had when this process asked for it the last time. */
  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  /** The model that new fingerprints are made of. @throws EncoderUnavailable with the reason. */
  wanted(): Promise<ReadyModel> {
    return this.#open(undefined);
  }

  /** The model that checks compare with: an earlier one until the fingerprints of the wanted one are complete. @throws EncoderUnavailable */
  async current(): Promise<ReadyModel> {
    const { database, semantics } = this.#parts;
    const wanted = await this.wanted();
    const generation = await semantics.currentGeneration(database);
    if (generation === wanted.model.generation) return wanted;
    const model = await semantics.findCurrentModel(database);
    return this.#open(model?.model);
  }

  async close(): Promise<void> {
    this.#closing.abort(new EncoderUnavailable("the service stops"));
    for (const { ready } of this.#openings.values())
      await ready.then(
        ({ encoder }) => encoder.close(),
        () => undefined,
      );
  }

  #open(name: string | undefined): Promise<ReadyModel> {
    const known = this.#openings.get(name);
    const isDue = known?.failedAt !== undefined && performance.now() - known.failedAt > RETRY_AFTER_MS;
    if (known !== undefined && !isDue) return known.ready;
    const opening: Opening = { ready: this.#openNow(name), failedAt: undefined };
    opening.ready.then(
      () => {
        this.#isUnavailable = false;
      },
      () => {
        opening.failedAt = performance.now();
        this.#isUnavailable = true;
      },
    );
    this.#openings.set(name, opening);
    return opening.ready;
  }

  async #openNow(name: string | undefined): Promise<ReadyModel> {
    const { openEncoder, describeModel, database, semantics } = this.#parts;
    if (openEncoder === undefined) throw new EncoderUnavailable("semantic matching is switched off");
    const encoder = await openEncoder(name, this.#closing.signal);
    try {
      let model = await semantics.findModel(database, encoder.model);
      if (model === undefined) {
        await semantics.addModel(database, await describeModel(encoder));
        model = await semantics.findModel(database, encoder.model);
        if (model === undefined) throw new Error(`the model ${encoder.model} was not stored`);
        await semantics.refillBacklog(database, model.generation);
      }
      this.#closing.signal.throwIfAborted();
      return { encoder, model };
    } catch (error) {
      await encoder.close();
      throw error;
    }
  }
}
