import type { CorpusParts, ReadyModel, Semantics } from "../../corpus/index.ts";
import { EncoderUnavailable } from "../../matching/encoder/sentence-encoder.ts";
import { fingerprintSentences } from "../../matching/meaning/fingerprint-sentences.ts";
import { BACKGROUND_CENTROIDS } from "../../matching/meaning/semantic-model.ts";
import type { SentenceFingerprint } from "../../matching/meaning/sentence-section.ts";
import type { AnalysedQuery, AnalysedSource, PlacedSentence } from "../../matching/tasks.ts";
import type { TermCounts } from "../../matching/words/search-terms.ts";
import type { SourcePassage } from "../../report/figures/report.ts";
import type { SemanticReason } from "../../report/index.ts";
import { wordTerms } from "../../text/word-terms.ts";
import {
  compareMeaning,
  type EncodedQuery,
  type EncodedSentence,
  encodeSentences,
  isCovered,
  openedSoon,
  QueryCounts,
  SENTENCES_AT_ONCE,
} from "../index.ts";
import { SOURCE_ID, searchedText } from "./searched-text.ts";

export type MeaningParts = Pick<CorpusParts, "chunkIndex" | "compute"> & { readonly meaning: Semantics };

export type TextsToCompare = {
  readonly query: Pick<AnalysedQuery, "chunkStarts" | "forms" | "sentences"> & {
    readonly text: string;
    readonly language: string;
  };
  readonly source: AnalysedSource & { readonly language: string };
  /** The passages that words have found. */
  readonly byWords: readonly SourcePassage[];
  /** What is left of the time; it throws when nobody waits for the result any more. */
  readonly timeMs: () => number;
  readonly signal: AbortSignal;
};

/** Why the meaning of two texts was not or not wholly compared. */
export type MeaningReason = Exclude<SemanticReason, "not_encoded">;

/** The passages that words do not show, and why not all sentences were compared; null: they were. */
export type MeaningOfTexts = {
  readonly passages: readonly SourcePassage[];
  /** Whether some sentences of both texts were compared. */
  readonly isStarted: boolean;
  readonly reason: MeaningReason | null;
};

/** Compares the meaning of two texts as a check compares a text with the corpus. @throws the signal's reason. */
export async function compareMeaningOfTexts(
  parts: MeaningParts,
  texts: TextsToCompare,
): Promise<MeaningOfTexts> {
  const { query, source, byWords, timeMs, signal } = texts;
  const { meaning } = parts;
  if (!meaning.isOn) return notCompared("off");
  if (query.sentences.length === 0 || source.sentences.length === 0) return notCompared("no_sentences");
  const covered = byWords.map((passage) => passage.query);
  const isNew = query.sentences.map(({ span }) => !isCovered(span, covered));
  if (!isNew.includes(true)) return { passages: [], isStarted: true, reason: null };
  if (timeMs() === 0) return notCompared("time_cap");
  try {
    const ready = await openedSoon(meaning.current(), signal);
    // Nothing is calibrated before the encoder was there for the first time.
    if (ready === undefined) return notCompared("unavailable");
    const leftAtFirst = timeMs();
    const until = (share: number) => ({ signal, hasTime: () => timeMs() > (1 - share) * leftAtFirst });
    const fingerprints = await encodeSource(ready, source.sentences, until(SOURCE_SHARE));
    const encoded = await encodeNew(ready, query.sentences, isNew, until(ENCODING_SHARE));
    if (fingerprints.sentences.length === 0 || encoded.count === 0) return notCompared("time_cap");
    const searched = searchedText({
      ...source,
      generation: ready.model.generation,
      sentences: fingerprints.sentences,
    });
    const counts = new QueryCounts(parts.chunkIndex, {
      termLists: query.forms.map(() => []),
      forms: query.forms,
    });
    const { passages, coverage } = await compareMeaning(
      { compute: parts.compute, searched },
      {
        query,
        encoded: encoded.query,
        wordHits: new Map(),
        aligned: [{ documentId: SOURCE_ID, passages: byWords }],
        countWords: async () => withSource(await counts.ofAllWords(), source.forms),
        timeMs,
      },
    );
    const isWhole = fingerprints.isWhole && encoded.isWhole && coverage.reason === null;
    return {
      passages: passages.get(SOURCE_ID) ?? [],
      isStarted: true,
      reason: isWhole ? null : "time_cap",
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EncoderUnavailable) return notCompared("unavailable");
    throw error;
  }
}

