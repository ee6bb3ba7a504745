import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";

/**
 * Removes what an index holds of a document beside its chunks 0 to `chunkCount` - 1, which stay findable all the while.
 * @throws DomainError `store_unavailable`, also when something of it was written to meanwhile and is still there.
 */
export async function removeSurplusChunks(
  opensearch: OpenSearch,
  index: string,
  documentId: string,
  chunkCount: number,
): Promise<void> {
  const own = Array.from({ length: chunkCount }, (_, position) => `${documentId}:${position}`);
  const query = {
    bool: {
      filter: [{ term: { document_id: { value: documentId } } }],
      must_not: [{ ids: { values: own } }],
    },
  };
  const { body } = await askOpenSearch(() =>
    opensearch.deleteByQuery({ index, conflicts: "proceed", refresh: true, body: { query } }),
  );
  const { version_conflicts, failures } = Removal.parse(body);
  if (version_conflicts > 0 || failures.length > 0) {
    throw new DomainError(
      "store_unavailable",
      "OpenSearch has not removed all surplus chunks of a document.",
    );
  }
}

const Removal = z.object({ version_conflicts: z.int(), failures: z.array(z.unknown()) });
