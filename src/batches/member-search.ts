import { setImmediate as pause } from "node:timers/promises";
import { type ChunkIndex, type CorpusStores, IndexedWords } from "../corpus/index.ts";
import type { CurrentEncoder } from "../matching/encoder/sentence-encoder.ts";
import type { WordIndex } from "../matching/set.ts";
import type { ChunkAddress } from "../matching/words/reuse-evidence.ts";
import { storeUnavailable } from "../platform/domain-error.ts";
import { mergeSources, untilAborted } from "../platform/flow/concurrency.ts";
import type { BatchSize, PartMember, StoredMember } from "./batch-store.ts";
import { IndexedForms, InvertedIndex, type ScoredChunk } from "./inverted-index.ts";
import { earlierMembers } from "./member-corpus.ts";
import { createRefillMembers, type RefillOptions } from "./refill-members.ts";

/** The index of the words of the members before a member. */
export type WordsBefore = (member: PartMember) => WordIndex;

type MemberSearchParts = Parameters<typeof createRefillMembers>[0] &
  Pick<CorpusStores, "log"> & { readonly encoder: Pick<CurrentEncoder, "isOn"> };

/**
 * Chunks of all batches that a process holds in memory at a time: 13,000 texts of 2,000 words, in 370 MB. The members of larger batches are
 * searched for in OpenSearch.
 */
const HELD_CHUNKS_MAX = 150_000;

/**
 * Among 10,000 texts of 2,000 words, reading one into memory takes 3 ms and saves some 260 ms for each member compared. So it saves time from
 * about 1 in 87 members on; the bound is higher because it takes 300 MB.
 */
const COMPARED_SHARE_MIN = 1 / 50;

/** Chunks that are added to the index without a pause: about 10 ms. */
const CHUNKS_WITHOUT_PAUSE = 100;

/** How long a batch is held that nobody uses: another process may be comparing its last members. */
const IDLE_MS = 120_000;

/**
 * Chooses where to search for the members of a part: in memory if much of the batch must be compared, otherwise in OpenSearch. First it
 * ensures that the index has all members.
 */
export class MemberSearch {
  readonly #parts: MemberSearchParts;
  readonly #refill: ReturnType<typeof createRefillMembers>;
  readonly #held = new Map<string, Held>();

  constructor(parts: MemberSearchParts) {
    this.#parts = parts;
    this.#refill = createRefillMembers(parts);
  }

  /**
   * Runs work on members of a batch, and tells it where to search for each of them.
   * @param members of one batch, ascending. @throws the signal's reason.
   */
  async during(
    batchId: string,
    members: readonly PartMember[],
    signal: AbortSignal,
    work: (wordsBefore: WordsBefore) => Promise<void>,
  ): Promise<void> {
    const { memberIndex, encoder } = this.#parts;
    const held = await this.#holding(batchId, members.at(-1)?.ordinal ?? 0);
    if (held !== undefined) held.users += 1;
    clearTimeout(held?.idle);
    try {
      const inMemory = held && (await untilAborted(held.members, signal));
      // Meaning is searched for in OpenSearch in any case.
      if (inMemory === undefined || encoder.isOn)
        await this.#refilled(batchId, { isTotalEnough: true, signal });
      await work(
        (member) => inMemory?.before(member) ?? new IndexedWords(memberIndex, earlierMembers(member)),
      );
    } finally {
      if (held !== undefined) this.#leave(batchId, held);
    }
  }

  /** Gives up the memory of a batch that is compared. */
  release(batchId: string): void {
    const held = this.#held.get(batchId);
    if (held !== undefined) this.#drop(batchId, held);
  }

  #leave(batchId: string, held: Held): void {
    held.users -= 1;
    if (held.users === 0) held.idle = setTimeout(() => this.#drop(batchId, held), IDLE_MS).unref();
  }

  #drop(batchId: string, held: Held): void {
    clearTimeout(held.idle);
    if (this.#held.get(batchId) === held) this.#held.delete(batchId);
  }

  /** The batch in memory up to this ordinal, if it is worth holding. */
  async #holding(batchId: string, ordinal: number): Promise<Held | undefined> {
    const { database, batches } = this.#parts;
    const known = this.#held.get(batchId);
    if (known !== undefined && ordinal < known.size.endOrdinal) return known;
    const size = await batches.size(database, batchId);
    // Another job may have been faster.
    const current = this.#held.get(batchId);
    if (current !== undefined && ordinal < current.size.endOrdinal) return current;
    // The members in memory lack later additions.
    this.release(batchId);
    if (ordinal >= size.endOrdinal || !this.#isWorthIt(size)) return undefined;
    const held: Held = { size, members: this.#read(batchId, size), users: 0, idle: undefined };
    this.#held.set(batchId, held);
    held.members.catch(() => this.#drop(batchId, held));
    return held;
  }

  #isWorthIt({ members, chunks, membersToCompare }: BatchSize): boolean {
    const heldChunks = [...this.#held.values()].reduce((sum, { size }) => sum + size.chunks, 0);
    return membersToCompare >= COMPARED_SHARE_MIN * members && heldChunks + chunks <= HELD_CHUNKS_MAX;
  }

  /** Several jobs wait for it, so none of them can abort it. */
  async #read(batchId: string, { endOrdinal }: BatchSize): Promise<MembersInMemory> {
    const { database, batches, memberIndex } = this.#parts;
    await this.#refilled(batchId, { isTotalEnough: false });
    const members = (await batches.readMembers(database, batchId)).filter(
      ({ ordinal }) => ordinal < endOrdinal,
    );
    // While a page is added to the index, the next one is read.
    const pages = mergeSources([memberIndex.chunksOfBatch(batchId)]);
    return MembersInMemory.of(members, pages);
  }

  async #refilled(batchId: string, options: RefillOptions): Promise<void> {
    const refilled = await this.#refill(batchId, options);
    if (refilled > 0)
      this.#parts.log.warn({ batchId, members: refilled }, "the index lacked members of a batch");
  }
}

