import {
  EncoderUnavailable,
  type ReadyModel,
  type SentenceEncoder,
} from "../../matching/encoder/sentence-encoder.ts";
import { type MeaningModel, PROBE } from "../../matching/meaning/meaning-model.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { MeaningStore } from "../documents/meaning-store.ts";

type ModelSources = {
  readonly database: Database;
  readonly meaning: MeaningStore;
  /** Undefined when semantic matching is off. */
  readonly encoders: Encoders | undefined;
};

export type Encoders = {
  /** The model of the settings. */
  readonly wanted: string;
  /** Opens the encoder of a model, until the signal. @throws EncoderUnavailable */
  readonly open: (model: string, signal: AbortSignal) => Promise<SentenceEncoder>;
};

/** Waits before a failed encoder is opened again: each is twice the previous one, up to the last. */
const RETRY_AFTER = { firstMs: 30_000, lastMs: 3_600_000 } as const;

/** Servers round differently from run to run, by less than a thousandth; another model gives entirely different vectors. */
const SAME_MODEL_MIN = 0.99;

type Opening = {
  readonly encoder: Promise<SentenceEncoder>;
  /** Whether the encoder could be opened and, when it was last used, worked. */
  works: boolean;
  /** The next attempt for an encoder that could not be opened. */
  retry?: { readonly at: number; readonly waitMs: number };
  /** Under way, while the failure before it still is the answer. */
  retrying?: Promise<SentenceEncoder>;
};

/** The encoders of this process and the models by which it makes and compares fingerprints. */
export class EncoderModels {
  readonly #sources: ModelSources;
  readonly #openings = new Map<string, Opening>();
  /** By generation. */
  readonly #models = new Map<number, Promise<MeaningModel | undefined>>();
  readonly #closing = new AbortController();

  constructor(sources: ModelSources) {
    this.#sources = sources;
  }

  get isOn(): boolean {
    return this.#sources.encoders !== undefined;
  }

  /** Whether the encoder of the settings could not be had, or did not work, when this process used it the last time. */
  get isUnavailable(): boolean {
    const { encoders } = this.#sources;
    return encoders !== undefined && this.#openings.get(encoders.wanted)?.works === false;
  }

  /** The encoder of the settings. @throws EncoderUnavailable with the reason. */
  async encoder(): Promise<SentenceEncoder> {
    const { encoders } = this.#sources;
    if (encoders === undefined) throw new EncoderUnavailable("semantic matching is switched off");
    return this.#encoderOf(encoders.wanted);
  }

  /** The encoder of the settings, with the model for new fingerprints; undefined before its calibration. @throws EncoderUnavailable */
  async wanted(): Promise<ReadyModel | undefined> {
    const { database, meaning } = this.#sources;
    const encoder = await this.encoder();
    const generation = await meaning.newestGeneration(database, encoder.model);
    return generation === undefined ? undefined : this.#ready(encoder, generation);
  }

