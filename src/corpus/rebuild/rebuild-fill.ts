import { isStoreUnavailable } from "../../platform/flow/retry-policy.ts";
import { compareIndex, WORK_GRACE_MS } from "../reconciliation/compare-index.ts";
import { removeExtraChunks } from "../reconciliation/extra-chunks.ts";
import type { Filling } from "./filling.ts";
import { copyDocuments } from "./rebuild-copy.ts";
import { catchUp, timeBeforeWriters } from "./rebuild-recent.ts";

/** Documents that a pass may find and not be repeated for: they are copied in about a second. */
const FEW_DOCUMENTS = 200;

/** A store that answers, and yet cuts off each pass, needs a person. */
const CUT_OFF_PASSES_MAX = 10;

/**
 * Fills the index from the rows. What is there already is left as it is, so a rebuild that was cut off goes on where it
 * stopped, and nothing needs to be noted for that.
 * @returns a time: what is not in the index was fingerprinted after it.
 * @throws DomainError `store_unavailable` when a store stays away; the signal's reason; what a copy throws.
 */
export async function fillFromRows(filling: Filling): Promise<Date> {
  return catchUp(filling, await fullPasses(filling));
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
      if (!isStoreUnavailable(error) || cutOff === CUT_OFF_PASSES_MAX) throw error;
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
    if (kind === "extra") await removeExtraChunks(parts, documentIds, () => sweep(filling));
    else if (kind === "missing" || includesPending) {
      await copyDocuments(filling, documentIds, isRepeated);
      found += documentIds.length;
    }
  }
  return found;
}

/** Where a service sweeps the same documents at that moment, OpenSearch refuses one of the two; it is done again then. */
export function sweep({ parts, withPatience, signal }: Filling): Promise<number> {
  return withPatience(() => parts.sweepRemoved({ signal }));
}
