import {
  type Compared,
  compareIndex,
  type DifferenceKind,
  NOTHING,
} from "../reconciliation/compare-index.ts";
import { createCompareDocument, type DocumentFault } from "./compare-document.ts";

/** Documents that are named of each kind; the rest are counted. */
const NAMED_MAX = 20;

/** Documents of one kind of difference; the first of them by identifier. */
export type Difference = { readonly count: number; readonly documentIds: readonly string[] };

export type Verification = {
  /** What both sides hold, as they were read side by side. */
  readonly counts: Compared;
  readonly differences: Readonly<Record<DifferenceKind, Difference>>;
  readonly sampled: number;
  readonly faults: readonly SampleFault[];
  /** Neither differences nor faults. */
  readonly agrees: boolean;
};

export type SampleFault = { readonly documentId: string; readonly faults: readonly DocumentFault[] };

export type VerifyOptions = {
  /** Documents that are compared text to text. */
  readonly sampleIds: readonly string[];
  readonly signal?: AbortSignal | undefined;
};

/** Says whether PostgreSQL and OpenSearch agree. @throws DomainError `store_unavailable`, also while the index is missing; the signal's reason. */
export type VerifyCorpus = (options: VerifyOptions) => Promise<Verification>;

/** Makes the use case. It changes nothing, and may run beside whoever writes. */
export function createVerifyCorpus(parts: Parameters<typeof createCompareDocument>[0]): VerifyCorpus {
  const compareDocument = createCompareDocument(parts);

  return async ({ sampleIds, signal }) => {
    await parts.chunkIndex.assertPresent();
    let counts: Compared = NOTHING;
    const onCompared = (page: Compared) => {
      counts = sum(counts, page);
    };
    const differences = { missing: NONE, pending: NONE, extra: NONE };
    const pages = compareIndex(parts, parts.chunkIndex.readAlias, { signal, onCompared });
    for await (const { kind, documentIds } of pages) differences[kind] = add(differences[kind], documentIds);

    const faults: SampleFault[] = [];
    for (const documentId of sampleIds) {
      signal?.throwIfAborted();
      const found = await compareDocument(documentId);
      if (found.length > 0) faults.push({ documentId, faults: found });
    }
    const differing = Object.values(differences).reduce((total, { count }) => total + count, 0);
    return {
      counts,
      differences,
      sampled: sampleIds.length,
      faults,
      agrees: differing + faults.length === 0,
    };
  };
}

const NONE: Difference = { count: 0, documentIds: [] };

function add({ count, documentIds }: Difference, more: readonly string[]): Difference {
  return {
    count: count + more.length,
    documentIds: [...documentIds, ...more].slice(0, NAMED_MAX),
  };
}

function sum(a: Compared, b: Compared): Compared {
  return {
    documents: a.documents + b.documents,
    pending: a.pending + b.pending,
    chunks: a.chunks + b.chunks,
    indexedDocuments: a.indexedDocuments + b.indexedDocuments,
    indexedChunks: a.indexedChunks + b.indexedChunks,
  };
}
