import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createGunzip, gzip } from "node:zlib";
import { z } from "zod";
import { writeWhole } from "../../platform/write-whole.ts";
import type { SampleArticle } from "./select-articles.ts";

/** Must be raised whenever the selection or the text rules change, so that older caches are replaced. */
const SAMPLE_VERSION = 1;

const CACHE_FILE = "sample-corpus.jsonl.gz";

const Header = z.object({
  version: z.literal(SAMPLE_VERSION),
  /** The requested number of articles; a source may have had fewer. */
  requested: z.number(),
  articles: z.number(),
});
const Article = z.object({
  title: z.string(),
  text: z.string(),
  sourceUrl: z.string(),
  filename: z.string(),
});

/** The first `limit` cached articles; null when the cache is missing, damaged, of another version or for fewer articles. */
export async function readSampleCache(cacheDir: string, limit: number): Promise<SampleArticle[] | null> {
  try {
    const articles: SampleArticle[] = [];
    let header: z.infer<typeof Header> | null = null;
    for await (const line of linesOf(join(cacheDir, CACHE_FILE))) {
      if (header !== null) articles.push(Article.parse(JSON.parse(line)));
      else header = Header.parse(JSON.parse(line));
    }
    if (header === null || header.requested < limit || header.articles !== articles.length) return null;
    return articles.slice(0, limit);
  } catch {
    return null;
  }
}

/** Replaces the cache in one step. */
export async function writeSampleCache(
  cacheDir: string,
  requested: number,
  articles: readonly SampleArticle[],
): Promise<void> {
  const header = { version: SAMPLE_VERSION, requested, articles: articles.length };
  const lines = [header, ...articles].map((value) => JSON.stringify(value)).join("\n");
  await writeWhole(join(cacheDir, CACHE_FILE), await promisify(gzip)(lines));
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = createGunzip();
  file.once("error", (error) => text.destroy(error));
  try {
    yield* createInterface({ input: file.pipe(text), crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    file.destroy();
  }
}
