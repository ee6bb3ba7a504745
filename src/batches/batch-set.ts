import type { FrequentShingles, MeaningStore } from "../corpus/index.ts";
import type { SearchableSet, WordIndex } from "../matching/set.ts";
import type { Database } from "../platform/postgres/database.ts";
import { shingleNumber } from "../text/common-shingles.ts";
import type { PartMember } from "./batch-store.ts";
import { earlierMembers, type MemberCorpus, type MemberIndex } from "./member-corpus.ts";

type BatchSetParts = {
  readonly database: Database;
  readonly memberCorpus: MemberCorpus;
  readonly memberIndex: MemberIndex;
  readonly meaning: Pick<MeaningStore, "assertKept">;
  readonly frequentShingles: FrequentShingles;
};

/**
 * The members of a batch that a member is compared with, as a set that its text is matched against.
 * @param words the index of these members' words; @param unsearched the numbers of shingles that too many members share.
 */
export function batchSet(
  { database, memberCorpus, memberIndex, meaning, frequentShingles }: BatchSetParts,
  member: PartMember,
  words: WordIndex,
  unsearched: ReadonlySet<number>,
): SearchableSet {
  return {
    words,
    isOneSubject: true,
    // All earlier members count, not only the members that are found: any of them could match by chance.
    sourcesCompared: Math.max(1, member.ordinal),
    findFrequent: async (shingles) => {
      const common = shingles.filter((shingle) => unsearched.has(shingleNumber(shingle)));
      return new Set([...(await frequentShingles.among(database, shingles)), ...common]);
    },
    findDocuments: (memberIds) => memberCorpus.findMatchable(database, memberIds),
    readTexts: (ranges) => memberCorpus.findRanges(database, ranges),
    // In OpenSearch, wherever words are searched for.
    findNear: (parts, size, timeMs) => memberIndex.searchMeaning(parts, size, timeMs, earlierMembers(member)),
    findChunks: (chunks) => memberCorpus.findChunkSpans(database, chunks),
    readSentences: (ranges, generation) => memberCorpus.findSectionsIn(database, ranges, generation),
    countEncoded: (generation) => memberCorpus.countEncoded(database, member.batchId, generation),
    assertSearched: async (generation) => {
      await Promise.all([memberIndex.assertCurrent(), meaning.assertKept(database, generation)]);
    },
  };
}
