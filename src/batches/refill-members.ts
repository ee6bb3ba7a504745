import type { CorpusStores, IndexedDocument } from "../corpus/index.ts";
import { meaningTermsOf } from "../matching/meaning/meaning-terms.ts";
import { chunkOffsetsOf } from "../text/fingerprint-text.ts";
import type { BatchStore, StoredMember } from "./batch-store.ts";
import { indexedMember, type MemberCorpus, type MemberIndex } from "./member-corpus.ts";

type RefillMembersParts = Pick<CorpusStores, "database" | "compute"> & {
  readonly batches: BatchStore;
  readonly memberCorpus: MemberCorpus;
  readonly memberIndex: MemberIndex;
};

export type RefillOptions = {
  /**
   * Whether it is enough that the batch has the right number of chunks. Missing ones go unnoticed if the index has as many of members that
   * are not recorded as read: their chunks are written first.
   */
  readonly isTotalEnough: boolean;
  readonly signal?: AbortSignal | undefined;
};

/** Members whose chunks are counted in one request. */
const COUNTED_TOGETHER = 5_000;

/** Members whose chunks are made and written together. */
const WRITTEN_TOGETHER = 10;

/**
 * Writes the chunks of a batch's members that the index lacks, as after the loss of the index or a move to another cluster: the rows
 * have all that chunks are made from. Safe to repeat and to run twice at once. Returns the number of members that lacked chunks.
 */
export function createRefillMembers(parts: RefillMembersParts) {
  const { database, batches, memberIndex } = parts;
  return async (batchId: string, { isTotalEnough, signal }: RefillOptions): Promise<number> => {
    await memberIndex.createFirst();
    if (isTotalEnough) {
      const { chunks } = await batches.size(database, batchId);
      const ofBatch = { term: { batch_id: batchId } };
      if ((await memberIndex.count(ofBatch)) === chunks) return 0;
    }
    const members = await batches.readMembers(database, batchId);
    let refilled = 0;
    for (let from = 0; from < members.length; from += COUNTED_TOGETHER) {
      const page = members.slice(from, from + COUNTED_TOGETHER);
      const counts = await memberIndex.countOf(page.map(idOf));
      const lacking = page.filter((member) => (counts.get(member.memberId) ?? 0) < member.chunks);
      if (lacking.length > 0) await memberIndex.write(cutAgain(parts, lacking, signal));
      refilled += lacking.length;
    }
    return refilled;
  };
}

async function* cutAgain(
  { database, compute, memberCorpus }: RefillMembersParts,
  members: readonly StoredMember[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly IndexedDocument[]> {
  for (let from = 0; from < members.length; from += WRITTEN_TOGETHER) {
    signal?.throwIfAborted();
    const group = members.slice(from, from + WRITTEN_TOGETHER);
    const [texts, sentences] = await Promise.all([
      memberCorpus.comparedTexts(database, group.map(idOf)),
      memberCorpus.findSections(database, group.map(idOf)),
    ]);
    const cut = group.map(async (member) => {
      const compared = texts.get(member.memberId);
      // It was deleted meanwhile.
      if (compared === undefined) return [];
      const { text, language } = compared;
      const chunks = await compute.run("fingerprint", { text, language });
      const terms = meaningTermsOf(sentences.get(member.memberId) ?? [], chunkOffsetsOf(chunks));
      return [indexedMember(member, { language, chunks, terms })];
    });
    yield (await Promise.all(cut)).flat();
  }
}

function idOf({ memberId }: StoredMember): string {
  return memberId;
}
