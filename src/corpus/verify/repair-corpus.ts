import { setTimeout as sleep } from "node:timers/promises";
import { createMendDocuments, type MendParts } from "../reconciliation/mend-documents.ts";
import type { Reconcile } from "../reconciliation/reconcile.ts";
import { createCompareDocument } from "./compare-document.ts";
import type { Verification } from "./verify-corpus.ts";

/** How often it is tried to get the turn of a worker that is at it at the moment. */
const TURN_POLL_MS = 1_000;

/** In documents. */
export type Repaired = { readonly mended: number; readonly failed: number };

type Options = { readonly say: (line: string) => void; readonly signal?: AbortSignal | undefined };

/** Mends what a verification found. @throws DomainError `store_unavailable`; the signal's reason. */
export type RepairCorpus = (found: Verification, options: Options) => Promise<Repaired>;

type Parts = MendParts & Parameters<typeof createCompareDocument>[0] & { readonly reconcile: Reconcile };

/**
 * Makes the use case. A worker that reconciles at the moment is waited for, as it may not have seen all of it. Faults of a
 * text remain: nothing is left to mend it from.
 */
export function createRepairCorpus(parts: Parts): RepairCorpus {
  const { reconcile } = parts;
  const mendDocuments = createMendDocuments(parts);
  const compareDocument = createCompareDocument(parts);

  return async ({ faults }, { say, signal }) => {
    let reconciled = await reconcile({ signal });
    if (reconciled === undefined) say("A worker is mending already; waiting for it");
    while (reconciled === undefined) {
      await sleep(TURN_POLL_MS, undefined, { signal });
      reconciled = await reconcile({ signal });
    }
    const { mended, failed } = reconciled;
    return addUp({ mended, failed }, await mendFaults(faults, signal));
  };

  /** Of the faulty documents those that the comparison of counts could not see. */
  async function mendFaults(
    faulty: Verification["faults"],
    signal: AbortSignal | undefined,
  ): Promise<Repaired> {
    let repaired: Repaired = { mended: 0, failed: 0 };
    for (const { documentId } of faulty) {
      if ((await compareDocument(documentId)).length === 0) continue;
      await mendDocuments([documentId], signal);
      const isWhole = (await compareDocument(documentId)).length === 0;
      repaired = addUp(repaired, isWhole ? { mended: 1, failed: 0 } : { mended: 0, failed: 1 });
    }
    return repaired;
  }
}

function addUp(a: Repaired, b: Repaired): Repaired {
  return { mended: a.mended + b.mended, failed: a.failed + b.failed };
}
