import {
  type ChunkIndex,
  type IndexedDocument,
  readChunkSpans,
  readSectionsIn,
  readSectionsOf,
} from "../corpus/index.ts";
import type { DocumentProperties } from "../extract/text/document-properties.ts";
import type { MeaningTerms } from "../matching/meaning/meaning-terms.ts";
import type { SentenceSection } from "../matching/meaning/sentence-section.ts";
import type { MatchableDocument, TextRange } from "../matching/set.ts";
import type { ChunkAddress } from "../matching/words/reuse-evidence.ts";
import type { PackedSection } from "../platform/packed-text.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import { blankMargins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { fromFlat, joinSpans, type Span } from "../text/span.ts";
import type { PartMember, StoredMember } from "./batch-store.ts";

/** The members that a member is compared with: all that arrived before it, except members of its group. */
export function earlierMembers({ batchId, ordinal, group }: PartMember): object {
  const filter = [{ term: { batch_id: batchId } }, { range: { member_ordinal: { lt: ordinal } } }];
  return { bool: { filter, ...(group !== null && { must_not: [{ term: { member_group: group } }] }) } };
}

/** A member as the index holds it. */
export function indexedMember(
  { memberId: documentId, name: title, batchId, ordinal, group }: Omit<StoredMember, "chunks">,
  {
    language,
    chunks,
    terms,
  }: Pick<IndexedDocument, "chunks"> & { readonly language: string; readonly terms: MeaningTerms },
): IndexedDocument {
  const facts = { scope: "member", mediaType: "text/plain", sourceUrl: null, createdAt: new Date() } as const;
  return {
    document: { documentId, title, language, ...facts },
    chunks,
    meaningTerms: terms,
    member: { batchId, ordinal, group },
  };
}

/** A member's text as it is compared: margins and templates are blanked, so offsets do not change. */
type ComparedText = {
  readonly text: string;
  readonly language: string;
  readonly quotations: readonly Span[];
  readonly properties: DocumentProperties;
  readonly pageNotes: readonly PageNote[];
};

type TextRow = Omit<ComparedText, "quotations"> & {
  readonly memberId: string;
  readonly flat: readonly number[];
  readonly quotations: readonly number[];
};

const SENTENCES = { table: "batch_sentences", idColumn: "member_id" } as const;

/** The members of batches in the place of the corpus: gives retrieval, alignment and comparison of meaning the data of documents. */
export class MemberCorpus {
  /** Whether the members of a part that were read, and all before them, are in one group, so they are not compared. */
  async isOneGroup(db: Queryable, partId: string): Promise<boolean> {
    const [row] = await db.query<{ one: boolean }>(
      `select group_name is not null and not exists (
                select from batch_members as other
                 where other.batch_id = part.batch_id and ordinal <= last_ordinal and borders is not null
                   and other.group_name is distinct from part.group_name) as one
         from (select batch_id, min(group_name) as group_name, max(ordinal) as last_ordinal
                 from batch_members where part_id = $1 group by batch_id) as part`,
      [partId],
    );
    return row?.one === true;
  }

  async findMatchable(db: Queryable, memberIds: readonly string[]): Promise<MatchableDocument[]> {
    if (memberIds.length === 0) return [];
    return db.query<MatchableDocument>(
      `select member_id as "documentId", language,
              json_build_object('utf16', borders, 'codePoints', coalesce(code_point_borders, borders)) as "chunkOffsets"
         from batch_members join checks using (check_id)
        where member_id = any($1) and borders is not null order by member_id`,
      [memberIds],
    );
  }

  /** As of documents of the corpus. */
  async findChunkSpans(db: Queryable, chunks: readonly ChunkAddress[]): Promise<(Span | undefined)[]> {
    return readChunkSpans(
      db,
      `select place, borders[chunk + 1 : chunk + 2] as borders
         from unnest($1::uuid[], $2::integer[]) with ordinality as wanted (member_id, chunk, place)
         join batch_members using (member_id) where borders is not null`,
      chunks,
    );
  }

