import type { EncodingPriority, ReadyModel, SentenceVectors } from "./encoder/sentence-encoder.ts";
import type { NearCentroid } from "./meaning/centroids.ts";
import { BACKGROUND_CENTROIDS } from "./meaning/meaning-model.ts";
import { fingerprintSentences, type SentenceFingerprint } from "./meaning/sentence-section.ts";
import type { PlacedSentence } from "./meaning/whole-sentences.ts";

/** Sentences that are encoded in one go, some 60 ms: a shorter check that begins meanwhile waits no longer. */
export const SENTENCES_AT_ONCE = 128;

/** The vectors of some sentences and the centroids nearest to each. @throws EncoderUnavailable; the signal's reason. */
export async function encodeSentences(
  { encoder, model }: ReadyModel,
  sentences: readonly PlacedSentence[],
  priority: EncodingPriority,
  signal: AbortSignal,
  known?: SentenceVectors,
): Promise<{ readonly vectors: SentenceVectors; readonly nearest: readonly NearCentroid[][] }> {
  const texts = sentences.map(({ text }) => text);
  const vectors = known ?? (await encoder.encode(texts, priority, signal));
  return {
    vectors,
    nearest: await encoder.nearest(vectors, model.centroids, BACKGROUND_CENTROIDS, priority),
  };
}

/** The fingerprints of some sentences, and their vectors. @throws as `encodeSentences`. */
export async function fingerprintedSentences(
  ready: ReadyModel,
  sentences: readonly PlacedSentence[],
  priority: EncodingPriority,
  signal: AbortSignal,
): Promise<{ readonly fingerprints: readonly SentenceFingerprint[]; readonly vectors: Float32Array }> {
  const { vectors, nearest } = await encodeSentences(ready, sentences, priority, signal);
  const spans = sentences.map(({ span }) => span);
  const fingerprints = fingerprintSentences(ready.model, spans, vectors.values, nearest);
  return { fingerprints, vectors: vectors.values };
}
