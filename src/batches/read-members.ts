import { type CheckStore, QUERY_TEXT_CHARS_MAX } from "../checks/index.ts";
import type { CorpusStores, IndexedDocument, Tombstones } from "../corpus/index.ts";
import type { Extractor } from "../extract/extractor.ts";
import type { DocumentProperties } from "../extract/text/document-properties.ts";
import { fingerprintedSentences, SENTENCES_AT_ONCE } from "../matching/encode-sentences.ts";
import type { ReadyModel } from "../matching/encoder/sentence-encoder.ts";
import { type CurrentEncoder, EncoderUnavailable } from "../matching/encoder/sentence-encoder.ts";
import type { MeaningTerms } from "../matching/meaning/meaning-terms.ts";
import { meaningTermsOf } from "../matching/meaning/meaning-terms.ts";
import { packSentences, type SentenceSection } from "../matching/meaning/sentence-section.ts";
import type { PreparedMember } from "../matching/preparation-tasks.ts";
import { DomainError } from "../platform/domain-error.ts";
import { groupItems, mapConcurrently } from "../platform/flow/concurrency.ts";
import { textPreview } from "../text/display-title.ts";
import { chunkOffsetsOf } from "../text/fingerprint-text.ts";
import type { HiddenText } from "../text/hidden-text.ts";
import type { Margins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { toFlat } from "../text/span.ts";
import type { NewTemplate } from "./batch.ts";
import type { PartMember } from "./batch-store.ts";
import { compareWhenRead, type EndBatchParts } from "./continue-batch.ts";
import { indexedMember, type MemberCorpus, type MemberIndex } from "./member-corpus.ts";
import type { PairStore } from "./pair-store.ts";

/** Members that are read at a time: while one is extracted, another is cut into chunks. */
const READ_AT_ONCE = 4;

/** Members whose chunks are written in one request. */
const WRITTEN_TOGETHER = 10;

export const FAILED_ATTEMPTS_MAX = 3;

const ACCEPTED = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/plain",
  "text/markdown",
] as const;

/** Errors of a file, which stay the same however often it is read. */
const FILE_ERRORS: ReadonlySet<string> = new Set([
  "unsupported_file_type",
  "unreadable_file",
  "no_extractable_text",
  "text_too_long",
]);

type ReadMembersParts = EndBatchParts &
  Pick<CorpusStores, "compute" | "log"> & {
    readonly pairs: PairStore;
    readonly checks: CheckStore;
    readonly memberCorpus: MemberCorpus;
    readonly memberIndex: MemberIndex;
    readonly memberTombstones: Tombstones;
    readonly extractor: Extractor;
    readonly encoder: CurrentEncoder;
  };

/** A member that is ready to be stored. */
type ReadMember = {
  readonly member: PartMember;
  readonly text: string;
  readonly margins: Margins;
  readonly hidden: readonly HiddenText[];
  readonly pageNotes: readonly PageNote[];
  readonly properties: DocumentProperties | undefined;
  readonly prepared: PreparedMember;
  readonly sentences: EncodedMember | undefined;
};

type EncodedMember = {
  readonly generation: number;
  readonly sections: readonly SentenceSection[];
  readonly terms: MeaningTerms;
  readonly vectors: ReadonlyMap<number, Float32Array>;
};

/**
 * Reads the members of a part and writes their chunks into the index. The last part of a batch starts the comparison. Safe to
 * repeat: chunks have fixed identifiers, and a member counts as read only once they are written.
 */
