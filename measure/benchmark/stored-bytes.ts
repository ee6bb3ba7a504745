import type { Client } from "@opensearch-project/opensearch";
import type pg from "pg";
import { z } from "zod";
import type { Figure } from "./check-benchmark.ts";

const Segments = z.object({ size: z.string(), committed: z.string() }).array();

/**
 * The size of the corpus in both stores, with all indexes, relative to its plain text in UTF-8. Only committed
 * segments of the index count, because its statistics also count recently merged segments for a while.
 */
export async function storedBytes(
  database: pg.Client,
  opensearch: Client,
  prefix: string,
): Promise<Figure[]> {
  await opensearch.indices.flush({ index: `${prefix}chunks-*` });
  await opensearch.indices.refresh({ index: `${prefix}chunks-*` });
  const { body } = await opensearch.cat.segments({ index: `${prefix}chunks-*`, format: "json", bytes: "b" });
  const indexBytes = Segments.parse(body)
    .filter(({ committed }) => committed === "true")
    .reduce((sum, { size }) => sum + Number(size), 0);
  const { rows } = await database.query<{ text_bytes: string; table_bytes: string; has_meaning: boolean }>(
    `select (select sum(text_bytes) from similarity.documents) as text_bytes,
            (select sum(pg_total_relation_size(('similarity.' || name)::regclass))
               from unnest(array['documents', 'document_chunks', 'pending_documents', 'text_sections', 'semantic_sections',
                                 'semantic_documents', 'semantic_backlog', 'semantic_models']) as tables (name)) as table_bytes,
            exists (select from similarity.semantic_documents) as has_meaning`,
  );
  const textBytes = Number(rows[0]?.text_bytes);
  const tableBytes = Number(rows[0]?.table_bytes);
  return [
    { name: "plain text", value: textBytes / 1e6, unit: "MB" },
    { name: "PostgreSQL", value: tableBytes / 1e6, unit: "MB" },
    { name: "OpenSearch", value: indexBytes / 1e6, unit: "MB" },
    {
      name: "both / plain text",
      value: (tableBytes + indexBytes) / textBytes,
      unit: "times",
      target: rows[0]?.has_meaning === true ? "<= 2.0" : "<= 1.5",
    },
  ];
}
