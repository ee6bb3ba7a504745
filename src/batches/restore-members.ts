import { type CorpusParts, chunkOffsetsOf, countChunksOf, semanticTermsOf } from "../corpus/index.ts";
import type { BatchStore, IndexedMemberRow } from "./batch-store.ts";
import type { MemberCorpus, MemberIndex } from "./member-corpus.ts";

/** Members that are counted in one request, or written in one. */
const COUNTED_TOGETHER = 1_000;
const WRITTEN_TOGETHER = 10;

type Parts = Pick<CorpusParts, "database" | "opensearch" | "compute" | "log"> & {
  readonly batches: BatchStore;
  readonly memberCorpus: MemberCorpus;
  readonly memberIndex: MemberIndex;
};

/**
 * Writes the chunks of a batch's members that the index lacks because it was deleted, or restored from an older snapshot: later
 * members would be compared without them, and nothing would tell.
 */
export function createRestoreMembers({
  database,
  opensearch,
  compute,
  log,
  batches,
  memberCorpus,
  memberIndex,
}: Parts) {
  return async (batchId: string, signal: AbortSignal): Promise<void> => {
    await memberIndex.createFirst();
    await memberIndex.assertCurrent();
    const members = await batches.indexedMembers(database, batchId);
    const lacking: IndexedMemberRow[] = [];
    for (let from = 0; from < members.length; from += COUNTED_TOGETHER) {
      const page = members.slice(from, from + COUNTED_TOGETHER);
      const ids = page.map(({ memberId }) => memberId);
      const counts = await countChunksOf(opensearch, memberIndex.readAlias, ids);
      lacking.push(...page.filter(({ memberId, chunks }) => (counts.get(memberId) ?? 0) < chunks));
    }
    if (lacking.length === 0) return;
    log.warn(
      { batchId, members: lacking.length },
      "the index has lost members of a batch; writing them again",
    );
    await memberIndex.write(indexed(batchId, lacking, signal));
  };

  async function* indexed(batchId: string, lacking: readonly IndexedMemberRow[], signal: AbortSignal) {
    for (let from = 0; from < lacking.length; from += WRITTEN_TOGETHER) {
      signal.throwIfAborted();
      const group = lacking.slice(from, from + WRITTEN_TOGETHER);
      const texts = await memberCorpus.comparedTexts(
        database,
        group.map(({ memberId }) => memberId),
      );
      const written = await Promise.all(
        group.map(async (member) => {
          const compared = texts.get(member.memberId);
          return compared === undefined ? [] : [await toIndexed(batchId, member, compared)];
        }),
      );
      yield written.flat();
    }
  }

  async function toIndexed(
    batchId: string,
    { memberId: documentId, name: title, ordinal, group, sentencesBy }: IndexedMemberRow,
    compared: { readonly text: string; readonly language: string },
  ) {
    const { text, language } = compared;
    const chunks = await compute.run("fingerprint", { text, language });
    const whole = { documentId, start: 0, end: text.length };
    const sections =
      sentencesBy === null ? new Map() : await memberCorpus.findSectionsIn(database, [whole], sentencesBy);
    const facts = {
      scope: "member",
      mediaType: "text/plain",
      sourceUrl: null,
      createdAt: new Date(),
    } as const;
    return {
      document: { documentId, title, language, ...facts },
      chunks,
      semanticTerms: semanticTermsOf(sections.get(documentId) ?? [], chunkOffsetsOf(chunks)),
      member: { batchId, ordinal, group },
    };
  }
}
