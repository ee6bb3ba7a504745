import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";

/**
 * Documents whose shards alone are asked, at most. Their identifiers stand in the request's first line, of which OpenSearch
 * takes 4,096 bytes, with 39 bytes for each; those of more documents lie on all of the shards anyway.
 */
const ROUTED_DOCUMENTS_MAX = 50;

/** A removal of many chunks may take this long; a search meanwhile is not held up. */
const TIMEOUT_MS = 120_000;

type Chunks = {
  /** An index, an alias or a pattern. */
  readonly index: string;
  readonly documentIds: readonly string[];
  /** Whether only the shards are asked on which this program puts the chunks of these documents. */
  readonly isRouted: boolean;
  /** Chunks of these documents that stay. */
  readonly keptIds?: readonly string[];
};

/**
 * Removes what findable chunks there are of these documents, a few hundred at most: when it returns, no search finds them.
 * @throws DomainError `store_unavailable`, also when something of it was written or removed by another meanwhile.
 */
export async function removeChunks(
  opensearch: OpenSearch,
  { index, documentIds, isRouted, keptIds = [] }: Chunks,
): Promise<void> {
  const query = {
    bool: {
      filter: [{ terms: { document_id: [...documentIds] } }],
      must_not: [{ ids: { values: [...keptIds] } }],
    },
  };
  const routing =
    isRouted && documentIds.length <= ROUTED_DOCUMENTS_MAX ? { routing: documentIds.join(",") } : {};
  const { body } = await askOpenSearch(() =>
    opensearch.deleteByQuery(
      { index, ...routing, conflicts: "proceed", refresh: true, body: { query } },
      { requestTimeout: TIMEOUT_MS },
    ),
  );
  const { timed_out, version_conflicts, failures } = Removal.parse(body);
  if (timed_out || version_conflicts > 0 || failures.length > 0)
    throw new DomainError("store_unavailable", "OpenSearch has not removed all chunks of a document.");
}

/** What OpenSearch says of a delete by query; it answers 200 also when it has removed only a part. */
const Removal = z.object({
  timed_out: z.boolean(),
  version_conflicts: z.int(),
  failures: z.array(z.unknown()),
});
