import type { PassagePair } from "../scoring/passage-pair.ts";
import { type PanCorpus, readQuery, type TextPair } from "../texts/pan-corpus.ts";
import type { EvaluationService } from "./evaluation-service.ts";
import { RetrievalRecord, type Retrieved } from "./retrieval-record.ts";

/** A suspicious text after its check. */
export type CheckedText = {
  readonly queryName: string;
  /** The listed pairs of the text. */
  readonly pairs: readonly TextPair[];
  /** What the report says, by the name of the source. */
  readonly detections: ReadonlyMap<string, readonly PassagePair[]>;
  readonly retrieved: Retrieved;
  /** From the request to the end of the check. */
  readonly seconds: number;
  readonly words: number;
};

export type RunOptions = {
  /** Checks that are under way at once. */
  readonly atOnce: number;
  readonly onDone: (checks: number) => void;
  readonly signal: AbortSignal;
};

/** Submits each suspicious text of the given pairs, waits for its check and reads its report. */
export async function runChecks(
  service: EvaluationService,
  corpus: PanCorpus,
  pairs: readonly TextPair[],
  { atOnce, onDone, signal }: RunOptions,
): Promise<CheckedText[]> {
  const record = await RetrievalRecord.open(service.database, service.documents);
  const waiting = [...Map.groupBy(pairs, (pair) => pair.queryName)].values();
  const checked: CheckedText[] = [];
  const workers = Array.from({ length: atOnce }, async () => {
    for (const [queryName, listed] of waiting) {
      signal.throwIfAborted();
      checked.push(await runCheck(service, record, corpus, queryName, listed));
      onDone(checked.length);
    }
  });
  await Promise.all(workers);
  return checked.toSorted((a, b) => (a.queryName < b.queryName ? -1 : 1));
}

async function runCheck(
  { client, documents }: EvaluationService,
  record: RetrievalRecord,
  corpus: PanCorpus,
  queryName: string,
  pairs: readonly TextPair[],
): Promise<CheckedText> {
  const queryText = await readQuery(corpus.folder, queryName);
  const started = performance.now();
  const checkId = await client.submit(queryText, { title: queryName });
  const { status, coverage, word_count, error_message } = await client.ended(checkId);
  const seconds = (performance.now() - started) / 1000;
  if (status !== "complete" || coverage !== "full") {
    throw new Error(`The check of ${queryName} ended ${status}, ${coverage}: ${error_message}`);
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
  return {
    queryName,
    pairs,
    detections,
    retrieved: await record.of(checkId),
    seconds,
    words: word_count,
  };
}
