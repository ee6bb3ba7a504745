import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { askOpenSearch, type OpenSearch } from "./opensearch.ts";

/**
 * What an answer says of its shards. OpenSearch leaves a shard that nobody holds at the moment out of `failed`, so that
 * only the comparison of `successful` with `total` tells that it was asked in vain.
 */
export const Shards = z.object({ total: z.int(), successful: z.int(), failed: z.int() });

/** The members of a search's or a count's answer that say how much of the index was looked at. */
export const Extent = z.object({ timed_out: z.boolean().default(false), _shards: Shards });

/**
 * Whether an answer is about all of what was asked for: no shard failed or was missing, and none stopped early. With no
 * shard at all nothing was looked at.
 */
export function isWhole({
  timed_out,
  _shards: { total, successful, failed },
}: z.output<typeof Extent>): boolean {
  return !timed_out && total > 0 && failed === 0 && successful === total;
}

/** @throws DomainError `store_unavailable` when the answer is about a part of the index only. */
export function assertWhole(answer: unknown): void {
  if (isWhole(Extent.parse(answer))) return;
  throw new DomainError(
    "store_unavailable",
    "OpenSearch could look at a part of the index only, as some of its shards do not answer; try again in a moment.",
  );
}

/**
 * Makes findable what was written to an index, an alias or all that a pattern stands for.
 * @throws DomainError `store_unavailable`, also when a shard could not do it.
 */
export async function makeFindable(opensearch: OpenSearch, index: string): Promise<void> {
  const { body } = await askOpenSearch(() => opensearch.indices.refresh({ index }));
  const { total, successful, failed } = Refreshed.parse(body)._shards;
  if (failed > 0) {
    const message = "OpenSearch could not make findable what was written; try again in a moment.";
    throw new DomainError("store_unavailable", message);
  }
  // What is missing may be copies that no node holds, as on a cluster of one node, or shards with all of their copies.
  if (successful < total) assertWhole((await askOpenSearch(() => opensearch.count({ index }))).body);
}

const Refreshed = z.object({ _shards: Shards });
