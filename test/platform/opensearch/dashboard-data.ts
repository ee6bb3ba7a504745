import { ChunkIndex } from "../../../src/corpus/index.ts";
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
  const { body } = await client.bulk({ index: chunks.writeAlias, body: bulk, refresh: true });
  if (body.errors) throw new Error(JSON.stringify(body.items));

  const metrics = new MetricsIndex(client, prefix, (error) => {
    throw error;
  });
  await metrics.prepare();
  await writeChecks(metrics);
  const sizes = { documents: 1, chunks: 1 };
  const day = (time: string) => new Date(`2026-11-${time}:00.000Z`);
  await metrics.writeCorpus({
    ...sizes,
    at: day("19T10:00"),
    textBytes: 1_000,
    indexBytes: 300,
    postgresBytes: 700,
  });
  await metrics.writeCorpus({
    ...sizes,
    at: day("20T12:00"),
    textBytes: 5_000,
    indexBytes: 2_000,
    postgresBytes: 4_000,
  });
  await metrics.writeCorpus({
    ...sizes,
    at: day("20T10:00"),
    textBytes: 2_000,
    indexBytes: 700,
    postgresBytes: 1_700,
  });
  const former = [
    { term: "former", chunkCount: 3, share: 0.1 },
    { term: "former2", chunkCount: 2, share: 0.1 },
    { term: "former3", chunkCount: 2, share: 0.1 },
  ];
  await metrics.writeFrequentShingles(former, day("19T10:00"));
  const shingles = [
    { term: "allrigreshold", example: "all rights reserved holders", chunkCount: 900, share: 0.3 },
    { term: "thefollawof", chunkCount: 40, share: 0.01 },
  ];
  await metrics.writeFrequentShingles(shingles, day("20T10:00"));
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

async function writeChecks(metrics: MetricsIndex): Promise<void> {
  const check = { language: "en", wordCount: 100, charCount: 600, chunkCount: 1, sources: 1 };
  for (const [checkId, coverage, similarityPct, durationMs, day] of [
    ["one", "full", 0, 100, "19"],
    ["two", "full", 40, 200, "20"],
    ["three", "partial", 50, 300, "20"],
    ["four", null, null, 100, "20"],
  ] as const) {
    const completedAt = new Date(`2026-11-${day}T10:00:00.000Z`);
    const status = coverage === null ? "failed" : "complete";
    await metrics.writeCheck({
      ...check,
      checkId,
      status,
      coverage,
      similarityPct,
      durationMs,
      createdAt: completedAt,
      completedAt,
    });
  }
}
