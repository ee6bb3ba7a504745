import { v7 as uuidv7 } from "uuid";
import { extractTemplate, type IdempotencyStore, keyedRequest } from "../checks/index.ts";
import type { CorpusStores } from "../corpus/index.ts";
import type { Extractor } from "../extract/extractor.ts";
import { DomainError } from "../platform/domain-error.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import {
  type BatchSettings,
  batchNotFound,
  type NewMember,
  type NewTemplate,
  READ_MEMBERS_QUEUE,
} from "./batch.ts";
import type { BatchStore } from "./batch-store.ts";

/** Members that one job reads, and another compares: some seconds of work, which an interruption repeats in part. */
const PART_MEMBERS = 25;

/** Bytes of the members that are inserted together. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;
const GROUP_MEMBERS_MAX = 500;

type TemplateFile = { readonly filename: string; readonly bytes: Uint8Array };

export type SubmitBatchInput = {
  readonly settings: BatchSettings;
  /** Read from the beginning for each attempt of the transaction, which waits for it: from memory or a local file, never from a client. */
  readonly members: () => AsyncIterable<NewMember> | Iterable<NewMember>;
  readonly templates: readonly (TemplateFile | { readonly text: string })[];
  readonly idempotencyKey: string | undefined;
  /** Identifies the submitted content; compared when a key is reused. */
  readonly request: readonly (string | Uint8Array)[];
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
};

/** Accepts texts and returns the identifier of their batch. */
export type SubmitBatch = (input: SubmitBatchInput) => Promise<string>;

/** Adds texts to a batch and returns how many. */
export type AddMembers = (
  batchId: string,
  input: Pick<SubmitBatchInput, "members" | "idempotencyKey" | "request" | "signal">,
) => Promise<number>;

type SubmitBatchParts = Pick<CorpusStores, "database" | "queue" | "compute"> & {
  readonly batches: BatchStore;
  readonly idempotencyKeys: IdempotencyStore;
  readonly extractor: Extractor;
  /** Members of one batch. */
  readonly batchMembersMax: number;
  /** Members of all batches that may wait to be read or compared. */
  readonly membersWaitingMax: number;
};

/** The batch, its members and their jobs are created together or not at all. */
export function createSubmitBatch(parts: SubmitBatchParts): SubmitBatch {
  const { database, batches, idempotencyKeys } = parts;
  return async ({ settings, members, templates, idempotencyKey, request, signal }) => {
    const read = await Promise.all(
      templates.map((template, at) => readTemplate(parts, template, at, settings, signal)),
    );
    const keyed = await keyedRequest("batch", idempotencyKey, request);
    return database.transaction(async (transaction) => {
      const { id } = await idempotencyKeys.once(transaction, keyed, async () => {
        const batchId = uuidv7();
        await batches.insert(transaction, batchId, settings);
        await batches.insertTemplates(transaction, batchId, read);
        await addAll(parts, transaction, batchId, members, signal);
        return { id: batchId, membersAdded: 0 };
      });
      return id;
    });
  };
}

/** @throws DomainError `batch_not_found`; `service_busy`; `idempotency_key_reused`; `invalid_input` for too many members or none. */
export function createAddMembers(parts: Omit<SubmitBatchParts, "extractor" | "compute">): AddMembers {
  const { database, batches, idempotencyKeys } = parts;
  return async (batchId, { members, idempotencyKey, request, signal }) => {
    const keyed = await keyedRequest("batch", idempotencyKey, [batchId, ...request]);
    return database.transaction(async (transaction) => {
      const { membersAdded } = await idempotencyKeys.once(transaction, keyed, async () => {
        const membersAdded = await addAll(parts, transaction, batchId, members, signal);
        await batches.reopen(transaction, batchId);
        await batches.announce(transaction, batchId);
        return { id: batchId, membersAdded };
      });
      return membersAdded;
    });
  };
}

async function addAll(
  {
    batches,
    queue,
    batchMembersMax,
    membersWaitingMax,
  }: Omit<SubmitBatchParts, "extractor" | "idempotencyKeys" | "compute">,
  transaction: Queryable,
  batchId: string,
  members: SubmitBatchInput["members"],
  signal: AbortSignal,
): Promise<number> {
  const known = await batches.lock(transaction, batchId);
  if (known === undefined) throw batchNotFound();
  const waiting = await batches.countWaiting(transaction, membersWaitingMax);
  let ordinal = known.members;
  let partId = "";
  let group: (NewMember & { memberId: string; ordinal: number; partId: string })[] = [];
  let size = 0;
  const parts: string[] = [];
  for await (const member of members()) {
    signal.throwIfAborted();
    if (ordinal >= batchMembersMax) throw tooManyMembers(batchMembersMax);
    if (waiting + ordinal - known.members >= membersWaitingMax) throw tooManyWait();
    const memberId = uuidv7();
    if ((ordinal - known.members) % PART_MEMBERS === 0) {
      partId = memberId;
      parts.push(partId);
    }
    group.push({ ...member, memberId, ordinal, partId });
    ordinal += 1;
    size += "bytes" in member.content ? member.content.bytes.byteLength : 0;
    if (size < GROUP_BYTES_MAX && group.length < GROUP_MEMBERS_MAX) continue;
    await batches.insertMembers(transaction, batchId, group);
    group = [];
    size = 0;
  }
  await batches.insertMembers(transaction, batchId, group);
  if (ordinal === known.members) throw noMembers();
  for (const id of parts) await queue.enqueue(READ_MEMBERS_QUEUE, id, transaction);
  return ordinal - known.members;
}

async function readTemplate(
  { extractor, compute }: SubmitBatchParts,
  template: SubmitBatchInput["templates"][number],
  at: number,
  { language }: BatchSettings,
  signal: AbortSignal,
): Promise<NewTemplate> {
  const text = "text" in template ? template.text : await extractTemplate(extractor, template, signal);
  const measure = await compute.run("measureText", { text, language: language ?? undefined });
  const name = "filename" in template ? template.filename : `template ${at + 1}`;
  return { name, text, language: measure.language };
}

function noMembers(): DomainError {
  const message = "must hold at least one text";
  return new DomainError("invalid_input", `members ${message}.`, { fields: [{ field: "members", message }] });
}

function tooManyMembers(max: number): DomainError {
  const message = `must be at most ${max.toLocaleString("en")} in a batch`;
  return new DomainError("invalid_input", `members ${message}.`, { fields: [{ field: "members", message }] });
}

function tooManyWait(): DomainError {
  return new DomainError(
    "service_busy",
    "Too many members of batches are waiting. Retry after the number of seconds in Retry-After.",
  );
}
