import { untilAborted } from "../platform/flow/concurrency.ts";
import { overlapLength, type Span, spanLength } from "../text/span.ts";
import { encodeSentences, SENTENCES_AT_ONCE } from "./encode-sentences.ts";
import { type CurrentEncoder, EncoderUnavailable, type ReadyModel } from "./encoder/sentence-encoder.ts";
import { NOT_ENCODED_BACKGROUND, type QuerySentence } from "./meaning/align-meaning.ts";
import { meaningTerm } from "./meaning/cells.ts";
import type { MeaningReason } from "./meaning/meaning-reason.ts";
import { backgroundOf } from "./meaning/sentence-section.ts";
import type { PlacedSentence } from "./meaning/whole-sentences.ts";
import type { SentenceTerms, WholeText } from "./set.ts";
import type { TimeBudget } from "./time-budget.ts";
import type { MatchedSource } from "./words/source-passage.ts";

/** The cells by which a sentence is searched for, and the centroids that they belong to. */
const CELLS_OF_SENTENCE = 32;
const CENTROIDS_OF_SENTENCE = 8;

/** The vectors of texts from this length on are kept until the check ends: an embedding server may take a minute for them. */
const KEPT_SENTENCES_MIN = 512;

/** Opening the encoder takes less than a second, but the first start downloads it, which takes up to minutes. */
const ENCODER_WAIT_MS = 5_000;

type EncodedSentence = Pick<QuerySentence, "span" | "vector" | "background">;

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
    const encoded = await inGroups(sentences, always, async (group, first) => {
      const earlier = known?.get(first);
      const found = await encodeGroup(ready, group, signal, earlier);
      if (earlier === undefined) await kept?.keep(generation, first, found.vectors);
      return found;
    });
    return { ready, ...encoded, isWhole: true };
  });
}

const always = () => true;

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
  const uncovered = sentences.filter((_, at) => isCovered[at] !== true);
  if (uncovered.length === 0) return { reason: null };
  if (budget.isSpent) return { reason: "time_cap" };
  return ifAvailable(signal, async () => {
    const ready = await openWithinSeconds(encoder.current(), signal);
    if (ready === undefined) return { reason: "not_encoded" };
    const leftAtFirst = budget.remainingMs;
    const hasTime = (share: number) => () => budget.remainingMs > (1 - share) * leftAtFirst;
    const ofText = await text.fingerprint(ready, hasTime(SOURCE_SHARE), signal);
    const encoded = await inGroups(uncovered, hasTime(ENCODING_SHARE), (group) =>
      encodeGroup(ready, group, signal),
    );
    const count = encoded.sentences.length;
    if (ofText === 0 || count === 0) return { reason: "time_cap" };
    const next = { sentences: encoded.sentences.values(), terms: encoded.terms.values() };
    const vector = new Float32Array(ready.model.centroids.dimensions);
    const unlike = { vector, background: NOT_ENCODED_BACKGROUND };
    return {
      ready,
      sentences: sentences.map(
        ({ span }, at) => (isCovered[at] ? undefined : next.sentences.next().value) ?? { span, ...unlike },
      ),
      terms: sentences.map((_, at) => (isCovered[at] ? undefined : next.terms.next().value) ?? []),
      isWhole: ofText === text.sentences.length && count === uncovered.length,
    };
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

/** Encodes as many of the sentences, from the first, as there is time for. */
async function inGroups(
  sentences: readonly PlacedSentence[],
  hasTime: () => boolean,
  encode: (group: readonly PlacedSentence[], first: number) => Promise<EncodedGroup>,
): Promise<EncodedGroup> {
  const encoded: EncodedSentence[] = [];
  const terms: SentenceTerms[] = [];
  while (encoded.length < sentences.length && hasTime()) {
    const first = encoded.length;
    const found = await encode(sentences.slice(first, first + SENTENCES_AT_ONCE), first);
    encoded.push(...found.sentences);
    terms.push(...found.terms);
  }
  return { sentences: encoded, terms };
}

/** Sentences with the terms by which they are searched for. */
type EncodedGroup = {
  readonly sentences: readonly EncodedSentence[];
  readonly terms: readonly SentenceTerms[];
};

/** @param earlier the vectors that an earlier run has kept. @throws EncoderUnavailable; the signal's reason. */
async function encodeGroup(
  ready: ReadyModel,
  group: readonly PlacedSentence[],
  signal: AbortSignal,
  earlier?: Float32Array,
): Promise<EncodedGroup & { readonly vectors: Float32Array }> {
  const { model } = ready;
  const { dimensions } = model.centroids;
  const known = earlier && { dimensions, values: earlier };
  const { vectors, nearest } = await encodeSentences(ready, group, "check", signal, known);
  const vectorAt = (values: Float32Array, at: number) =>
    values.subarray(at * dimensions, (at + 1) * dimensions);
  // Tasks of the comparison share them; copies would have to be collected.
  const shared = new Float32Array(new SharedArrayBuffer(vectors.values.byteLength));
  shared.set(vectors.values);
  return {
    vectors: vectors.values,
    sentences: group.map(({ span }, at) => ({
      span,
      vector: vectorAt(shared, at),
      background: backgroundOf(model, nearest[at] ?? []),
    })),
    terms: nearest.map((near, at) =>
      model.cells
        .nearest(vectorAt(vectors.values, at), near.slice(0, CENTROIDS_OF_SENTENCE), CELLS_OF_SENTENCE)
        .map(({ cell, cosine }) => ({
          term: meaningTerm(model.generation, cell),
          weight: Math.max(0.01, Math.round(cosine * 100) / 100),
        })),
    ),
  };
}

/** With more of a sentence in a passage, the rest is a matter of the passage's edges. */
const COVERED_SHARE_MIN = 0.25;

/** For each sentence of the query, whether word matching already covers it, up to its edges. */
export function coveredSentences(
  sentences: readonly { readonly span: Span }[],
  aligned: readonly Pick<MatchedSource, "passages">[],
): boolean[] {
  const passages = aligned.flatMap((source) => source.passages.map(({ query }) => query));
  return sentences.map(({ span }) => {
    const covered = passages.reduce((most, passage) => Math.max(most, overlapLength(span, passage)), 0);
    return covered >= COVERED_SHARE_MIN * spanLength(span);
  });
}

/** @throws EncoderUnavailable when it takes too long; the signal's reason. */
async function openWithinSeconds<T>(opening: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = AbortSignal.timeout(ENCODER_WAIT_MS);
  try {
    return await untilAborted(opening, AbortSignal.any([signal, late]));
  } catch (error) {
    if (error === late.reason) throw new EncoderUnavailable("the encoder is still being fetched");
    throw error;
  }
}
