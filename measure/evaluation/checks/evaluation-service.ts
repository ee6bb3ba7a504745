import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { MeaningStore } from "../../../src/corpus/documents/meaning-store.ts";
import { Database } from "../../../src/platform/postgres/database.ts";
import { type OpenPipeline, openPipeline } from "../../../src/service/connect-corpus.ts";
import { ServiceProcess } from "../../../test/support/processes/service-process.ts";
import { freshDatabase, freshPrefix, testStores } from "../../../test/support/stores.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import type { NamedText } from "../texts/corpus-texts.ts";
import { DATA_DIR } from "../texts/places.ts";

/** A running service whose corpus contains only the given texts. */
export type EvaluationService = {
  readonly client: ServiceProcess["client"];
  readonly database: Database;
  /** By document identifier. */
  readonly documents: ReadonlyMap<string, NamedText>;
};

/** The language of the texts of the corpus. */
type SourceLanguage = "en" | "detected";

type EvaluationOptions = {
  readonly say: (line: string) => void;
  readonly wordsOnly: boolean;
  /** English by default. */
  readonly language?: SourceLanguage;
};

/**
 * Loads the texts into a new database and a new index in the stores of the tests, starts the service and runs `work`.
 * `mochaGlobalTeardown` removes the database and the index.
 */
export async function withEvaluationService<R>(
  texts: AsyncIterable<NamedText> | Iterable<NamedText>,
  { say, wordsOnly, language = "en" }: EvaluationOptions,
  work: (service: EvaluationService) => Promise<R>,
): Promise<R> {
  const { opensearchNodes } = await testStores();
  const databaseUrl = await freshDatabase("evaluation");
  const opensearchIndexPrefix = freshPrefix();
  const log = pino({ level: "warn" }, pino.destination(2));
  const pipeline = await openPipeline({ databaseUrl, opensearchNodes, opensearchIndexPrefix }, log);
  const documents = await loadTexts(pipeline, texts, language, say).finally(() => pipeline.close());

  const service = await ServiceProcess.start({
    DATABASE_URL: databaseUrl,
    OPENSEARCH_URL: opensearchNodes.join(","),
    OPENSEARCH_INDEX_PREFIX: opensearchIndexPrefix,
    DATA_DIR,
    SEMANTIC: wordsOnly ? "off" : "on",
    LOG_LEVEL: "warn",
  });
  const database = new Database(databaseUrl, log);
  try {
    if (!wordsOnly) await allEncoded(database, documents.size, say);
    return await work({ client: service.client, database, documents });
  } finally {
    await database.close();
    await service.end("SIGTERM");
  }
}

const ENCODING_POLL_MS = 500;

/** Waits until all documents are matchable by meaning. */
async function allEncoded(database: Database, documents: number, say: (line: string) => void): Promise<void> {
  const started = performance.now();
  const meaning = new MeaningStore();
  while ((await meaning.progress(database)).encoded < documents) await sleep(ENCODING_POLL_MS);
  say(`Their sentences are encoded after ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** Texts per transaction and bulk write: about a megabyte. */
const BATCH = 100;

/** Loads the texts through the library; afterwards all can be matched. The result is by document identifier. */
async function loadTexts(
  pipeline: OpenPipeline,
  texts: AsyncIterable<NamedText> | Iterable<NamedText>,
  language: SourceLanguage,
  say: (line: string) => void,
): Promise<ReadonlyMap<string, NamedText>> {
  const started = performance.now();
  const documents = new Map<string, NamedText>();
  let chunks = 0;
  for await (const batch of inBatches(texts)) {
    const ingested = await pipeline.ingestDocuments(batch.map((text) => toDocument(text, language)));
    for (const [at, text] of batch.entries()) documents.set(ingested[at]?.document.documentId ?? "", text);
    chunks += await pipeline.fingerprintDocuments(ingested.map(({ document }) => document.documentId));
  }
  await pipeline.refreshStatistics();
  const seconds = (performance.now() - started) / 1000;
  say(`The corpus contains ${documents.size} texts in ${chunks} chunks, loaded in ${seconds.toFixed(0)} s`);
  return documents;
}

async function* inBatches(
  texts: AsyncIterable<NamedText> | Iterable<NamedText>,
): AsyncGenerator<NamedText[]> {
  let batch: NamedText[] = [];
  for await (const text of texts) {
    batch.push(text);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function toDocument({ name, text }: NamedText, language: SourceLanguage) {
  const stated = language === "detected" ? undefined : language;
  return { collection: "evaluation", path: name, title: name, text, language: stated };
}

/** The result of one check. */
export type TextCheck = {
  readonly checkId: string;
  /** Reported passages in code points, by the name of the source. */
  readonly detections: ReadonlyMap<string, readonly PassagePair[]>;
  /** From the request to the end of the check. */
  readonly seconds: number;
  readonly words: number;
};

/** Submits a text, waits for its check and reads its report. @throws Error when the check is incomplete. */
export async function checkText(
  { client, documents }: EvaluationService,
  title: string,
  text: string,
): Promise<TextCheck> {
  const started = performance.now();
  const checkId = await client.submit(text, { title });
  const { status, coverage, word_count, error_message } = await client.ended(checkId);
  const seconds = (performance.now() - started) / 1000;
  if (status !== "complete" || coverage !== "full") {
    throw new Error(`The check of ${title} ended ${status}, ${coverage}: ${error_message}`);
  }
  const detections = new Map<string, PassagePair[]>();
  for (const { source_document_id, passages } of (await client.report(checkId)).sources) {
    const name = documents.get(source_document_id)?.name ?? source_document_id;
    const found = passages.map((passage) => ({
      query: { start: passage.query_start, end: passage.query_end },
      source: { start: passage.source_document_start, end: passage.source_document_end },
    }));
    detections.set(name, found);
  }
  return { checkId, detections, seconds, words: word_count };
}

export type RunOptions = {
  /** The number of concurrent checks. */
  readonly atOnce: number;
  /** Called with the number of items done so far. */
  readonly onDone: (items: number) => void;
  readonly signal: AbortSignal;
};

/** Runs `work` for each item, `atOnce` at a time, until `signal` aborts. The results keep the order of the items. */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  { atOnce, onDone, signal }: RunOptions,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const waiting = items.entries();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const [at, item] of waiting) {
      signal.throwIfAborted();
      results.set(at, await work(item));
      onDone(results.size);
    }
  });
  await Promise.all(workers);
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
