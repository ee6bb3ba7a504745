import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { IndexVersion } from "../chunk-index/index-versions.ts";
import { countChunks } from "../reconciliation/chunk-counts.ts";
import type { RebuildSession } from "./rebuild-session.ts";

/** In chunks. */
export type RebuildProgress = { readonly done: number; readonly total: number };

/** Counts chunks: what is in the index already has been done by an earlier run. */
export async function startProgress(
  { opensearch, session }: { readonly opensearch: OpenSearch; readonly session: RebuildSession },
  target: IndexVersion,
  { onProgress }: { readonly onProgress?: ((progress: RebuildProgress) => void) | undefined },
) {
  const [rows] = await session.query<{ chunks: number }>(
    "select coalesce(sum(chunk_count), 0) as chunks from document_chunks",
  );
  const chunks = rows?.chunks ?? 0;
  const there = await countChunks(opensearch, target.name);
  let written = 0;
  const tell = (done: number, total: number) => onProgress?.({ done: Math.min(done, total), total });
  tell(there, chunks);
  return {
    written: () => written,
    onCopied: (count: number) => {
      written += count;
      tell(there + written, chunks);
    },
    onReindexed: (done: number, total: number) => tell(done, total),
  };
}
