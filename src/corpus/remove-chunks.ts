import { z } from "zod";
import { DomainError } from "../core/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "../platform/opensearch/opensearch.ts";

/** A removal of many chunks may take this long; a search meanwhile is not held up. */
const TIMEOUT_MS = 120_000;

type Chunks = {
  /** An index, an alias or a pattern. */
  readonly index: string;
  readonly documentIds: readonly string[];
  /** Chunks of these documents that stay. */
  readonly keptIds?: readonly string[];
};

/**
 * Removes what findable chunks there are of these documents, a few hundred at most: when it returns, no search finds them.
 * @throws DomainError `store_unavailable`, also when something of it was written or removed by another meanwhile.
 */
export async function removeChunks(
  opensearch: OpenSearch,
  { index, documentIds, keptIds = [] }: Chunks,
): Promise<void> {
  const query = {
    bool: {
      filter: [{ terms: { document_id: [...documentIds] } }],
      must_not: [{ ids: { values: [...keptIds] } }],
    },
  };
  const { body } = await askOpenSearch(() =>
    opensearch.deleteByQuery(
      { index, conflicts: "proceed", refresh: true, body: { query } },
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
