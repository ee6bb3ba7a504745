import { isStoreAway, type WithPatience } from "../folder/store-patience.ts";
import type { IndexVersion } from "../index-versions.ts";
import { COUNT_PAGE, countChunksOf } from "../upkeep/chunk-counts.ts";
import { compareIndex, isUuid, WORK_GRACE_MS } from "../upkeep/compare-index.ts";
import type { SweepRemoved } from "../upkeep/sweep-removed.ts";
import { type CopyParts, copyDocuments } from "./rebuild-copy.ts";
import type { RebuildSession } from "./rebuild-session.ts";

/** So few documents are copied in about a second, while writers wait: there is no need for another round before that. */
const FEW_DOCUMENTS = 200;

/** Each round copies what came during the one before: with an ingest beside it, a few bring that down to a batch. */
const ROUNDS_MAX = 5;

/**
 * A writer's row bears the time at which its transaction began, a moment before it went through the gate. This is what
 * that moment may take, in milliseconds, and the clock may be set back by.
 */
const MARGIN_MS = 60_000;

/** A store that answers, and yet cuts off each pass, needs a person. */
const CUT_OFF_PASSES_MAX = 10;

export type FillParts = CopyParts & { readonly sweepRemoved: SweepRemoved };

export type Filling = {
  readonly parts: FillParts;
  readonly session: RebuildSession;
  readonly target: IndexVersion;
  /** Whether the standing index can't be searched: then pending documents are waiting for this rebuild as well. */
  readonly includesPending: boolean;
  readonly withPatience: WithPatience;
  readonly onCopied: (chunks: number) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Fills the index from the rows until it lacks at most a few documents that came meanwhile. What is there already is left
 * as it is, so a rebuild that was cut off goes on where it stopped, and nothing needs to be noted for that.
 * @returns a time: what is not in the index was fingerprinted after it.
 * @throws DomainError `store_unavailable` when a store stays away; the signal's reason; what a copy throws.
 */
export async function fillFromRows(filling: Filling): Promise<Date> {
  let since = await fullPasses(filling);
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const next = await timeBeforeWriters(filling);
    const copied = await copySince(filling, since);
    since = next;
    if (copied <= FEW_DOCUMENTS) break;
  }
  return since;
}

/** Copies the documents that were fingerprinted since, as far as the index lacks them; gives their number. */
export async function copySince(filling: Filling, since: Date): Promise<number> {
  const { parts, target } = filling;
  const rows = await parts.database.query<{ document_id: string; chunk_count: number }>(
    "select document_id, chunk_count from document_chunks where fingerprinted_at >= $1",
    [since],
  );
  let copied = 0;
  for (let from = 0; from < rows.length; from += COUNT_PAGE) {
    const page = rows.slice(from, from + COUNT_PAGE);
    const ids = page.map((row) => row.document_id);
    const counts = await filling.withPatience(() => countChunksOf(parts.opensearch, target.name, ids));
    const lacking = page.filter((row) => (counts.get(row.document_id) ?? 0) !== row.chunk_count);
    await copy(
      filling,
      lacking.map((row) => row.document_id),
      true,
    );
    copied += lacking.length;
  }
  return copied;
}

/** Goes through the whole corpus until there is little left to do; the first pass does nearly all, the second confirms it. */
async function fullPasses(filling: Filling): Promise<Date> {
  for (let number = 1, before = Number.POSITIVE_INFINITY; ; number += 1) {
    const since = await timeBeforeWriters(filling);
    const found = await patientPass(filling, number > 1);
    // Documents that come as fast as they are copied are left to the rounds that follow.
    if (found === 0 || (number > 1 && (found <= FEW_DOCUMENTS || found > before / 2))) return since;
    before = found;
  }
}

/** A pass that a store has cut off is begun again when it is back; what was copied is not copied again. */
async function patientPass(filling: Filling, isRepeated: boolean): Promise<number> {
  const { parts, target, withPatience } = filling;
  for (let cutOff = 1; ; cutOff += 1) {
    try {
      return await pass(filling, isRepeated || cutOff > 1);
    } catch (error) {
      if (!isStoreAway(error) || cutOff === CUT_OFF_PASSES_MAX) throw error;
      await withPatience(() => parts.indexVersions.refresh(target.name));
    }
  }
}

/** Gives the number of documents that the index did not hold as the rows say. */
async function pass(filling: Filling, isRepeated: boolean): Promise<number> {
  const { parts, target, includesPending, signal } = filling;
  const graceMs = includesPending ? 0 : WORK_GRACE_MS;
  let found = 0;
  for await (const { kind, documentIds } of compareIndex(parts, target.name, { graceMs, signal })) {
    if (kind === "extra") await removeExtra(parts, documentIds);
    else if (kind === "missing" || includesPending) {
      await copy(filling, documentIds, isRepeated);
      found += documentIds.length;
    }
  }
  return found;
}

/** Chunks whose document was deleted after they were read, or that somebody else has put there. */
async function removeExtra(
  { database, removed, sweepRemoved, chunkIndex }: FillParts,
  ids: readonly string[],
) {
  await removed.note(database, ids.filter(isUuid));
  await sweepRemoved();
  const foreign = ids.filter((id) => !isUuid(id));
  if (foreign.length > 0) await chunkIndex.remove(foreign);
}

function copy(filling: Filling, documentIds: readonly string[], mayHoldSurplus: boolean): Promise<void> {
  return copyDocuments(filling.parts, documentIds, {
    ...filling,
    target: filling.target.name,
    mayHoldSurplus,
  });
}

/**
 * A time before which no writer has begun that is still at work: those that were inside the gate have left it when this
 * returns, and their rows can be seen.
 */
async function timeBeforeWriters({ session, signal }: Filling): Promise<Date> {
  const [row] = await session.query<{ since: Date }>(
    "select clock_timestamp() - $1 * interval '1 millisecond' as since",
    [MARGIN_MS],
  );
  if (row === undefined) throw new Error("PostgreSQL gave no time");
  await session.withGateClosed(async () => undefined, signal);
  return row.since;
}
