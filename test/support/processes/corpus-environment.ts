import type { CorpusOptions } from "../../../src/service/connect-corpus.ts";

/** The settings by which a program of its own process works on this corpus. */
export function corpusEnvironment(options: CorpusOptions) {
  const { databaseUrl, opensearchNodes, opensearchIndexPrefix, indexShards, indexReplicas } = options;
  const { embeddingsUrl, embeddingsModel } = options;
  return {
    DATABASE_URL: databaseUrl,
    OPENSEARCH_URL: opensearchNodes.join(","),
    OPENSEARCH_INDEX_PREFIX: opensearchIndexPrefix,
    ...(indexShards !== undefined && { INDEX_SHARDS: String(indexShards) }),
    ...(indexReplicas !== undefined && { INDEX_REPLICAS: String(indexReplicas) }),
    ...(embeddingsUrl !== undefined && { EMBEDDINGS_URL: embeddingsUrl }),
    ...(embeddingsModel !== undefined && { EMBEDDINGS_MODEL: embeddingsModel }),
  };
}
