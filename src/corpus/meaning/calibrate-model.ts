import { EncoderUnavailable, type SentenceEncoder } from "../../matching/encoder/sentence-encoder.ts";
import { type Centroids, firstCentroids } from "../../matching/meaning/centroids.ts";
import { BACKGROUND_CENTROIDS, meanOf, PROBE } from "../../matching/meaning/meaning-model.ts";
import { neighboursOf } from "../../matching/meaning/measure-calibration.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { exclusiveWork } from "../../platform/postgres/session.ts";
import { sampleDocuments } from "../documents/document-store.ts";
import { type NewMeaningModel, packCentroids, unpackCentroids } from "../documents/meaning-store.ts";
import type { CommandOutput, CorpusStores } from "../index/corpus-stores.ts";

/** Sentences that are encoded: a server that takes 13 a second has them in a quarter of an hour. */
export const SENTENCES_MAX = 12_000;

/** Fewer sentences are not representative. The sample corpus has 59,000. */
const SENTENCES_MIN = 1_000;

const DOCUMENTS_MAX = 2_000;

/** The minimum number of sentences taken from each document, evenly spread. */
const SENTENCES_OF_DOCUMENT_MIN = 8;

/** The share of sentences held back from the centroids, to measure how near unseen sentences are. */
const HELD_BACK = 1 / 8;

/**
 * Fewer sentences per centroid overfit the sample; more make the terms less specific. A rewritten sentence of unseen text has its source
 * among eight terms in 70% (USE) and 71% (e5) of cases with four, in 77% and 71% with eight, where searches read twice as much.
 */
const SENTENCES_OF_CENTROID = 4;
const CENTROIDS_MAX = 4_096;

/** After eight rounds of k-means, one sentence in a hundred still changes its centroid. */
const ROUNDS = 8;

/** Sentences in one request to the encoder, as when documents are encoded. */
const ENCODED_TOGETHER = 64;

/** The minimum number of neighbours examined for a sentence. */
const NEIGHBOURS_MIN = 8;

/** While documents come in, as at the first start, a small corpus is not yet representative. */
const SETTLED_AFTER = "60 seconds";
const SENTENCE_CHARS_USUAL = 130;

/** Identifies the lock among the database's advisory locks; the number is arbitrary but fixed. */
const CALIBRATION_LOCK_KEY = 7_305_811_207;

/** Finds the measurements that are shipped for a built-in model. */
type FindShippedModel = (model: string) => Promise<NewMeaningModel | undefined>;

/** There is nothing to calibrate a model by yet. */
export class NotCalibrated extends EncoderUnavailable {}

/** `sentences`: by how many it was measured. */
export type Measured = { readonly model: NewMeaningModel; readonly sentences: number };
export type Calibrated = Measured & { readonly generation: number };

/** The ways of measuring models: in the background when there are no measurements yet, and by command. */
export type CalibrateModel = ReturnType<typeof createCalibrateModel>;

/**
 * Measures an encoder's model on sentences of the corpus and stores it as a new generation, whose fingerprints the workers then make.
 * Only one process does so at a time.
 */
export function createCalibrateModel(stores: CorpusStores, shippedModel: FindShippedModel) {
  const { databaseUrl, database, meaning } = stores;

  return {
    /** @returns undefined while another process calibrates, or has just done so. @throws NotCalibrated; EncoderUnavailable; the signal's reason */
    firstTime: (encoder: SentenceEncoder, told: CommandOutput): Promise<Calibrated | undefined> =>
      exclusiveWork(databaseUrl, CALIBRATION_LOCK_KEY, async () => {
        if ((await meaning.newestGeneration(database, encoder.model)) !== undefined) return undefined;
        const shipped = await shippedModel(encoder.model);
        if (shipped === undefined) await assertSettled(stores);
        return store(
          shipped === undefined ? await measure(stores, encoder, told) : { model: shipped, sentences: 0 },
        );
      }),

    /**
     * Measures without regard to earlier measurements. Stores the result if there is no earlier one, or with `replaces`.
     * @returns undefined while another process calibrates. @throws as above; DomainError `invalid_input` for a built-in model
     */
    anew: (encoder: SentenceEncoder, { replaces, ...told }: CommandOutput & { readonly replaces: boolean }) =>
      exclusiveWork(databaseUrl, CALIBRATION_LOCK_KEY, async (): Promise<Measured | Calibrated> => {
        if ((await shippedModel(encoder.model)) !== undefined)
          throw new DomainError("invalid_input", BUILT_IN);
        const isNew = (await meaning.newestGeneration(database, encoder.model)) === undefined;
        const measured = await measure(stores, encoder, told);
        return isNew || replaces ? store(measured) : measured;
      }),
  };

  function store(measured: Measured): Promise<Calibrated> {
    return database.transaction(async (transaction) => ({
      ...measured,
      generation: await meaning.addModel(transaction, measured.model),
    }));
  }
}

const BUILT_IN =
  "The built-in encoder needs no calibration. Set EMBEDDINGS_URL and EMBEDDINGS_MODEL to calibrate a model of your own server.";

