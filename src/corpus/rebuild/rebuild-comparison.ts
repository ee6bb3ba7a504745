import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import type { ChunkAddress } from "../../core/retrieval/reuse-evidence.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertWhole } from "../../platform/opensearch/whole-answer.ts";
import { sharesTerms } from "../chunk-index/chunk-search.ts";
import { cutDocuments } from "../ingest/fingerprint-documents.ts";
import type { FillParts } from "./filling.ts";

/** Each is a chunk of another document; a fault in one document of twenty is missed by fifty once in thirteen times. */
export const SAMPLED_CHECKS = 50;

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
  parts: FillParts,
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
    const address = { documentId, chunkIndex: chunk.index };
    const found = (index: string) => sharedTerms(parts.opensearch, index, address, terms);
    const foundInNew = await found(target);
    sampled += 1;
    if (foundInNew === terms.length || !(await isThere(parts, documentId))) continue;
    const foundInOld = old === undefined ? undefined : await found(old);
    faults.push({ documentId, chunkIndex: chunk.index, terms: terms.length, foundInNew, foundInOld });
  }
  return { sampled, faults };
}

/** How many of the terms the chunk has in the index, on its own shard. Its place among other hits does not matter here. */
async function sharedTerms(
  opensearch: OpenSearch,
  index: string,
  { documentId, chunkIndex }: ChunkAddress,
  terms: readonly string[],
) {
  const query = {
    bool: {
      ...sharesTerms(terms).bool,
      filter: [{ ids: { values: [`${documentId}:${chunkIndex}`] } }],
    },
  };
  const { body } = await askOpenSearch(() =>
    opensearch.search({
      index,
      routing: documentId,
      allow_partial_search_results: false,
      body: { _source: false, query },
    }),
  );
  assertWhole(body);
  return Found.parse(body).hits.hits[0]?._score ?? 0;
}

async function isThere({ database, documents }: FillParts, documentId: string): Promise<boolean> {
  return (await documents.findMatchable(database, [documentId])).length > 0;
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

const Found = z.looseObject({
  hits: z.looseObject({ hits: z.array(z.looseObject({ _score: z.number() })) }),
});
