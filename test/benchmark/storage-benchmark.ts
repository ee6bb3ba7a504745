import type { Client } from "@opensearch-project/opensearch";
import type pg from "pg";
import { z } from "zod";
import type { Figure } from "./check-benchmark.ts";

const IndexStats = z.object({
  _all: z.object({ primaries: z.object({ store: z.object({ size_in_bytes: z.number() }) }) }),
});

/** What the corpus takes in both stores, against its plain text in UTF-8. */
export async function storageFigures(
  database: pg.Client,
  opensearch: Client,
  prefix: string,
): Promise<Figure[]> {
  await opensearch.indices.flush({ index: `${prefix}chunks-*` });
  const { body } = await opensearch.indices.stats({ index: `${prefix}chunks-*`, metric: ["store"] });
  const indexBytes = IndexStats.parse(body)._all.primaries.store.size_in_bytes;
  const { rows } = await database.query<{ text_bytes: string; table_bytes: string }>(
    `select (select sum(octet_length(extracted_text)) from similarity.document_texts) as text_bytes,
            pg_total_relation_size('similarity.documents') + pg_total_relation_size('similarity.document_texts')
              as table_bytes`,
  );
  const textBytes = Number(rows[0]?.text_bytes);
  const tableBytes = Number(rows[0]?.table_bytes);
  return [
    { name: "plain text of the corpus", value: textBytes / 1e6, unit: "MB" },
    { name: "PostgreSQL", value: tableBytes / 1e6, unit: "MB" },
    { name: "OpenSearch", value: indexBytes / 1e6, unit: "MB" },
    {
      name: "both stores / plain text",
      value: (tableBytes + indexBytes) / textBytes,
      unit: "times",
      target: "< 2",
    },
  ];
}
