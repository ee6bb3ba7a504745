import { untilAborted } from "../platform/flow/concurrency.ts";
import { type CurrentEncoder, EncoderUnavailable, type ReadyModel } from "./encoder/sentence-encoder.ts";
import type { QuerySentence } from "./meaning/align-meaning.ts";
import { meaningTerm } from "./meaning/cells.ts";
import { coveredSentences } from "./meaning/covered-sentences.ts";
import { backgroundOf } from "./meaning/fingerprint-sentences.ts";
import { BACKGROUND_CENTROIDS } from "./meaning/meaning-model.ts";
import type { MeaningReason } from "./meaning/meaning-reason.ts";
import type { SentenceTerms, WholeText } from "./set.ts";
import type { PlacedSentence } from "./tasks.ts";
import type { TimeBudget } from "./time-budget.ts";
import type { MatchedSource } from "./words/source-passage.ts";

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

/** A query whose sentences are encoded, or the reason why not; null: words have found all of them. */
export type EncodedQuery =
  | {
      readonly ready: ReadyModel;
      readonly sentences: readonly EncodedSentence[];
      readonly terms: readonly SentenceTerms[];
      /** False when there was no time for some sentences of the query or of the set. */
      readonly isWhole: boolean;
    }
  | { readonly reason: MeaningReason | null };

/** The sentence vectors that earlier runs of a check have kept, by the number of their first sentence. */
export type KeptVectors = {
  /** The vectors of shorter texts are not kept; by default `KEPT_SENTENCES_MIN`. */
  readonly sentencesMin?: number;
  readonly find: (generation: number) => Promise<ReadonlyMap<number, Float32Array>>;
  readonly keep: (generation: number, firstSentence: number, vectors: Float32Array) => Promise<void>;
};

/** Encodes all sentences of a query. @throws the signal's reason. */
export async function encodeQuery(
  sentences: readonly PlacedSentence[],
  { encoder, vectors, signal }: { encoder: CurrentEncoder; vectors?: KeptVectors; signal: AbortSignal },
): Promise<EncodedQuery> {
  if (!encoder.isOn) return { reason: "off" };
  if (sentences.length === 0) return { reason: "no_sentences" };
  return ifAvailable(signal, async () => {
    const ready = await openWithinSeconds(encoder.current(), signal);
    if (ready === undefined) return { reason: "not_encoded" };
    const { generation } = ready.model;
    const kept = sentences.length >= (vectors?.sentencesMin ?? KEPT_SENTENCES_MIN) ? vectors : undefined;
    const known = await kept?.find(generation);
    const encoded: EncodedSentence[] = [];
    const terms: SentenceTerms[] = [];
    for (let first = 0; first < sentences.length; first += SENTENCES_AT_ONCE) {
      const group = sentences.slice(first, first + SENTENCES_AT_ONCE);
      const earlier = known?.get(first);
      const found = await encodeSentences(ready, group, earlier, signal);
      if (earlier === undefined) await kept?.keep(generation, first, found.vectors);
      encoded.push(...found.sentences);
      terms.push(...found.terms);
    }
    return { ready, sentences: encoded, terms, isWhole: true };
  });
}

/** The parts of the time after which no more sentences of the source, then of the query, are encoded; the rest is for comparing. */
const SOURCE_SHARE = 0.4;
const ENCODING_SHARE = 0.8;

/**
 * Encodes the sentences of a text, and as many query sentences without a word match as there is time for. The other query sentences
 * equal none. @throws the signal's reason.
 */
export async function encodeUncovered(
  sentences: readonly PlacedSentence[],
  aligned: readonly MatchedSource[],
  text: WholeText,
  { encoder, budget, signal }: { encoder: CurrentEncoder; budget: TimeBudget; signal: AbortSignal },
): Promise<EncodedQuery> {
  if (!encoder.isOn) return { reason: "off" };
  if (sentences.length === 0 || text.sentences.length === 0) return { reason: "no_sentences" };
  const isCovered = coveredSentences(sentences, aligned);
  const uncovered = [...sentences.keys()].filter((at) => isCovered[at] !== true);
  if (uncovered.length === 0) return { reason: null };
  if (budget.isSpent) return { reason: "time_cap" };
  return ifAvailable(signal, async () => {
    const ready = await openWithinSeconds(encoder.current(), signal);
    if (ready === undefined) return { reason: "not_encoded" };
    const leftAtFirst = budget.remainingMs;
    const hasTime = (share: number) => () => budget.remainingMs > (1 - share) * leftAtFirst;
    const ofText = await text.fingerprint(ready, hasTime(SOURCE_SHARE), signal);
    const encoded = await encodeSome(ready, sentences, uncovered, hasTime(ENCODING_SHARE), signal);
    if (ofText === 0 || encoded.count === 0) return { reason: "time_cap" };
    const isWhole = ofText === text.sentences.length && encoded.count === uncovered.length;
    return { ready, sentences: encoded.sentences, terms: encoded.terms, isWhole };
  });
}

async function ifAvailable(signal: AbortSignal, encode: () => Promise<EncodedQuery>): Promise<EncodedQuery> {
  try {
    return await encode();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EncoderUnavailable) return { reason: "unavailable" };
    throw error;
  }
}

/** Encodes some sentences, given by their numbers, as many as there is time for; the others get a vector that equals none. */
async function encodeSome(
  ready: ReadyModel,
  sentences: readonly PlacedSentence[],
  wanted: readonly number[],
  hasTime: () => boolean,
  signal: AbortSignal,
) {
  const vector = new Float32Array(ready.model.centroids.dimensions);
  const encoded: EncodedSentence[] = sentences.map(({ span }) => ({ span, vector, background: 1 }));
  const terms = sentences.map((): SentenceTerms => []);
  let count = 0;
  while (count < wanted.length && hasTime()) {
    const numbers = wanted.slice(count, count + SENTENCES_AT_ONCE);
    const group = numbers.flatMap((at) => sentences[at] ?? []);
    const found = await encodeSentences(ready, group, undefined, signal);
    for (const [position, at] of numbers.entries()) {
      encoded[at] = found.sentences[position] ?? { span: { start: 0, end: 0 }, vector, background: 1 };
      terms[at] = found.terms[position] ?? [];
    }
    count += numbers.length;
  }
  return { sentences: encoded, terms, count };
}

/** The vectors of some sentences, with the terms by which they are searched for. @throws EncoderUnavailable; the signal's reason. */
export async function encodeSentences(
  { encoder, model }: ReadyModel,
  sentences: readonly PlacedSentence[],
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
        term: meaningTerm(model.generation, cell),
        weight: Math.max(0.01, Math.round(cosine * 100) / 100),
      }));
    }),
  };
}

/** @throws EncoderUnavailable when it takes too long; the signal's reason. */
export async function openWithinSeconds<T>(opening: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = AbortSignal.timeout(ENCODER_WAIT_MS);
  try {
    return await untilAborted(opening, AbortSignal.any([signal, late]));
  } catch (error) {
    if (error === late.reason) throw new EncoderUnavailable("the encoder is still being fetched");
    throw error;
  }
}