export function createReadMembers(parts: ReadMembersParts) {
  const { database, batches, memberIndex, checks, memberCorpus, memberTombstones } = parts;

  return async (partId: string, signal: AbortSignal): Promise<void> => {
    const waiting = await batches.ofPart(database, partId, "waiting");
    const [first] = waiting;
    const batchId = first?.batchId ?? (await batches.batchOfPart(database, partId));
    if (batchId === undefined) return;
    if (waiting.length > 0) {
      await memberIndex.createFirst();
      const templates = await batches.findTemplates(database, batchId);
      const read: ReadMember[] = [];
      // The index is refreshed before members are searched for; a refresh for each part took half the time of the writing.
      await memberIndex.add(indexed(waiting, templates, read, signal));
      await store(batchId, read);
    }
    await compareWhenRead(parts, batchId);
    await batches.announce(database, batchId);
  };

  async function* indexed(
    waiting: readonly PartMember[],
    templates: readonly NewTemplate[],
    read: ReadMember[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly IndexedDocument[]> {
    const results = mapConcurrently(waiting, READ_AT_ONCE, (member) =>
      readOrFail(parts, member, templates, signal),
    );
    for await (const group of groupItems(results, { countMax: WRITTEN_TOGETHER })) {
      const done = group.filter((member) => member !== undefined);
      read.push(...done);
      yield done.map(({ member, prepared: { language, chunks }, sentences }) =>
        indexedMember(member, { language, chunks, terms: sentences?.terms ?? new Map() }),
      );
    }
  }

  /** Members that were deleted meanwhile leave tombstones: their chunks have been written. */
  async function store(batchId: string, read: readonly ReadMember[]): Promise<void> {
    await database.transaction(async (transaction) => {
      const held = await batches.holdWaiting(
        transaction,
        read.map(({ member }) => member.memberId),
      );
      const kept = read.filter(({ member }) => held.has(member.memberId));
      for (const { member, text, margins, hidden, pageNotes, properties, prepared } of kept) {
        const { memberId, name } = member;
        const { language, languageOrigin, charCount, wordCount, templateSpans } = prepared;
        await checks.insert(transaction, {
          ...{ checkId: memberId, title: name, language, languageOrigin, charCount, wordCount },
          queryText: text,
          pageMargins: margins,
          hiddenText: hidden,
          pageNotes,
          properties,
          queryTextPreview: textPreview(text),
          original: null,
          ...{ batchId, templateSpans },
        });
      }
      await batches.markRead(transaction, kept.map(toFacts));
      for (const { member, sentences } of kept) {
        if (sentences === undefined) continue;
        const { generation, sections, vectors } = sentences;
        await memberCorpus.insertSentences(transaction, member.memberId, generation, sections, vectors);
      }
      const gone = read.filter(({ member }) => !held.has(member.memberId));
      await memberTombstones.add(
        transaction,
        gone.map(({ member }) => member.memberId),
      );
    });
  }
}

/** Undefined for a member that can't be read, which is recorded. @throws when another attempt is worthwhile. */
async function readOrFail(
  parts: ReadMembersParts,
  member: PartMember,
  templates: readonly NewTemplate[],
  signal: AbortSignal,
): Promise<ReadMember | undefined> {
  const { database, batches, log } = parts;
  const { memberId } = member;
  try {
    signal.throwIfAborted();
    return await readMember(parts, member, templates, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DomainError && FILE_ERRORS.has(error.code)) {
      await batches.fail(database, memberId, error.code, error.message);
      return undefined;
    }
    if (error instanceof DomainError) throw error;
    if ((await batches.countFailure(database, memberId)) < FAILED_ATTEMPTS_MAX) throw error;
    log.error({ memberId, err: error }, "a member of a batch can't be read");
    await batches.fail(database, memberId, "internal", FAILED);
    return undefined;
  }
}

export const FAILED =
  "The member failed several times because of an internal error. Add the text again; if that fails too, ask your " +
  "administrator: the service's log has the cause under the member's identifier.";

async function readMember(
  { database, batches, extractor, compute, encoder }: ReadMembersParts,
  member: PartMember,
  templates: readonly NewTemplate[],
  signal: AbortSignal,
): Promise<ReadMember | undefined> {
  const file = await batches.findFile(database, member.memberId);
  if (file === undefined) return undefined;
  const {
    text,
    margins,
    hidden = [],
    pageNotes = [],
    properties,
  } = file.isText
    ? { text: Buffer.from(file.bytes).toString("utf8"), margins: [] }
    : await extractor.extract(
        file.bytes,
        { filename: member.name, accept: ACCEPTED, textCharsMax: QUERY_TEXT_CHARS_MAX },
        signal,
      );
  const language = member.language ?? undefined;
  const withSentences = encoder.isOn && member.compareWith !== "corpus";
  const prepared = await compute.run("prepareMember", { text, language, margins, templates, withSentences });
  const sentences = prepared.sentences.length > 0 ? await encodeMember(encoder, prepared, signal) : undefined;
  return { member, text, margins, hidden, pageNotes, properties, prepared, sentences };
}

/** Undefined without an encoder: the member is compared by its words alone. */
async function encodeMember(
  encoder: CurrentEncoder,
  prepared: PreparedMember,
  signal: AbortSignal,
): Promise<EncodedMember | undefined> {
  try {
    const ready = await encoder.current();
    return ready && (await encodeSentences(ready, prepared, signal));
  } catch (error) {
    if (error instanceof EncoderUnavailable) return undefined;
    throw error;
  }
}

async function encodeSentences(
  ready: ReadyModel,
  { sentences, chunks }: PreparedMember,
  signal: AbortSignal,
): Promise<EncodedMember> {
  const vectors = new Map<number, Float32Array>();
  const sections: SentenceSection[] = [];
  for (let first = 0; first < sentences.length; first += SENTENCES_AT_ONCE) {
    const group = sentences.slice(first, first + SENTENCES_AT_ONCE);
    const encoded = await fingerprintedSentences(ready, group, "corpus", signal);
    sections.push(...packSentences(encoded.fingerprints));
    vectors.set(first, encoded.vectors);
  }
  const { generation } = ready.model;
  const stored = sections.map((section) => ({ ...section, documentId: "", generation }));
  return { generation, sections, vectors, terms: meaningTermsOf(stored, chunkOffsetsOf(chunks)) };
}

function toFacts({ member, prepared, sentences }: ReadMember) {
  const { utf16, codePoints } = chunkOffsetsOf(prepared.chunks);
  return {
    memberId: member.memberId,
    charCount: prepared.charCount,
    comparedChars: prepared.comparedChars,
    borders: utf16,
    codePointBorders: utf16.at(-1) === codePoints.at(-1) ? null : codePoints,
    shingles: prepared.shingles,
    quotations: toFlat(prepared.quotations),
    sentencesBy: sentences?.generation ?? null,
  };
}
