import { z } from "zod";
import type { ChunkAddress } from "../../core/retrieval/reuse-evidence.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { assertNotMissing } from "./chunk-search.ts";
import { FORM } from "./fields.ts";

/**
 * A narrow form as it was read; undefined for a chunk that is gone. Where `isRead` is false the shard did not answer: the
 * chunk may be there all the same.
 */
export type StoredForm = { readonly form: string | undefined; readonly isRead: boolean };

/** The narrow forms of chunks, in their order. @throws DomainError `store_unavailable` while the index is missing. */
export async function readForms(
  client: OpenSearch,
  index: string,
  addresses: readonly ChunkAddress[],
): Promise<StoredForm[]> {
  const partLength = Math.max(FORMS_OF_PART_MIN, Math.ceil(addresses.length / PARTS_AT_ONCE));
  const parts: (readonly ChunkAddress[])[] = [];
  for (let from = 0; from < addresses.length; from += partLength) {
    parts.push(addresses.slice(from, from + partLength));
  }
  return (await Promise.all(parts.map((part) => readPart(client, index, part)))).flat();
}

/**
 * A shard reads what one request asks of it one after another, 0.27 ms a form of a million, nearly all of it unpacking. Two
 * requests are read by two cores.
 */
const PARTS_AT_ONCE = 2;
const FORMS_OF_PART_MIN = 16;

async function readPart(
  client: OpenSearch,
  index: string,
  addresses: readonly ChunkAddress[],
): Promise<StoredForm[]> {
  const docs = addresses.map(({ documentId, chunkIndex }) => ({
    _id: `${documentId}:${chunkIndex}`,
    routing: documentId,
  }));
  const { body } = await client.mget({ index, _source: [FORM], realtime: false, body: { docs } });
  const stored = StoredForms.parse(body).docs;
  return docs.map((_, position) => {
    const { error, found, _source } = stored[position] ?? {};
    assertNotMissing(error, index);
    return { form: _source?.[FORM], isRead: error === undefined && found !== undefined };
  });
}

const StoredForms = z.object({
  docs: z.array(
    z.object({
      error: z.unknown().optional(),
      found: z.boolean().optional(),
      _source: z.object({ [FORM]: z.string() }).optional(),
    }),
  ),
});
