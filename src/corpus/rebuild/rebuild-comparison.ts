import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { cutDocuments } from "../feeding/fingerprint-documents.ts";
import type { CopyParts } from "./rebuild-copy.ts";

/** Each is a chunk of another document; a fault in one document of twenty is missed by fifty once in thirteen times. */
export const SAMPLED_CHECKS = 50;

/** A document that is deleted between two readings makes them differ; each takes milliseconds. */
const COUNT_ATTEMPTS = 20;
const COUNT_PAUSE_MS = 50;

/** What the rows say there is, and what the indices hold. */
export type ChunkTotals = {
  readonly documents: number;
  readonly chunks: number;
  readonly chunksOfOld: number | undefined;
  readonly chunksOfNew: number;
};

/**
 * Counts rows and chunks while no writer is at work. Chunks of documents that are gone are left out where their removal
 * is noted. A difference is looked at again before it is given, for documents may be deleted meanwhile.
 * @param old the standing index; its count is for people: an index that has lost chunks is a reason for a rebuild.
 */
export async function countTotals(
  { database, opensearch }: Pick<CopyParts, "database" | "opensearch">,
  old: string | undefined,
  target: string,
  attemptsMax = COUNT_ATTEMPTS,
): Promise<ChunkTotals> {
  for (let attempt = 1; ; attempt += 1) {
    const [rows] = await database.query<{ documents: number; chunks: number; gone: string[] }>(
      `select count(*) as documents, coalesce(sum(chunk_count), 0) as chunks,
              (select coalesce(array_agg(document_id), '{}') from removed_documents) as gone
         from document_chunks`,
    );
    const { documents = 0, chunks = 0, gone = [] } = rows ?? {};
    const chunksOfNew = await countWithout(opensearch, target, gone);
    if (chunksOfNew === chunks || attempt >= attemptsMax) {
      const chunksOfOld = old === undefined ? undefined : await countWithout(opensearch, old, gone);
      return { documents, chunks, chunksOfOld, chunksOfNew };
    }
    await sleep(COUNT_PAUSE_MS);
  }
}

async function countWithout(
  opensearch: OpenSearch,
  index: string,
  documentIds: readonly string[],
): Promise<number> {
  const query = { bool: { must_not: [{ terms: { document_id: [...documentIds] } }] } };
  const { body } = await askOpenSearch(() => opensearch.count({ index, body: { query } }));
  return Counted.parse(body).count;
}

/** A chunk whose own terms the new index does not all have. */
export type SampleFault = {
  readonly documentId: string;
  readonly chunkIndex: number;
  readonly terms: number;
  readonly foundInNew: number;
  /** Undefined when the standing index holds terms of another generation, or there is none. */
  readonly foundInOld: number | undefined;
};

export type Samples = { readonly sampled: number; readonly faults: readonly SampleFault[] };

type SampleInput = {
  /** Fingerprinted documents that the new index should hold. */
  readonly documentIds: readonly string[];
  /** The standing index, where it can be searched; what it finds is for people. */
  readonly old: string | undefined;
  readonly target: string;
};

/**
 * Searches for one chunk of each of these documents by its own terms, as a check of that text would. Each has to be
 * found with all of them, which is also what a sound standing index finds.
 */
export async function sampleChecks(
  parts: CopyParts,
  { documentIds, old, target }: SampleInput,
): Promise<Samples> {
  const faults: SampleFault[] = [];
  let sampled = 0;
  for (const documentId of documentIds) {
    const [cut] = await cutDocuments(parts, [documentId]);
    const chunk = cut?.chunks[Math.floor(Math.random() * cut.chunks.length)];
    const [terms = []] = await parts.compute.run("sampleForms", chunk === undefined ? [] : [chunk.form]);
    // Deleted since it was drawn, or shorter than a shingle.
    if (chunk === undefined || terms.length === 0) continue;
    const found = (index: string) =>
      sharedTerms(parts.opensearch, index, `${documentId}:${chunk.index}`, terms);
    const foundInNew = await found(target);
    sampled += 1;
    if (foundInNew === terms.length || !(await isThere(parts, documentId))) continue;
    const foundInOld = old === undefined ? undefined : await found(old);
    faults.push({ documentId, chunkIndex: chunk.index, terms: terms.length, foundInNew, foundInOld });
  }
  return { sampled, faults };
}

/** How many of the terms the chunk has in the index. Its place among other hits does not matter here. */
async function sharedTerms(opensearch: OpenSearch, index: string, id: string, terms: readonly string[]) {
  const query = {
    bool: {
      filter: [{ ids: { values: [id] } }],
      should: terms.map((value) => ({ term: { fingerprint: { value } } })),
      minimum_should_match: 1,
    },
  };
  const { body } = await askOpenSearch(() =>
    opensearch.search({ index, allow_partial_search_results: false, body: { _source: false, query } }),
  );
  return Found.parse(body).hits.hits[0]?._score ?? 0;
}

async function isThere({ database, documents }: CopyParts, documentId: string): Promise<boolean> {
  return (await documents.findMatchable(database, [documentId])).length > 0;
}

/** @throws RebuildMismatch */
export function assertSameTotals(target: string, { chunks, chunksOfOld, chunksOfNew }: ChunkTotals): void {
  if (chunksOfNew === chunks) return;
  const old = chunksOfOld === undefined ? "" : ` (the standing index: ${chunksOfOld})`;
  throw new RebuildMismatch(
    `${target} holds ${chunksOfNew} chunks, and the database counts ${chunks}${old}.`,
  );
}

/** @throws RebuildMismatch */
export function assertFound(target: string, { sampled, faults }: Samples): void {
  const [first] = faults;
  if (first === undefined) return;
  const old = first.foundInOld === undefined ? "" : ` (the standing index: ${first.foundInOld})`;
  throw new RebuildMismatch(
    `${faults.length} of ${sampled} sampled chunks are not found as they should be in ${target}: of the ${first.terms} terms of chunk ${first.chunkIndex} of document ${first.documentId} it has ${first.foundInNew}${old}.`,
  );
}

/** The new index is not as it should be, and was not put in the place of the standing one. */
export class RebuildMismatch extends DomainError {
  constructor(message: string) {
    super(
      "invalid_input",
      `${message} The aliases are as they were. \`npm run corpus:rebuild -- --restart\` begins again with an empty index.`,
    );
  }
}

const Counted = z.looseObject({ count: z.int() });

const Found = z.looseObject({
  hits: z.looseObject({ hits: z.array(z.looseObject({ _score: z.number() })) }),
});
