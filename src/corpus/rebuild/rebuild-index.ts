import { createPatience, isStoreAway, STORE_WAIT_MS } from "../folder/store-patience.ts";
import type { IndexVersion } from "../index-versions.ts";
import type { Reconcile } from "../upkeep/reconcile.ts";
import { sampleDocuments } from "../verify/sample-documents.ts";
import {
  assertFound,
  assertSameTotals,
  type ChunkTotals,
  countTotals,
  SAMPLED_CHECKS,
  sampleChecks,
} from "./rebuild-comparison.ts";
import { copySince, type Filling, type FillParts, fillFromRows } from "./rebuild-fill.ts";
import { RebuildSession } from "./rebuild-session.ts";
import { chooseTarget, copiesMade } from "./rebuild-target.ts";
import { reindex } from "./reindex.ts";

export type RebuildProgress = { readonly done: number; readonly total: number };

export type RebuildInput = {
  /** Has OpenSearch copy the chunks by itself, before what it has left out is filled in. */
  readonly reindex?: { readonly chunksPerSecond?: number | undefined } | undefined;
  /** Whether the indices behind no alias are deleted at the end. */
  readonly dropOld: boolean;
  /** Whether an unfinished index is thrown away, and not gone on with. */
  readonly restart: boolean;
  /** Chunks that are searched for in the new index before it takes over. */
  readonly samples?: number;
  readonly say: (line: string) => void;
  /** In chunks. */
  readonly onProgress?: ((progress: RebuildProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type Rebuilt = ChunkTotals & {
  /** The index that readers and writers use now. */
  readonly index: string;
  /** Written by this run; the rest was there when it began, or was copied by OpenSearch itself. */
  readonly chunksWritten: number;
  readonly sampledChecks: number;
  /** How long writers of chunks had to wait for the swap, in milliseconds. Searches do not wait. */
  readonly swapMs: number;
  readonly seconds: number;
};

export type RebuildOutcome = {
  /** Undefined when there was nothing to do but to drop former indices. */
  readonly rebuilt: Rebuilt | undefined;
  readonly dropped: readonly string[];
  /** Indices behind no alias that are still there. */
  readonly former: readonly IndexVersion[];
};

/**
 * Makes the next index from the rows, beside all other work, and puts it in the place of the standing one when it holds the
 * same. It may be cut off at any moment; the next call goes on where it stopped. With `dropOld`, where former indices stand
 * and none is unfinished, it only deletes those: this is how a rebuild is tidied up later.
 * @throws DomainError `invalid_input` while another rebuild runs, or when `reindex` can't do it; `store_unavailable` when a
 *   store stays away; RebuildMismatch when the new index does not hold what it should; the signal's reason. The aliases are
 *   as they were then.
 */
export type RebuildIndex = (input: RebuildInput) => Promise<RebuildOutcome>;

type Parts = FillParts & { readonly databaseUrl: string; readonly reconcile: Reconcile };

export function createRebuildIndex(parts: Parts): RebuildIndex {
  return async (input) => {
    const session = await RebuildSession.open(parts.databaseUrl);
    try {
      const versions = await parts.indexVersions.list();
      const onlyDrops =
        input.dropOld &&
        !input.restart &&
        input.reindex === undefined &&
        versions.some(({ role }) => role === "former") &&
        !versions.some(({ role }) => role === "next");
      const rebuilt = onlyDrops ? undefined : await rebuild(parts, session, input);
      const former = (await parts.indexVersions.list()).filter(({ role }) => role === "former");
      if (!input.dropOld) return { rebuilt, dropped: [], former };
      const dropped = former.map(({ name }) => name);
      await parts.indexVersions.drop(dropped);
      return { rebuilt, dropped, former: [] };
    } finally {
      await session.close();
    }
  };
}

async function rebuild(parts: Parts, session: RebuildSession, input: RebuildInput): Promise<Rebuilt> {
  const { say, signal } = input;
  const started = performance.now();
  const { standing, isOutdated, target } = await chooseTarget(parts.indexVersions, {
    ...input,
    reindexes: input.reindex !== undefined,
  });
  const progress = await startProgress(parts, target, input);
  const withPatience = createPatience({ waitMs: STORE_WAIT_MS, say, signal });
  const { onCopied } = progress;
  const filling = { parts, session, target, includesPending: isOutdated, withPatience, onCopied, signal };

  if (input.reindex !== undefined && standing !== undefined) {
    await reindex(parts.opensearch, {
      ...input.reindex,
      from: standing.name,
      to: target.name,
      onProgress: progress.onReindexed,
      say,
      signal,
    });
  }
  const since = await fillFromRows(filling);
  const documentIds = await sampleDocuments(parts.database, input.samples ?? SAMPLED_CHECKS);
  // The last of what was drawn may have come after the filling.
  await copySince(filling, since);
  await parts.sweepRemoved();
  await parts.indexVersions.finishFilling(target.name);
  await copiesMade(parts.indexVersions, { ...input, standing, target });

  const comparable = isOutdated ? undefined : standing?.name;
  const samples = await sampleChecks(parts, { documentIds, old: comparable, target: target.name });
  assertFound(target.name, samples);
  const { totals, swapMs } = await swap(filling, standing, since);
  say(`Checks now search ${target.name}; writers waited ${Math.round(swapMs)} ms for the swap.`);
  await lookAgain(parts, input);
  const seconds = (performance.now() - started) / 1000;
  return {
    ...totals,
    index: target.name,
    chunksWritten: progress.written(),
    sampledChecks: samples.sampled,
    swapMs,
    seconds,
  };
}

/** Counts chunks: what is in the index already has been done by an earlier run. */
async function startProgress(parts: Parts, target: IndexVersion, { onProgress }: RebuildInput) {
  const { database, opensearch, indexVersions } = parts;
  await indexVersions.refresh(target.name);
  const { chunks, chunksOfNew } = await countTotals({ database, opensearch }, undefined, target.name, 1);
  let written = 0;
  const tell = (done: number, total: number) => onProgress?.({ done: Math.min(done, total), total });
  tell(chunksOfNew, chunks);
  return {
    written: () => written,
    onCopied: (count: number) => {
      written += count;
      tell(chunksOfNew + written, chunks);
    },
    onReindexed: (done: number, total: number) => tell(done, total),
  };
}

/** Writers are kept out for as long as it takes to copy what has just come, to count, and to move the aliases. */
async function swap(filling: Filling, standing: IndexVersion | undefined, since: Date) {
  const { parts, session, target, signal } = filling;
  let closedAt = 0;
  const totals = await session.withGateClosed(async () => {
    closedAt = performance.now();
    await copySince({ ...filling, withPatience: (work) => work() }, since);
    await parts.indexVersions.refresh(target.name);
    const counted = await countTotals(parts, standing?.name, target.name);
    assertSameTotals(target.name, counted);
    signal?.throwIfAborted();
    // With a connection that was lost the gate has opened: writers would go on with the old index.
    await session.query("select 1");
    await parts.indexVersions.swap(target.name);
    return counted;
  }, signal);
  return { totals, swapMs: performance.now() - closedAt };
}

/** What was deleted in the last moments may have left chunks behind: services would find them in time, and so do we. */
async function lookAgain({ reconcile }: Parts, { say, signal }: RebuildInput): Promise<void> {
  try {
    await reconcile({ signal });
  } catch (error) {
    if (signal?.aborted !== true && !isStoreAway(error)) throw error;
    say(
      "The new index stands; it was not compared with the rows once more. `npm run corpus:verify` does so.",
    );
  }
}