  /** The texts of some members as they are compared; members that are gone are missing. */
  async comparedTexts(db: Queryable, memberIds: readonly string[]): Promise<Map<string, ComparedText>> {
    const rows = await db.query<TextRow>(
      `select member_id as "memberId", language, query_text as text, page_margins || template_spans as flat, quotations,
              json_build_object('title', document_title, 'author', document_author) as properties, page_notes as "pageNotes"
         from batch_members join checks using (check_id) where member_id = any($1)`,
      [memberIds],
    );
    return new Map(
      rows.map(({ memberId, text, flat, quotations, ...rest }) => [
        memberId,
        { ...rest, text: blankMargins(text, joinSpans(fromFlat(flat))), quotations: fromFlat(quotations) },
      ]),
    );
  }

  /** The whole texts of the members of these ranges: essays are short. */
  async findRanges(
    db: Queryable,
    ranges: readonly { readonly documentId: string }[],
  ): Promise<Map<string, PackedSection[]>> {
    const texts = await this.comparedTexts(db, [...new Set(ranges.map(({ documentId }) => documentId))]);
    return new Map(
      [...texts].map(([memberId, { text }]) => [
        memberId,
        [{ start: 0, length: text.length, encoding: "utf8", body: Buffer.from(text) }],
      ]),
    );
  }

  async findQuotations(db: Queryable, memberIds: readonly string[]): Promise<Map<string, Span[]>> {
    if (memberIds.length === 0) return new Map();
    const rows = await db.query<{ memberId: string; quotations: number[] }>(
      'select member_id as "memberId", quotations from batch_members where member_id = any($1)',
      [memberIds],
    );
    return new Map(rows.map(({ memberId, quotations }) => [memberId, fromFlat(quotations)]));
  }

  /** Adds the sentences of a member, and keeps their vectors until it is compared. */
  async insertSentences(
    transaction: Queryable,
    memberId: string,
    generation: number,
    sections: readonly SentenceSection[],
    vectors: ReadonlyMap<number, Float32Array>,
  ): Promise<void> {
    for (const { start, end, count, body } of sections)
      await transaction.query(
        `insert into batch_sentences (member_id, generation, start_utf16, end_utf16, sentence_count, body)
         values ($1, $2, $3, $4, $5, $6)`,
        [memberId, generation, start, end, count, body],
      );
    for (const [first, { buffer, byteOffset, byteLength }] of vectors)
      await transaction.query(
        "insert into check_vectors (check_id, generation, first_sentence, vectors) values ($1, $2, $3, $4)",
        [memberId, generation, first, Buffer.from(buffer, byteOffset, byteLength)],
      );
  }

  /** All sections of the members' sentences, in their order. */
  findSections(db: Queryable, memberIds: readonly string[]) {
    return readSectionsOf(db, SENTENCES, memberIds);
  }

  /** The sections of the members' sentences that overlap these ranges. */
  findSectionsIn(db: Queryable, ranges: readonly TextRange[], generation: number) {
    return readSectionsIn(db, SENTENCES, ranges, generation);
  }

  /** How many members of a batch are compared by meaning, by this generation, and how many are not. */
  async countEncoded(
    db: Queryable,
    batchId: string,
    generation: number,
  ): Promise<{ readonly encoded: number; readonly lacking: number }> {
    const [row] = await db.query<{ encoded: number; lacking: number }>(
      `select count(*) filter (where sentences_by = $2) as encoded,
              count(*) filter (where sentences_by is distinct from $2) as lacking
         from batch_members where batch_id = $1 and borders is not null`,
      [batchId, generation],
    );
    return row ?? { encoded: 0, lacking: 0 };
  }
}

/** The index of members' chunks. It is built like the index of the corpus but has its own name, so no search of the corpus sees it. */
export const MEMBER_INDEX_PREFIX = "member-";

export type MemberIndex = ChunkIndex;