/** The parts of the time after which no more sentences of the source, then of the query, are encoded; the rest is for comparing. */
const SOURCE_SHARE = 0.4;
const ENCODING_SHARE = 0.8;

function notCompared(reason: MeaningReason): MeaningOfTexts {
  return { passages: [], isStarted: false, reason };
}

type Timed = Pick<TextsToCompare, "signal"> & { readonly hasTime: () => boolean };

/** The fingerprints of the source's sentences, as many as there is time for. */
async function encodeSource(
  { encoder, model }: ReadyModel,
  sentences: readonly PlacedSentence[],
  { hasTime, signal }: Timed,
): Promise<{ readonly sentences: readonly SentenceFingerprint[]; readonly isWhole: boolean }> {
  const fingerprints: SentenceFingerprint[] = [];
  while (fingerprints.length < sentences.length && hasTime()) {
    const group = sentences.slice(fingerprints.length, fingerprints.length + SENTENCES_AT_ONCE);
    const texts = group.map(({ text }) => text);
    const vectors = await encoder.encode(texts, "check", signal);
    const nearest = await encoder.nearest(vectors, model.centroids, BACKGROUND_CENTROIDS, "check");
    const spans = group.map(({ span }) => span);
    fingerprints.push(...fingerprintSentences(model, spans, vectors.values, nearest));
  }
  return { sentences: fingerprints, isWhole: fingerprints.length === sentences.length };
}

/** Encodes the query's sentences that words have not found, as many as there is time for. The others equal no sentence. */
async function encodeNew(
  ready: ReadyModel,
  sentences: readonly PlacedSentence[],
  isNew: readonly boolean[],
  { hasTime, signal }: Timed,
): Promise<{ readonly query: EncodedQuery; readonly count: number; readonly isWhole: boolean }> {
  const vector = new Float32Array(ready.model.centroids.dimensions);
  const encoded: EncodedSentence[] = sentences.map(({ span }) => ({ span, vector, background: 1 }));
  const terms: (typeof EMPTY)[] = sentences.map(() => EMPTY);
  const wanted = [...sentences.keys()].filter((at) => isNew[at]);
  let count = 0;
  while (count < wanted.length && hasTime()) {
    const numbers = wanted.slice(count, count + SENTENCES_AT_ONCE);
    const group = numbers.flatMap((at) => sentences[at] ?? []);
    const found = await encodeSentences(ready, group, undefined, signal);
    for (const [position, at] of numbers.entries()) {
      const [sentence, ofSentence] = [found.sentences[position], found.terms[position]];
      if (sentence !== undefined) encoded[at] = sentence;
      if (ofSentence !== undefined) terms[at] = ofSentence;
    }
    count += numbers.length;
  }
  return { query: { ready, sentences: encoded, terms }, count, isWhole: count >= wanted.length };
}

const EMPTY: Awaited<ReturnType<typeof encodeSentences>>["terms"][number] = [];

/** The counts of a corpus that also has the source: then a text is compared with it as a check would. */
function withSource({ chunks, chunksWith }: TermCounts, sourceForms: readonly string[]): TermCounts {
  const counts = new Map(chunksWith);
  for (const form of sourceForms) {
    for (const term of new Set(wordTerms(form)))
      if (counts.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return { chunks: chunks + sourceForms.length, chunksWith: counts };
}
