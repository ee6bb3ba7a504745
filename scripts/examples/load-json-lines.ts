// Loads documents into the corpus from an async iterator: here the lines of a JSON Lines file, in your program any source of
// documents (a database cursor, a queue, a crawler).
//
//   npm run example:load -- documents.jsonl
//
// Each line: {"path": "…", "title": "…", "text": "…", "language": "en", "sourceUrl": "https://…"}; the last two are optional.
// It may be run again at any time: existing documents are not changed, and documents that an interrupted run has stored but
// not made matchable become matchable. In your own program, import
// from "similarity-check", and pass the addresses of your stores instead of those that `openStores` returns.

import { open } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import {
  createLogger,
  type OpenPipeline,
  openPipeline,
  type PipelineDocument,
  readConfig,
} from "../../src/index.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

const COLLECTION = "json-lines";

/** Documents stored and indexed together: large enough to be fast, small enough for memory. */
const BATCH = 200;

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write("Usage: npm run example:load -- FILE.jsonl\n");
  process.exit(2);
}

try {
  await load(file);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function load(path: string): Promise<void> {
  // Settings come from the environment, as for the service: DATABASE_URL, OPENSEARCH_URL and so on.
  const config = readConfig(process.env);
  const stores = await openStores({ ...config, say: (line) => process.stderr.write(`${line}\n`) });
  try {
    const pipeline = await openPipeline({ ...config, ...stores }, createLogger(config.logLevel, "stderr"));
    try {
      await loadInto(pipeline, path);
    } finally {
      await pipeline.close();
    }
  } finally {
    await stores.stop();
  }
}

async function loadInto(pipeline: OpenPipeline, path: string): Promise<void> {
  const counts = { added: 0, replaced: 0, unchanged: 0 };
  for await (const batch of batches(documentsOf(path), BATCH)) {
    const ingested = await pipeline.ingestDocuments(batch);
    for (const { outcome } of ingested) counts[outcome] += 1;
    const fresh = ingested.filter(({ document }) => document.fingerprintStatus === "pending");
    await pipeline.fingerprintDocuments(fresh.map(({ document }) => document.documentId));
  }
  await pipeline.refreshStatistics();
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}

async function* documentsOf(path: string): AsyncGenerator<PipelineDocument> {
  // npm runs scripts in the package's folder; INIT_CWD is the folder in which npm was called.
  const file = await open(resolve(process.env.INIT_CWD ?? process.cwd(), path));
  for await (const line of file.readLines()) {
    // `ingestDocuments` validates the members and names invalid ones.
    if (line.trim() !== "") yield { collection: COLLECTION, ...JSON.parse(line) };
  }
}

async function* batches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
