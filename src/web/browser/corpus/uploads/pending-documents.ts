import type { CorpusDocument, EngineClient } from "../../../../client/index.ts";

/** The most rows that the engine gives at once. */
const ROWS_MAX = 100;

/**
 * The documents with these identifiers as they are now, those that are still there. They are looked up in the list, newest
 * first, because a document by itself comes with its whole text.
 */
export async function findDocuments(
  client: Pick<EngineClient, "listDocuments">,
  ids: ReadonlySet<string>,
): Promise<Map<string, CorpusDocument>> {
  const found = new Map<string, CorpusDocument>();
  for (let offset = 0; found.size < ids.size; offset += ROWS_MAX) {
    const { items, total } = await client.listDocuments({ limit: ROWS_MAX, offset });
    for (const document of items)
      if (ids.has(document.document_id)) found.set(document.document_id, document);
    if (offset + ROWS_MAX >= total) break;
  }
  return found;
}
