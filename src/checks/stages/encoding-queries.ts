import type { ReadyModel, Semantics, SentenceTerms } from "../../corpus/index.ts";
import { EncoderUnavailable } from "../../matching/encoder/sentence-encoder.ts";
import type { QuerySentence } from "../../matching/meaning/align-meaning.ts";
import { backgroundOf } from "../../matching/meaning/fingerprint-sentences.ts";
import { BACKGROUND_CENTROIDS } from "../../matching/meaning/semantic-model.ts";
import { semanticTerm } from "../../matching/meaning/semantic-terms.ts";
import type { AnalysedQuery } from "../../matching/tasks.ts";
import { untilAborted } from "../../platform/flow/concurrency.ts";
import type { SemanticReason } from "../../report/index.ts";

/** The cells by which a sentence is searched for, and the centroids that they belong to. */
const CELLS_OF_SENTENCE = 32;
const CENTROIDS_OF_SENTENCE = 8;

/** Sentences that are encoded in one go, some 60 ms: a shorter check that begins meanwhile waits no longer. */
export const SENTENCES_AT_ONCE = 128;

/** The vectors of texts from this length on are kept until the check ends: an embedding server may take a minute for them. */
const KEPT_SENTENCES_MIN = 512;

/** Opening the encoder takes less than a second, but the first start downloads it, which takes up to minutes. */
const ENCODER_WAIT_MS = 5_000;

export type EncodedSentence = Omit<QuerySentence, "isCovered">;

/** A query whose sentences are encoded, or the reason why not. */
export type EncodedQuery =
  | {
      readonly ready: ReadyModel;
      readonly sentences: readonly EncodedSentence[];
      readonly terms: readonly SentenceTerms[];
    }
  | { readonly reason: SemanticReason };

/** The sentence vectors that earlier runs of a check have kept, by the number of their first sentence. */
export type KeptVectors = {
  /** Shorter texts have none; by default `KEPT_SENTENCES_MIN`. */
  readonly sentencesMin?: number;
  readonly find: (generation: number) => Promise<ReadonlyMap<number, Float32Array>>;
  readonly keep: (generation: number, firstSentence: number, vectors: Float32Array) => Promise<void>;
};

/** Encodes the sentences of a query. @throws the signal's reason. */
export async function encodeQuery(
  { meaning }: { readonly meaning: Semantics },
  { sentences }: AnalysedQuery,
  kept: KeptVectors,
  signal: AbortSignal,
): Promise<EncodedQuery> {
  if (!meaning.isOn) return { reason: "off" };
  if (sentences.length === 0) return { reason: "no_sentences" };
  try {
    const ready = await openedSoon(meaning.current(), signal);
    if (ready === undefined) return { reason: "not_encoded" };
    const { generation } = ready.model;
    const isLong = sentences.length >= (kept.sentencesMin ?? KEPT_SENTENCES_MIN);
    const known = isLong ? await kept.find(generation) : new Map<number, Float32Array>();
    const encoded: EncodedSentence[] = [];
    const terms: SentenceTerms[] = [];
    for (let first = 0; first < sentences.length; first += SENTENCES_AT_ONCE) {
      const group = sentences.slice(first, first + SENTENCES_AT_ONCE);
      const earlier = known.get(first);
      const found = await encodeSentences(ready, group, earlier, signal);
      if (isLong && earlier === undefined) await kept.keep(generation, first, found.vectors);
      encoded.push(...found.sentences);
      terms.push(...found.terms);
    }
    return { ready, sentences: encoded, terms };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EncoderUnavailable) return { reason: "unavailable" };
    throw error;
  }
}

/** The vectors of some sentences, with the terms by which they are searched for. @throws EncoderUnavailable; the signal's reason. */
export async function encodeSentences(
  { encoder, model }: ReadyModel,
  sentences: AnalysedQuery["sentences"],
  earlier: Float32Array | undefined,
  signal: AbortSignal,
) {
  const texts = sentences.map(({ text }) => text);
  const vectors =
    earlier === undefined
      ? await encoder.encode(texts, "check", signal)
      : { dimensions: model.centroids.dimensions, values: earlier };
  const nearest = await encoder.nearest(vectors, model.centroids, BACKGROUND_CENTROIDS, "check");
  const { dimensions, values } = vectors;
  // Tasks of the comparison share them; copies would have to be collected.
  const shared = new Float32Array(new SharedArrayBuffer(values.byteLength));
  shared.set(values);
  return {
    vectors: values,
    sentences: sentences.map(({ span }, at) => ({
      span,
      vector: shared.subarray(at * dimensions, (at + 1) * dimensions),
      background: backgroundOf(model, nearest[at] ?? []),
    })),
    terms: nearest.map((near, at) => {
      const vector = values.subarray(at * dimensions, (at + 1) * dimensions);
      const cells = model.cells.nearest(vector, near.slice(0, CENTROIDS_OF_SENTENCE), CELLS_OF_SENTENCE);
      return cells.map(({ cell, cosine }) => ({
        term: semanticTerm(model.generation, cell),
        weight: Math.max(0.01, Math.round(cosine * 100) / 100),
      }));
    }),
  };
}

/** @throws EncoderUnavailable when it takes too long; the signal's reason. */
export async function openedSoon<T>(opening: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = AbortSignal.timeout(ENCODER_WAIT_MS);
  try {
    return await untilAborted(opening, AbortSignal.any([signal, late]));
  } catch (error) {
    if (error === late.reason) throw new EncoderUnavailable("the encoder is still being fetched");
    throw error;
  }
}