/** @throws NotCalibrated while a small corpus grows. */
async function assertSettled({ database }: CorpusStores): Promise<void> {
  const [row] = await database.query<{ chars: number; isGrowing: boolean }>(
    `select coalesce(sum(char_count), 0)::bigint as chars,
            coalesce(max(fingerprinted_at) between now() - $2::interval and now() + interval '1 minute', false) as "isGrowing"
       from (select char_count, fingerprinted_at from document_chunks join documents using (document_id)
              order by fingerprinted_at desc limit $1) as newest`,
    [DOCUMENTS_MAX, SETTLED_AFTER],
  );
  const sentences = Math.round((row?.chars ?? 0) / SENTENCE_CHARS_USUAL);
  if (sentences < SENTENCES_MIN) throw tooFew();
  if (row?.isGrowing === true && sentences < 2 * SENTENCES_MAX)
    throw new NotCalibrated("the model is calibrated a minute after the last new document");
}

function tooFew(): NotCalibrated {
  return new NotCalibrated(
    `the model is calibrated when the corpus has ${SENTENCES_MIN} sentences; load the sample corpus or some documents`,
  );
}

async function measure(
  stores: CorpusStores,
  encoder: SentenceEncoder,
  { say, signal }: CommandOutput,
): Promise<Measured> {
  const { compute } = stores;
  const sentences = await sampleSentences(stores, signal);
  if (sentences.length < SENTENCES_MIN) throw tooFew();
  say(`Calibrating ${encoder.model}: encoding ${sentences.length} sentences of the corpus`);
  const vectors = await encodeAll(encoder, sentences, say, signal);
  const { dimensions, values } = vectors;
  const rows = (from: number, to: number): Centroids => ({
    dimensions,
    values: values.subarray(from * dimensions, to * dimensions),
  });
  // Sentences of a document follow each other, so at most one document is on both sides.
  const seen = Math.round(sentences.length * (1 - HELD_BACK));
  const [others, queries] = [rows(0, seen), rows(seen, sentences.length)];

  const count = Math.min(CENTROIDS_MAX, Math.floor(seen / SENTENCES_OF_CENTROID));
  say(`Calibrating ${encoder.model}: finding ${count} centroids`);
  let moving = firstCentroids(others, count);
  for (let round = 0; round < ROUNDS; round++) {
    signal?.throwIfAborted();
    const nearest = await encoder.nearest(others, moving, 1, "corpus");
    moving = await compute.run("moveCentroids", {
      vectors: others,
      nearest: nearest.map(([near]) => near?.centroid ?? 0),
      centroids: moving,
    });
  }
  const centroids = packCentroids(moving.values, dimensions);
  const stored = { dimensions, values: unpackCentroids(centroids, dimensions) };
  const neighbours = Math.max(NEIGHBOURS_MIN, neighboursOf(seen));
  const calibration = await compute.run("measureCalibration", {
    queries,
    others,
    mean: meanOf(stored),
    nearestCentroids: await encoder.nearest(queries, stored, BACKGROUND_CENTROIDS, "corpus"),
    nearestOthers: await encoder.nearest(queries, others, neighbours, "corpus"),
  });
  const { values: probe } = await encoder.encode([PROBE], "corpus", signal);
  return {
    model: { model: encoder.model, dimensions, centroids, calibration, probe: [...probe] },
    sentences: sentences.length,
  };
}

/** Sentences of random documents, grouped by document. Each text occurs once, because repeated text is mostly boilerplate. */
async function sampleSentences(
  { database, documents, texts, compute }: CorpusStores,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const ids = await sampleDocuments(database, DOCUMENTS_MAX);
  const ofDocument = Math.max(
    SENTENCES_OF_DOCUMENT_MIN,
    Math.ceil((2 * SENTENCES_MAX) / Math.max(1, ids.length)),
  );
  const found = new Set<string>();
  for (const documentId of ids) {
    signal?.throwIfAborted();
    const [[document], sections] = await Promise.all([
      documents.findAll(database, [documentId]),
      texts.findAll(database, [documentId]),
    ]);
    if (document === undefined) continue;
    const sentences = await compute.run("findSentences", {
      sections: sections.get(documentId) ?? [],
      language: document.language,
    });
    const taken = Math.min(ofDocument, sentences.length);
    for (let at = 0; at < taken && found.size < SENTENCES_MAX; at++)
      found.add(sentences[Math.floor((at * sentences.length) / taken)]?.text ?? "");
    if (found.size >= SENTENCES_MAX) break;
  }
  return [...found];
}

/** The vectors, in memory that threads share. */
async function encodeAll(
  encoder: SentenceEncoder,
  sentences: readonly string[],
  say: CommandOutput["say"],
  signal: AbortSignal | undefined,
): Promise<Centroids> {
  let all: Centroids | undefined;
  for (let from = 0; from < sentences.length; from += ENCODED_TOGETHER) {
    const part = await encoder.encode(sentences.slice(from, from + ENCODED_TOGETHER), "corpus", signal);
    const { dimensions } = part;
    const bytes = sentences.length * dimensions * Float32Array.BYTES_PER_ELEMENT;
    all ??= { dimensions, values: new Float32Array(new SharedArrayBuffer(bytes)) };
    all.values.set(part.values, from * dimensions);
    const tenths = (at: number) => Math.floor((10 * at) / sentences.length);
    const done = Math.min(sentences.length, from + ENCODED_TOGETHER);
    if (tenths(done) > tenths(from)) say(`Calibrating ${encoder.model}: ${tenths(done)}0% encoded`);
  }
  if (all === undefined) throw tooFew();
  return all;
}
