import { setTimeout as sleep } from "node:timers/promises";
import type { MeaningProgress } from "../documents/meaning-store.ts";
import type { CommandOutput, CorpusStores } from "../index/corpus-stores.ts";
import { createCompareDocument, type DocumentFault } from "./compare-document.ts";
import { type Compared, compareIndex, type DifferenceKind, NOTHING_COMPARED } from "./compare-index.ts";
import { createRepairDocuments, type MendableCorpus, type Reconcile, type Repaired } from "./reconcile.ts";

/** Documents listed by identifier for each kind of difference; the rest are only counted. */
const LISTED_MAX = 20;

/** `documentIds` are the first of them. */
type Difference = { readonly count: number; readonly documentIds: readonly string[] };

export type Verification = {
  readonly counts: Compared;
  readonly differences: Readonly<Record<DifferenceKind, Difference>>;
  readonly meaning: MeaningProgress;
  readonly sampled: number;
  readonly faults: readonly { readonly documentId: string; readonly faults: readonly DocumentFault[] }[];
  /** Neither differences nor faults. */
  readonly agrees: boolean;
};

type VerifyOptions = {
  /** Documents whose full content is compared. */
  readonly sampleIds: readonly string[];
  readonly signal?: AbortSignal | undefined;
};

/** Tells whether PostgreSQL and OpenSearch agree, and changes nothing. */
export function createVerifyCorpus(stores: CorpusStores) {
  const compareDocument = createCompareDocument(stores);

  return async ({ sampleIds, signal }: VerifyOptions): Promise<Verification> => {
    await stores.chunkIndex.assertPresent();
    let counts = NOTHING_COMPARED;
    const onCompared = (page: Compared) => {
      counts = {
        documents: counts.documents + page.documents,
        pending: counts.pending + page.pending,
        chunks: counts.chunks + page.chunks,
        indexedDocuments: counts.indexedDocuments + page.indexedDocuments,
        indexedChunks: counts.indexedChunks + page.indexedChunks,
      };
    };
    const none: Difference = { count: 0, documentIds: [] };
    const differences = { missing: none, pending: none, extra: none };
    const pages = compareIndex(stores, stores.chunkIndex.readAlias, { signal, onCompared });
    for await (const { kind, documentIds } of pages) {
      const { count, documentIds: listed } = differences[kind];
      differences[kind] = {
        count: count + documentIds.length,
        documentIds: [...listed, ...documentIds].slice(0, LISTED_MAX),
      };
    }

    const faults: { documentId: string; faults: readonly DocumentFault[] }[] = [];
    for (const documentId of sampleIds) {
      signal?.throwIfAborted();
      const found = await compareDocument(documentId);
      if (found.length > 0) faults.push({ documentId, faults: found });
    }
    const meaning = await stores.meaning.progress(stores.database);
    const differing = Object.values(differences).reduce((total, { count }) => total + count, 0);
    const agrees = differing + faults.length === 0;
    return { counts, differences, meaning, sampled: sampleIds.length, faults, agrees };
  };
}

/** How often the repair looks whether a reconciling worker has finished. */
const RECONCILE_POLL_MS = 1_000;

/** Waits for a worker that reconciles, as it may not have seen all findings. Faults of a text can't be repaired. */
export function createRepairCorpus(corpus: MendableCorpus & { readonly reconcile: Reconcile }) {
  const repairDocuments = createRepairDocuments(corpus);
  const compareDocument = createCompareDocument(corpus);

  return async ({ faults }: Verification, { say, signal }: CommandOutput): Promise<Repaired> => {
    let reconciled = await corpus.reconcile({ signal });
    if (reconciled === undefined) say("A worker is already reconciling; waiting for it to finish");
    while (reconciled === undefined) {
      await sleep(RECONCILE_POLL_MS, undefined, { signal });
      reconciled = await corpus.reconcile({ signal });
    }
    let { mended, failed } = reconciled;
    for (const { documentId } of faults) {
      // The comparison of counts has already repaired some of them.
      if ((await compareDocument(documentId)).length === 0) continue;
      await repairDocuments([documentId], signal);
      if ((await compareDocument(documentId)).length === 0) mended += 1;
      else failed += 1;
    }
    return { mended, failed };
  };
}
