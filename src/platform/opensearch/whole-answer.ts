import { z } from "zod";
import { storeUnavailable } from "../domain-error.ts";
import { askOpenSearch, type OpenSearch } from "./opensearch.ts";

/** OpenSearch does not count unassigned shards as `failed`; only the difference between `total` and `successful` shows them. */
const Shards = z.object({ total: z.int(), successful: z.int(), failed: z.int() });

/** The part of the index that a search or a count covered. */
export const Extent = z.object({ timed_out: z.boolean().default(false), _shards: Shards });

/** Whether an answer covers the whole index: no shard failed, was missing or stopped early, and there was one. */
export function isWhole({ timed_out, _shards }: z.output<typeof Extent>): boolean {
  const { total, successful, failed } = _shards;
  return !timed_out && total > 0 && failed === 0 && successful === total;
}

/** @throws DomainError `store_unavailable` when the answer covers only a part of the index. */
export function assertWhole(answer: unknown): void {
  if (isWhole(Extent.parse(answer))) return;
  throw storeUnavailable(
    "OpenSearch could search only a part of the index, because some of its shards do not answer; try again in a moment.",
  );
}

/** Makes all writes to an index, an alias or a pattern findable. @throws `store_unavailable` also when a shard fails. */
export async function makeFindable(opensearch: OpenSearch, index: string): Promise<void> {
  const { body } = await askOpenSearch(() => opensearch.indices.refresh({ index }));
  const { total, successful, failed } = Refreshed.parse(body)._shards;
  if (failed > 0) {
    const message = "OpenSearch could not make the new documents searchable; try again in a moment.";
    throw storeUnavailable(message);
  }
  // The missing ones are either unassigned replicas, as on a cluster of one node, or whole shards.
  if (successful < total) assertWhole((await askOpenSearch(() => opensearch.count({ index }))).body);
}

const Refreshed = z.object({ _shards: Shards });