/** A batch that is in memory, or about to be. */
type Held = {
  readonly size: BatchSize;
  readonly members: Promise<MembersInMemory>;
  /** Parts of the batch that are being compared with it. */
  users: number;
  /** Gives up its memory when nobody has used it for a while. */
  idle: NodeJS.Timeout | undefined;
};

/** Members of a batch, and all that arrived before them. */
class MembersInMemory {
  readonly #members: ReadonlyMap<number, StoredMember>;
  /** By the numbers of chunks in the index. */
  readonly #places: readonly Place[];
  /** By members, the number of their first chunk. */
  readonly #firstChunks: ReadonlyMap<string, number>;
  readonly #index: InvertedIndex;

  private constructor(
    members: ReadonlyMap<number, StoredMember>,
    places: readonly Place[],
    index: InvertedIndex,
  ) {
    this.#members = members;
    this.#places = places;
    this.#index = index;
    const first = [...places.entries()].filter(([, { chunkIndex }]) => chunkIndex === 0);
    this.#firstChunks = new Map(
      first.map(([chunk, { ordinal }]) => [members.get(ordinal)?.memberId ?? "", chunk]),
    );
  }

  /** @throws DomainError `store_unavailable` when chunks of the members are missing. */
  static async of(
    members: readonly StoredMember[],
    pages: ReturnType<ChunkIndex["chunksOfBatch"]>,
  ): Promise<MembersInMemory> {
    const byOrdinal = new Map(members.map((member) => [member.ordinal, member]));
    const places: Place[] = [];
    const forms = new IndexedForms();
    for await (const page of pages) {
      for (const { ordinal, chunkIndex, form } of page) {
        if (chunkIndex >= (byOrdinal.get(ordinal)?.chunks ?? 0)) continue;
        if (places.length % CHUNKS_WITHOUT_PAUSE === 0) await pause();
        places.push({ ordinal, chunkIndex });
        forms.add(form);
      }
    }
    if (places.length < members.reduce((sum, { chunks }) => sum + chunks, 0))
      throw storeUnavailable("Chunks of a batch are missing in OpenSearch; they are written again.");
    const steps = InvertedIndex.of(forms);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return new MembersInMemory(byOrdinal, places, step.value);
      await pause();
    }
  }

  /** Undefined for a member that was added after the batch was loaded. */
  before({ memberId, ordinal, group }: PartMember): WordIndex | undefined {
    if (this.#members.get(ordinal)?.memberId !== memberId) return undefined;
    const index = this.#index;
    const searched = {
      // A text without words has no chunks, and is searched for nowhere.
      end: this.#firstChunks.get(memberId) ?? 0,
      isExcluded: (chunk: number) => group !== null && this.#memberAt(chunk)?.group === group,
    };
    const search = (found: readonly ScoredChunk[]) => ({ complete: true, hits: found.map(this.#toHit) });
    return {
      findShared: async (lists, size) =>
        lists.map((terms) => search(index.findByShingles(terms, size, searched))),
      findWords: async (lists, size, _timeMs, scoreMin) =>
        lists.map((terms) => search(index.findByWords(terms, { size, scoreMin }, searched))),
      countTerms: async ({ shingles, words }) => ({
        shingles: index.countShingles(shingles),
        words: index.countWords(words),
      }),
      readForms: async (chunks) => chunks.map((chunk) => ({ isRead: true, form: this.#form(chunk) })),
      assertCurrent: async () => undefined,
    };
  }

  #form({ documentId, chunkIndex }: ChunkAddress): string | undefined {
    const first = this.#firstChunks.get(documentId);
    if (first === undefined) return undefined;
    const [start, place] = [this.#places[first], this.#places[first + chunkIndex]];
    return place?.ordinal === start?.ordinal ? this.#index.form(first + chunkIndex) : undefined;
  }

  readonly #toHit = ({ chunk, score }: ScoredChunk) => ({
    documentId: this.#memberAt(chunk)?.memberId ?? "",
    chunkIndex: this.#places[chunk]?.chunkIndex ?? 0,
    score,
  });

  #memberAt(chunk: number): StoredMember | undefined {
    return this.#members.get(this.#places[chunk]?.ordinal ?? -1);
  }
}

/** A chunk by its member and its number in the member's text. */
type Place = { readonly ordinal: number; readonly chunkIndex: number };
