import { z } from "zod";
import { TextStore } from "../../../../src/corpus/documents/text-store.ts";
import type { OpenSearch } from "../../../../src/platform/opensearch/opensearch.ts";
import { unpackText } from "../../../../src/platform/packed-text.ts";
import type { Corpus } from "../../../../src/service/connect-corpus.ts";

/** What the corpus holds of a file, without what differs between two loads of the same: identifiers and times. */
export type StoredFile = {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Where each chunk begins, and the text's end; null while it is pending. */
  readonly borders: readonly number[] | null;
  /** What the index holds of the chunks, by their numbers. */
  readonly chunks: readonly Readonly<Record<string, unknown>>[];
};

/** What both stores hold of a collection. */
export type CorpusContents = {
  /** By path. */
  readonly files: ReadonlyMap<string, StoredFile>;
  /** Chunks in the index whose document is gone. */
  readonly strayChunks: number;
};

const Hits = z.object({
  hits: z.object({
    hits: z.array(
      z.object({
        _source: z.looseObject({
          document_id: z.string(),
          chunk_index: z.number(),
          ingested_at: z.string().optional(),
        }),
        sort: z.array(z.union([z.string(), z.number()])),
      }),
    ),
  }),
});

/** Chunks that are read in one request: OpenSearch's limit. */
const PAGE = 10_000;

type Row = {
  document_id: string;
  collection: string;
  path: string;
  borders: number[] | null;
} & Record<string, unknown>;

/** Reads a collection from both stores; of a corpus that fits into memory. */
export async function readContents(
  { database, opensearch, chunkIndex }: Pick<Corpus, "database" | "opensearch" | "chunkIndex">,
  collection: string,
): Promise<CorpusContents> {
  const rows = await database.query<Row>(
    `select document_id, collection, path, borders, filename, title, media_type, language, source_url, size_bytes,
            encode(sha256, 'hex') as sha256, char_count, word_count, text_bytes
       from documents left join document_chunks using (document_id)
      where tenant is null order by path`,
  );
  const chunks = await readChunks(opensearch, chunkIndex.readAlias);
  const files = new Map<string, StoredFile>();
  for (const { document_id: id, collection: of, path, borders, ...facts } of rows) {
    if (of === collection) {
      const sections = await new TextStore().findAll(database, [id]);
      const text = unpackText(sections.get(id) ?? []);
      // Collections with the same files differ in their names alone.
      const own = (chunks.get(id) ?? []).map(({ collection: name, ...chunk }) => ({
        ...chunk,
        isOfCollection: name === of,
      }));
      files.set(path, { facts, text, borders, chunks: own });
    }
    chunks.delete(id);
  }
  return { files, strayChunks: [...chunks.values()].flat().length };
}

type Chunk = Record<string, unknown>;

async function readChunks(opensearch: OpenSearch, index: string): Promise<Map<string, Chunk[]>> {
  const chunks = new Map<string, Chunk[]>();
  await opensearch.indices.refresh({ index });
  for (let after: (string | number)[] | undefined = []; after !== undefined; ) {
    const hits = await readPage(opensearch, index, after);
    for (const { _source } of hits) {
      const { document_id, ingested_at, ...chunk } = _source;
      chunks.set(document_id, [...(chunks.get(document_id) ?? []), chunk]);
    }
    after = hits.length < PAGE ? undefined : hits.at(-1)?.sort;
  }
  return chunks;
}

async function readPage(opensearch: OpenSearch, index: string, after: (string | number)[]) {
  const { body } = await opensearch.search({
    index,
    body: {
      size: PAGE,
      sort: [{ document_id: "asc" }, { chunk_index: "asc" }],
      ...(after.length > 0 && { search_after: after }),
    },
  });
  return Hits.parse(body).hits.hits;
}