  /**
   * The model that checks compare with: an earlier one until the fingerprints of the wanted one are complete; undefined before
   * the first calibration, when nothing can be compared. @throws EncoderUnavailable
   */
  async current(): Promise<ReadyModel | undefined> {
    const { database, meaning } = this.#sources;
    const current = await meaning.findCurrent(database);
    if (current?.model === this.#sources.encoders?.wanted) await this.#closeOthers();
    if (current !== undefined) return this.#ready(await this.#encoderOf(current.model), current.generation);
    // An encoder that can't be had is the reason why there is no calibration.
    await (await this.encoder()).encode([PROBE], "check");
    return undefined;
  }

  async close(): Promise<void> {
    this.#closing.abort(new EncoderUnavailable("the service stops"));
    await Promise.all([...this.#openings.values()].map(closeOpened));
  }

  /** An encoder of an earlier model holds 180 MB. */
  async #closeOthers(): Promise<void> {
    const others = [...this.#openings].filter(([model]) => model !== this.#sources.encoders?.wanted);
    for (const [model] of others) this.#openings.delete(model);
    await Promise.all(others.map(([, opening]) => closeOpened(opening)));
  }

  async #ready(encoder: SentenceEncoder, generation: number): Promise<ReadyModel | undefined> {
    const known = this.#models.get(generation);
    const reading = known ?? this.#readModel(encoder, generation);
    if (known === undefined) {
      // Only two are in use at a time, of some 20 MB each.
      for (const oldest of [...this.#models.keys()].slice(0, -1)) this.#models.delete(oldest);
      this.#models.set(generation, reading);
      reading.catch(() => this.#models.delete(generation));
    }
    const model = await reading;
    return model && { encoder, model };
  }

  /** @throws EncoderUnavailable also when the encoder has another model under this name, whose vectors can't be compared. */
  async #readModel(encoder: SentenceEncoder, generation: number): Promise<MeaningModel | undefined> {
    const { database, meaning } = this.#sources;
    const model = await meaning.readModel(database, generation);
    if (model === undefined || model.probe.length === 0) return model;
    const { values } = await encoder.encode([PROBE], "check");
    const cosine = values.reduce((sum, value, at) => sum + value * (model.probe[at] ?? 0), 0);
    if (values.length === model.probe.length && cosine > SAME_MODEL_MIN) return model;
    throw new EncoderUnavailable(
      `${encoder.model} no longer produces the vectors that its fingerprints were built from; run \`npm run corpus:calibrate -- --replace\``,
    );
  }

  #encoderOf(model: string): Promise<SentenceEncoder> {
    const known = this.#openings.get(model);
    if (known === undefined) return this.#keep(model, this.#open(model), RETRY_AFTER.firstMs);
    const { retry } = known;
    if (retry !== undefined && performance.now() >= retry.at && known.retrying === undefined) {
      // In the background: another attempt will most likely fail too, and checks would wait for it.
      const opening = this.#open(model);
      known.retrying = opening;
      const replace = () => {
        if (this.#openings.get(model) === known)
          void this.#keep(model, opening, Math.min(2 * retry.waitMs, RETRY_AFTER.lastMs));
      };
      opening.then(replace, replace);
    }
    return known.encoder;
  }

  /** Keeps an opened encoder. After a failure, keeps the error until the next retry. */
  #keep(model: string, opened: Promise<SentenceEncoder>, waitMs: number): Promise<SentenceEncoder> {
    const note = (works: boolean) => {
      opening.works = works;
    };
    const opening: Opening = { encoder: opened.then((encoder) => observed(encoder, note)), works: true };
    opening.encoder.catch(() => {
      opening.works = false;
      opening.retry = { at: performance.now() + waitMs, waitMs };
    });
    this.#openings.set(model, opening);
    return opening.encoder;
  }

  async #open(model: string): Promise<SentenceEncoder> {
    const { encoders } = this.#sources;
    if (encoders === undefined) throw new EncoderUnavailable("semantic matching is switched off");
    const encoder = await encoders.open(model, this.#closing.signal);
    if (!this.#closing.signal.aborted) return encoder;
    await encoder.close();
    throw new EncoderUnavailable("the service stops");
  }
}

/** The encoder, whose use notes whether it works. */
function observed(encoder: SentenceEncoder, note: (works: boolean) => void): SentenceEncoder {
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof EncoderUnavailable) note(false);
      throw error;
    }
  };
  return {
    model: encoder.model,
    encode: async (sentences, priority, signal) => {
      const vectors = await noted(encoder.encode(sentences, priority, signal));
      note(true);
      return vectors;
    },
    nearest: (vectors, centroids, count, priority) =>
      noted(encoder.nearest(vectors, centroids, count, priority)),
    close: () => encoder.close(),
  };
}

async function closeOpened({ encoder, retrying }: Opening): Promise<void> {
  const close = (one: SentenceEncoder) => one.close();
  await Promise.all([encoder.then(close, () => undefined), retrying?.then(close, () => undefined)]);
}
