import {
  COUNT_PAGE,
  type CorpusParts,
  chunkOffsetsOf,
  countChunksOf,
  type IndexedDocument,
  semanticTermsOf,
} from "../corpus/index.ts";
import type { BatchStore } from "./batch-store.ts";
import { indexedMember, type MemberCorpus, type MemberIndex } from "./member-corpus.ts";

type Parts = Pick<CorpusParts, "database" | "opensearch" | "compute"> & {
  readonly batches: BatchStore;
  readonly memberCorpus: MemberCorpus;
  readonly memberIndex: MemberIndex;
};

/** Members whose chunks are made and written together. */
const WRITTEN_TOGETHER = 10;

/**
 * Writes the chunks of a batch's members that the index lacks, as after the loss of the index or a move to another cluster: the rows
 * have all that chunks are made from. Safe to repeat and to run twice at once. Returns the number of members that lacked chunks.
 */
export function createRefillMembers(parts: Parts) {
  const { database, opensearch, batches, memberIndex } = parts;
  return async (batchId: string, signal: AbortSignal): Promise<number> => {
    await memberIndex.createFirst();
    const expected = [...(await batches.chunkCountsOf(database, batchId))];
    let refilled = 0;
    for (let from = 0; from < expected.length; from += COUNT_PAGE) {
      const page = expected.slice(from, from + COUNT_PAGE);
      const ids = page.map(([memberId]) => memberId);
      const counts = await countChunksOf(opensearch, memberIndex.readAlias, ids);
      const lacking = page.filter(([memberId, chunks]) => (counts.get(memberId) ?? 0) < chunks);
      const lackingIds = lacking.map(([memberId]) => memberId);
      if (lacking.length > 0) await memberIndex.write(cutAgain(parts, lackingIds, signal));
      refilled += lacking.length;
    }
    return refilled;
  };
}

async function* cutAgain(
  { database, compute, memberCorpus }: Parts,
  memberIds: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly IndexedDocument[]> {
  for (let from = 0; from < memberIds.length; from += WRITTEN_TOGETHER) {
    signal.throwIfAborted();
    const group = memberIds.slice(from, from + WRITTEN_TOGETHER);
    const [members, texts, sentences] = await Promise.all([
      memberCorpus.findPlaces(database, group),
      memberCorpus.comparedTexts(database, group),
      memberCorpus.findSections(database, group),
    ]);
    yield await Promise.all(
      members.map(async (member) => {
        const { text = "", language = "" } = texts.get(member.memberId) ?? {};
        const chunks = await compute.run("fingerprint", { text, language });
        const terms = semanticTermsOf(sentences.get(member.memberId) ?? [], chunkOffsetsOf(chunks));
        return indexedMember(member, { language, chunks, terms });
      }),
    );
  }
}
