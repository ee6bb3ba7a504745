import { ConfigError } from "../../platform/config.ts";
import { DomainError, storeUnavailable } from "../../platform/domain-error.ts";
import { isStoreUnavailable } from "../../platform/flow/retry-policy.ts";
import { type AccessSettings, openSearchAccess } from "../../platform/opensearch/access.ts";
import { clusterIdOf, connectOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { requireSupportedVersion } from "../../platform/opensearch/supported-version.ts";
import type { CorpusParts } from "../corpus-parts.ts";
import { ChunkIndex } from "../index/chunk-index.ts";
import { countChunksAfter } from "../index/document-chunks.ts";
import { type IndexLayout, IndexVersions } from "../index/index-versions.ts";
import { isUuid } from "../reconciliation/compare-index.ts";
import { createCleanUpTombstones } from "../tombstones.ts";
import { createRebuildIndex, type RebuildInput, type RebuildOutcome } from "./rebuild-index.ts";

export type MoveInput = RebuildInput & {
  /** URLs of nodes of the other cluster. The settings for access apply to them; a user in a URL comes first. */
  readonly nodes: readonly string[];
};

/**
 * As `RebuildIndex`, in another cluster: there it builds the index and sets the aliases, while services go on with their own. They
 * use it once they are started with its address. What changes until then is left to reconciliation and `FinishMove`.
 * @throws ConfigError, DomainError `invalid_input` also for a cluster that can't be used.
 */
export type MoveIndex = (input: MoveInput) => Promise<RebuildOutcome>;

type Parts = CorpusParts & {
  readonly access: AccessSettings;
  readonly prefix: string;
  readonly layout: IndexLayout;
  readonly onBulkRetry: (reason: string) => void;
};

export function createMoveIndex(parts: Parts): MoveIndex {
  const { database, tombstones, prefix, layout } = parts;
  return async ({ nodes, ...input }) => {
    const { opensearch, move } = await connect(parts, nodes);
    try {
      const indexVersions = new IndexVersions(opensearch, prefix, layout);
      const chunkIndex = new ChunkIndex(opensearch, prefix, parts.onBulkRetry, undefined, layout);
      await assertOwn(parts, opensearch, indexVersions);
      await chunkIndex.putTemplates();
      // A tombstone may go only when both clusters have lost the chunks.
      const everywhere = {
        remove: async (documentIds: readonly string[]) => {
          await chunkIndex.remove(documentIds);
          await parts.chunkIndex.remove(documentIds);
        },
      };
      const cleanUpTombstones = createCleanUpTombstones({ database, tombstones, chunkIndex: everywhere });
      const other = { opensearch, indexVersions, chunkIndex, cleanUpTombstones, move };
      return await createRebuildIndex({ ...parts, ...other })(input);
    } finally {
      await opensearch.close();
    }
  };
}

/** Connects to the other cluster. @throws naming it as the operator does. */
async function connect({ access, log, ...parts }: Parts, nodes: readonly string[]) {
  let opensearch: OpenSearch | undefined;
  try {
    opensearch = connectOpenSearch(nodes, openSearchAccess({ ...access, opensearchNodes: nodes }));
    await requireSupportedVersion(opensearch, nodes, log);
    const move = { from: await clusterIdOf(parts.opensearch), to: await clusterIdOf(opensearch) };
    if (move.from === move.to)
      throw new DomainError(
        "invalid_input",
        `--to names the cluster that the corpus uses already (cluster_uuid ${move.to}). Name another one, or leave out --to to rebuild the index in this one.`,
      );
    return { opensearch, move };
  } catch (error) {
    await opensearch?.close();
    throw namingTheOption(error);
  }
}

/** Messages of a start name the setting, from which this cluster does not come. */
function namingTheOption(error: unknown): unknown {
  if (error instanceof ConfigError)
    return new ConfigError(error.message.replaceAll("OPENSEARCH_URL", "--to"), { cause: error });
  if (!isStoreUnavailable(error)) return error;
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return storeUnavailable(`The cluster of --to: ${error.message}${reason}`, error.cause);
}

/** Another installation may use the same names in that cluster: its checks would search an index of other documents. */
async function assertOwn(
  { database, documents }: Parts,
  opensearch: OpenSearch,
  versions: IndexVersions,
): Promise<void> {
  const current = (await versions.list()).find(({ role }) => role === "current");
  if (current === undefined) return;
  const { counts } = await countChunksAfter(opensearch, current.name, undefined);
  if (counts.size === 0) return;
  const known = await documents.findAll(database, [...counts.keys()].filter(isUuid));
  if (known.length > 0) return;
  throw new DomainError(
    "invalid_input",
    `${current.name} in the cluster of --to holds documents of another database. Set OPENSEARCH_INDEX_PREFIX to a name that nobody uses there, or, if nobody needs that index, delete it.`,
  );
}
