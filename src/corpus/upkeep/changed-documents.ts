import type { CorpusParts } from "../index/corpus-stores.ts";

type ListParts = Pick<CorpusParts, "database" | "documents" | "semantics">;

/**
 * Documents whose chunks may have changed since in content but not in number, so that no comparison of numbers finds those of
 * another index wrong: documents that were encoded, and those that were given another language.
 */
export async function listChangedSince(
  { database, documents, semantics }: ListParts,
  since: Date,
): Promise<string[]> {
  const encoded = await semantics.listEncodedSince(database, since);
  return [...new Set([...encoded, ...(await documents.listCorrectedSince(database, since))])];
}
