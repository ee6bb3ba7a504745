/**
 * How a chunk index lies on the nodes of OpenSearch. The number of shards is fixed when an index is made; copies are made
 * of each shard beside the first, as far as there are nodes to put them on.
 */
export type IndexLayout = {
  /** From 1 on. */
  readonly shards: number;
  readonly replicas: number;
};

/**
 * One shard, which costs a search least: of chunks of 980 bytes each (encyclopedia articles, merged), 10 to 30 million fill the
 * 10 to 30 GB that are advised for a shard that is searched. One copy, so that any one node may be lost.
 */
export const DEFAULT_LAYOUT: IndexLayout = { shards: 1, replicas: 1 };

/**
 * The layout as settings of an index. Copies expand with the cluster, so that a lone node is not left waiting for others:
 * its index would be yellow for ever.
 */
export function layoutSettings({ shards, replicas }: IndexLayout) {
  return { number_of_shards: shards, number_of_replicas: 0, auto_expand_replicas: `0-${replicas}` };
}
