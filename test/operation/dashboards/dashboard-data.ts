import { ChunkIndex } from "../../../src/corpus/index/chunk-index.ts";
import { MetricsIndex } from "../../../src/platform/opensearch/metrics-index.ts";
import type { OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";

/** A corpus of three documents, four checks and some measurements, small enough to know every answer by heart. */
export async function fillDashboards(client: OpenSearch, prefix: string): Promise<void> {
  const chunks = new ChunkIndex(client, prefix, () => undefined);
  await chunks.putTemplates();
  await chunks.createFirst();
  const rows = [
    ...chunksOf("a", 2, { title: "Ferries", ingested_at: "2026-11-18T08:00:00Z", scope: "uploaded" }),
    ...chunksOf("b", 4, { title: "x".repeat(300), ingested_at: "2026-11-18T09:00:00Z" }),
    ...chunksOf("c", 1, {
      title: "Fähren",
      ingested_at: "2026-11-20T09:00:00Z",
      language: "de",
      media_type: "application/pdf",
    }),
  ];
  const bulk = rows.flatMap((row) => [
    { index: { _id: `${row.document_id}:${row.chunk_index}`, routing: row.document_id } },
    row,
  ]);
  const { body } = await client.bulk({ index: chunks.names.writeAlias, body: bulk, refresh: true });
  if (body.errors) throw new Error(JSON.stringify(body.items));

  const index = async (name: string) => {
    const made = new MetricsIndex(client, prefix, name, (error) => {
      throw error;
    });
    await made.prepare();
    return made;
  };
  await writeChecks(await index("check-metrics"));
  const snapshots = await index("corpus-metrics");
  for (const [time, text_bytes, index_bytes, postgres_bytes] of [
    ["19T10:00", 1_000, 300, 700],
    ["20T12:00", 5_000, 2_000, 4_000],
    ["20T10:00", 2_000, 700, 1_700],
  ] as const) {
    const at = `2026-11-${time}:00.000Z`;
    const stored_per_text_byte = (index_bytes + postgres_bytes) / text_bytes;
    const bytes = { text_bytes, index_bytes, postgres_bytes, stored_per_text_byte };
    await snapshots.write(at, { at, documents: 1, chunks: 1, ...bytes });
  }
  await client.indices.refresh({ index: `${prefix}*` });
}

function chunksOf(documentId: string, count: number, changes: Readonly<Record<string, string>>) {
  return Array.from({ length: count }, (_, chunk) => ({
    document_id: documentId,
    chunk_index: chunk,
    scope: "platform",
    language: "en",
    media_type: "text/plain",
    source_url: null,
    word_count: 150,
    char_count: 900,
    fingerprint: "the ferry leaves at six",
    ...changes,
  }));
}

async function writeChecks(index: MetricsIndex): Promise<void> {
  const check = { language: "en", word_count: 100, char_count: 600, chunk_count: 1, sources: 1 };
  for (const [check_id, coverage, semantic_coverage, match_types, similarity_pct, duration_ms, day] of [
    ["one", "full", "full", [], 0, 100, "19"],
    ["two", "full", "none", ["identical", "translated"], 40, 200, "20"],
    ["three", "partial", undefined, ["identical"], 50, 300, "20"],
    ["four", null, null, null, null, 100, "20"],
  ] as const) {
    const ended = `2026-11-${day}T10:00:00.000Z`;
    const status = coverage === null ? "failed" : "complete";
    const figures = { similarity_pct, duration_ms, created_at: ended, completed_at: ended };
    const found = { coverage, semantic_coverage, match_types };
    await index.write(check_id, { ...check, check_id, status, ...found, ...figures });
  }
}
