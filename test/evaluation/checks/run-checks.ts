import { type PanCorpus, readQuery, type TextPair } from "../texts/pan-corpus.ts";
import { mapAtOnce, type RunOptions } from "./at-once.ts";
import { checkText, type TextCheck } from "./check-text.ts";
import type { EvaluationService } from "./evaluation-service.ts";
import { RetrievalRecord, type Retrieved } from "./retrieval-record.ts";

/** A suspicious text after its check. */
export type CheckedText = Omit<TextCheck, "checkId"> & {
  readonly queryName: string;
  /** The listed pairs of the text. */
  readonly pairs: readonly TextPair[];
  readonly retrieved: Retrieved;
};

/** Submits each suspicious text of the given pairs, waits for its check and reads its report. */
export async function runChecks(
  service: EvaluationService,
  corpus: PanCorpus,
  pairs: readonly TextPair[],
  options: RunOptions,
): Promise<CheckedText[]> {
  const record = await RetrievalRecord.open(service.database, service.documents);
  const texts = [...Map.groupBy(pairs, (pair) => pair.queryName)];
  const checked = await mapAtOnce(texts, options, async ([queryName, listed]): Promise<CheckedText> => {
    const text = await readQuery(corpus.folder, queryName);
    const { checkId, ...check } = await checkText(service, queryName, text);
    return { queryName, pairs: listed, ...check, retrieved: await record.of(checkId) };
  });
  return checked.toSorted((a, b) => (a.queryName < b.queryName ? -1 : 1));
}
