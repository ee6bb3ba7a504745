import type { PassagePair } from "../scoring/passage-pair.ts";
import type { EvaluationService } from "./evaluation-service.ts";

/** What the report of one check says. */
export type TextCheck = {
  readonly checkId: string;
  /** In code points, by the name of the source. */
  readonly detections: ReadonlyMap<string, readonly PassagePair[]>;
  /** From the request to the end of the check. */
  readonly seconds: number;
  readonly words: number;
};

/** Submits a text, waits for its check and reads its report. @throws Error when the check was not a full one. */
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
