import { Counter, type Registry } from "prom-client";

export type CorpusMetrics = ReturnType<typeof createCorpusMetrics>;

/** Counters that alerts use start at 0: Prometheus sees no increase in a series that its first event creates. */
export function createCorpusMetrics(registry: Registry) {
  const registers = [registry];
  const incompleteSearches = new Counter({
    name: "similarity_incomplete_searches_total",
    help: "Searches of the corpus with an incomplete answer, by reason: timed_out, shards_missing or refused",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of ["timed_out", "shards_missing", "refused"]) incompleteSearches.inc({ reason }, 0);
  return {
    incompleteSearches,
    documentsFingerprinted: new Counter({
      name: "similarity_documents_fingerprinted_total",
      help: "Corpus documents that became matchable",
      registers,
    }),
    documentsEncoded: new Counter({
      name: "similarity_documents_encoded_total",
      help: "Corpus documents that became matchable by meaning",
      registers,
    }),
    sentencesEncoded: new Counter({
      name: "similarity_sentences_encoded_total",
      help: "Sentences of corpus documents that were encoded",
      registers,
    }),
    documentsMended: new Counter({
      name: "similarity_documents_mended_total",
      help: "Corpus documents whose index and rows disagreed and were reconciled, by kind",
      labelNames: ["kind"],
      registers,
    }),
  };
}
