import type { Queryable } from "../../platform/postgres/database.ts";
import { presentDocumentEvent } from "../api/presenter.ts";
import type { CorpusParts } from "../corpus-parts.ts";
import type { FingerprintedDocument } from "../document-store.ts";

/**
 * Marks documents whose chunks are findable as fingerprinted, and records an event for each upload that was pending. Documents of
 * bulk loads have none: their load says itself when it is done.
 * @returns those that still exist, held until the transaction ends.
 */
export async function markFingerprinted(
  { documents, webhooks }: Pick<CorpusParts, "documents" | "webhooks">,
  transaction: Queryable,
  fingerprinted: readonly FingerprintedDocument[],
): Promise<ReadonlySet<string>> {
  const { existing, pendingUploads } = await documents.markFingerprinted(transaction, fingerprinted);
  if (webhooks.targets.length > 0 && pendingUploads.length > 0) {
    for (const document of await documents.findAll(transaction, pendingUploads))
      await webhooks.record(transaction, presentDocumentEvent(document));
  }
  return existing;
}
