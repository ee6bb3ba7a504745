import { fingerprintedSentences } from "../../matching/encode-sentences.ts";
import type { SentenceEncoder } from "../../matching/encoder/sentence-encoder.ts";
import type { MeaningModel } from "../../matching/meaning/meaning-model.ts";
import { type MeaningTerms, meaningTermsOf } from "../../matching/meaning/meaning-terms.ts";
import { packSentences, SECTION_SENTENCES_MAX } from "../../matching/meaning/sentence-section.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import { shareIndexWriteLock } from "../index/index-write-lock.ts";

/** Documents whose terms are written together; encoding their sentences takes some seconds. */
const BATCH_DOCUMENTS = 50;

/** Sentences of a batch beyond which no further document is begun, so that new documents do not wait for long. */
const BATCH_SENTENCES = 5_000;

/** Sentences that are encoded in one go, and lost when it is interrupted. */
const SENTENCES_AT_ONCE = 2 * SECTION_SENTENCES_MAX;

/**
 * Encodes some waiting documents, newest first; returns how many. 0: none waits, or others work on them. If a document can't be
 * encoded, stores the documents before it, postpones it and throws its error.
 */
export type EncodeDocuments = (
  encoder: SentenceEncoder,
  model: MeaningModel,
  signal: AbortSignal,
) => Promise<number>;

/**
 * Makes documents matchable by meaning. Sections are committed one by one and the documents at the end, so an interrupted run
 * loses a fraction of a second of encoding, and the next one repeats only the sections that are not stored.
 */
export function createEncodeDocuments(stores: CorpusStores): EncodeDocuments {
  const { database, documents, texts, compute, meaning, chunkIndex, metrics } = stores;

  return async (encoder, model, signal) => {
    const { encoded, failure } = await database.transaction(async (transaction) => {
      const taken = await meaning.takeFromBacklog(transaction, BATCH_DOCUMENTS);
      const done: { documentId: string; sentenceCount: number }[] = [];
      let sentences = 0;
      let failure: { readonly error: unknown } | undefined;
      for (const documentId of taken) {
        if (sentences >= BATCH_SENTENCES) break;
        try {
          const sentenceCount = await encodeDocument(encoder, model, documentId, signal);
          done.push({ documentId, sentenceCount });
          sentences += sentenceCount;
        } catch (error) {
          signal.throwIfAborted();
          await meaning.postpone(transaction, documentId);
          failure = { error };
          break;
        }
      }
      if (done.length > 0) {
        await shareIndexWriteLock(transaction);
        await chunkIndex.addMeaningTerms(await termsOf(done.map(({ documentId }) => documentId)));
        await meaning.markEncoded(transaction, model.generation, done);
        metrics.documentsEncoded.inc(done.length);
      }
      return { encoded: done.length, failure };
    });
    if (failure !== undefined) throw failure.error;
    return encoded;
  };

  /** Stores the sections that are missing, each in its own transaction; returns the number of sentences. */
  async function encodeDocument(
    encoder: SentenceEncoder,
    model: MeaningModel,
    documentId: string,
    signal: AbortSignal,
  ): Promise<number> {
    const [[document], text, stored] = await Promise.all([
      documents.findAll(database, [documentId]),
      texts.findAll(database, [documentId]),
      meaning.findSections(database, [documentId], model.generation),
    ]);
    if (document === undefined) return 0;
    const found = await compute.run("findSentences", {
      sections: text.get(documentId) ?? [],
      language: document.language,
    });
    const storedUpTo = Math.max(0, ...(stored.get(documentId) ?? []).map(({ end }) => end));
    const missing = found.filter(({ span }) => span.start >= storedUpTo);
    for (let from = 0; from < missing.length; from += SENTENCES_AT_ONCE) {
      signal.throwIfAborted();
      const part = missing.slice(from, from + SENTENCES_AT_ONCE);
      const { fingerprints } = await fingerprintedSentences({ encoder, model }, part, "corpus", signal);
      for (const section of packSentences(fingerprints))
        await meaning.addSection(database, documentId, model.generation, section);
      metrics.sentencesEncoded.inc(part.length);
    }
    return found.length;
  }

  async function termsOf(documentIds: readonly string[]): Promise<Map<string, MeaningTerms>> {
    const [matchable, sections] = await Promise.all([
      documents.findMatchable(database, documentIds),
      meaning.findSections(database, documentIds),
    ]);
    return new Map(
      matchable.map(({ documentId, chunkOffsets }) => [
        documentId,
        meaningTermsOf(sections.get(documentId) ?? [], chunkOffsets),
      ]),
    );
  }
}
