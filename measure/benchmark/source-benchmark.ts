import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prose } from "../../test/support/work/prose.ts";
import type { BenchmarkStores } from "./benchmark-stores.ts";
import { type IngestRun, runIngest } from "./run-ingest.ts";

/** Words of a document: one chunk. */
const WORDS = 100;

/** Documents that are written in one request or statement, and files of one directory. */
const WRITTEN_AT_ONCE = 1_000;

export const INGEST_SOURCES = ["folder", "index", "query"] as const;
export type IngestSource = (typeof INGEST_SOURCES)[number];

export type SourceRuns = { readonly first: IngestRun; readonly second: IngestRun };

/** Ingests the same texts twice from a folder, an index or a query, as a user does. */
export async function ingestFrom(
  source: IngestSource,
  documents: number,
  stores: BenchmarkStores,
): Promise<SourceRuns> {
  const folder = await mkdtemp(join(tmpdir(), "similarity-bench-"));
  try {
    const run = await prepare(source, documents, stores, folder);
    return { first: await run(), second: await run() };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function prepare(
  source: IngestSource,
  documents: number,
  { environment, database, opensearch }: BenchmarkStores,
  folder: string,
): Promise<() => Promise<IngestRun>> {
  const parts = Array.from({ length: Math.ceil(documents / WRITTEN_AT_ONCE) }, (_, part) =>
    Array.from({ length: Math.min(WRITTEN_AT_ONCE, documents - part * WRITTEN_AT_ONCE) }, (_, at) => {
      const id = part * WRITTEN_AT_ONCE + at;
      return { id, title: `Document ${id}`, body: prose(id, WORDS) };
    }),
  );
  switch (source) {
    case "folder":
      for (const [part, files] of parts.entries()) {
        await mkdir(join(folder, String(part)));
        for (const { id, body } of files) await writeFile(join(folder, String(part), `${id}.txt`), body);
      }
      return () => runIngest("ingest", [folder, "--prune"], environment);
    case "index": {
      const index = `${environment.OPENSEARCH_INDEX_PREFIX}articles`;
      for (const part of parts) {
        const body = part.flatMap(({ id, ...fields }) => [{ index: { _id: String(id) } }, fields]);
        await opensearch.bulk({ index, body });
      }
      await opensearch.indices.refresh({ index });
      return () =>
        runIngest("ingest-index", ["--from", index, "--text", "body", "--title", "title"], environment);
    }
    case "query":
      await database.query("create table articles (id integer primary key, title text, body text)");
      for (const part of parts) {
        await database.query(
          "insert into articles select * from json_populate_recordset(null::articles, $1)",
          [JSON.stringify(part)],
        );
      }
      return () =>
        runIngest("ingest-sql", ["--query", "select id, title, body from public.articles"], environment);
  }
}
