import { createRetryPolicy, STORE_WAIT_MS } from "../../platform/flow/retry-policy.ts";
import type { IndexVersion, IndexVersions } from "../chunk-index/index-versions.ts";
import type { Reconcile } from "../reconciliation/reconcile.ts";
import { sampleDocuments } from "../verify/sample-documents.ts";
import type { FillParts } from "./filling.ts";
import { assertFound, SAMPLED_CHECKS, sampleChecks } from "./rebuild-comparison.ts";
import { fillFromRows, sweep } from "./rebuild-fill.ts";
import { type RebuildProgress, startProgress } from "./rebuild-progress.ts";
import { catchUp } from "./rebuild-recent.ts";
import { RebuildSession } from "./rebuild-session.ts";
import { swapIndex } from "./rebuild-swap.ts";
import { chooseTarget, copiesMade } from "./rebuild-target.ts";
import { type ChunkTotals, compareTotals } from "./rebuild-totals.ts";
import { reindex } from "./reindex.ts";

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
 *   store stays away, or a writer of chunks does not end; RebuildMismatch when the new index does not hold what it should;
 *   the signal's reason. The aliases are as they were then, or the message says that OpenSearch has not told: what goes
 *   wrong after the swap is only said.
 */
export type RebuildIndex = (input: RebuildInput) => Promise<RebuildOutcome>;

type Parts = FillParts & {
  readonly databaseUrl: string;
  readonly reconcile: Reconcile;
  /** How long writers that are inside the gate are waited for, in milliseconds. */
  readonly gateTriedMs?: number;
};

export function createRebuildIndex(parts: Parts): RebuildIndex {
  const { indexVersions } = parts;
  return async (input) => {
    const session = await RebuildSession.open(parts.databaseUrl, parts.gateTriedMs);
    try {
      const versions = await indexVersions.list();
      const onlyDrops =
        input.dropOld &&
        !input.restart &&
        input.reindex === undefined &&
        versions.some(({ role }) => role === "former") &&
        !versions.some(({ role }) => role === "next");
      if (onlyDrops) return { rebuilt: undefined, ...(await tidyUp(indexVersions, true)) };
      const rebuilt = await rebuild(parts, session, input);
      // From here on it has succeeded, whatever becomes of the rest.
      await lookAgain(parts, input);
      const tidied = await tidyUp(indexVersions, input.dropOld).catch((error: unknown) => {
        input.say(`Former indices were not ${input.dropOld ? "deleted" : "looked for"}. ${messageOf(error)}`);
      });
      return { rebuilt, ...(tidied ?? { dropped: [], former: [] }) };
    } finally {
      await session.close();
    }
  };
}

async function tidyUp(
  versions: IndexVersions,
  dropOld: boolean,
): Promise<Pick<RebuildOutcome, "dropped" | "former">> {
  const former = (await versions.list()).filter(({ role }) => role === "former");
  if (!dropOld) return { dropped: [], former };
  const dropped = former.map(({ name }) => name);
  await versions.drop(dropped);
  return { dropped, former: [] };
}

async function rebuild(parts: Parts, session: RebuildSession, input: RebuildInput): Promise<Rebuilt> {
  const { say, signal } = input;
  const started = performance.now();
  const { standing, isOutdated, target } = await chooseTarget(parts.indexVersions, {
    ...input,
    reindexes: input.reindex !== undefined,
  });
  const progress = await startProgress({ ...parts, session }, target, input);
  const withPatience = createRetryPolicy({ waitMs: STORE_WAIT_MS, say, signal });
  const { onCopied } = progress;
  const filling = {
    parts,
    session,
    target,
    includesPending: isOutdated,
    withPatience,
    onCopied,
    say,
    signal,
  };

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
  let since = await fillFromRows(filling);
  const documentIds = await sampleDocuments(parts.database, input.samples ?? SAMPLED_CHECKS);
  // The last of what was drawn may have come after the filling.
  since = await catchUp(filling, since);
  await sweep(filling);
  await parts.indexVersions.finishFilling(target.name);
  await copiesMade(parts.indexVersions, { ...input, standing, target });

  const old = standing?.name;
  const samples = await sampleChecks(parts, {
    documentIds,
    old: isOutdated ? undefined : old,
    target: target.name,
  });
  assertFound(target.name, samples);
  since = await catchUp(filling, since);
  await parts.indexVersions.refresh(target.name);
  const totals = await compareTotals({ ...parts, session, old, target: target.name, since });
  const { recent, swapMs } = await swapIndex(filling, since);
  say(`Checks now search ${target.name}; writers waited ${Math.round(swapMs)} ms for the swap.`);
  return {
    documents: totals.documents + recent.documents,
    chunks: totals.chunks + recent.chunks,
    chunksOfOld: totals.chunksOfOld,
    chunksOfNew: totals.chunksOfNew + recent.chunks,
    index: target.name,
    chunksWritten: progress.written(),
    sampledChecks: samples.sampled,
    swapMs,
    seconds: (performance.now() - started) / 1000,
  };
}

/** What was deleted in the last moments may have left chunks behind: services would find them in time, and so do we. */
async function lookAgain({ reconcile }: Parts, { say, signal }: RebuildInput): Promise<void> {
  try {
    await reconcile({ signal });
  } catch (error) {
    const reason = signal?.aborted === true ? "" : ` ${messageOf(error)}`;
    say(
      `The new index stands; it was not compared with the rows once more. \`npm run corpus:verify\` does so.${reason}`,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
