import type { Centroids, NearCentroid } from "../meaning/centroids.ts";
import type { MeaningModel } from "../meaning/meaning-model.ts";

/** Vectors of length 1, one row for each sentence. */
export type SentenceVectors = { readonly dimensions: number; readonly values: Float32Array };

/** The owner of the sentences to encode. Sentences of checks come before sentences of the corpus. */
export type EncodingPriority = "check" | "corpus";

/** Turns sentences of several languages into vectors whose cosine says how similar the meaning is. */
export type SentenceEncoder = {
  /** Identifies the model: vectors of different models can't be compared. */
  readonly model: string;
  /** @throws EncoderUnavailable; the signal's reason. */
  encode(
    sentences: readonly string[],
    priority: EncodingPriority,
    signal?: AbortSignal,
  ): Promise<SentenceVectors>;
  /** For each vector its nearest centroids, nearest first. @throws EncoderUnavailable. */
  nearest(
    vectors: SentenceVectors,
    centroids: Centroids,
    count: number,
    priority: EncodingPriority,
  ): Promise<NearCentroid[][]>;
  close(): Promise<void>;
};

/** An encoder and the measurements of its vectors. */
export type ReadyModel = { readonly encoder: SentenceEncoder; readonly model: MeaningModel };

/** The encoder that texts are compared with. */
export type CurrentEncoder = {
  /** False when semantic matching is off. */
  readonly isOn: boolean;
  /** Undefined before the first calibration, when nothing can be compared. @throws EncoderUnavailable */
  current(): Promise<ReadyModel | undefined>;
};

/** Sentences can't be encoded at the moment. The message says why, for people who read a report or a log. */
export class EncoderUnavailable extends Error {
  override readonly name = "EncoderUnavailable";
}
