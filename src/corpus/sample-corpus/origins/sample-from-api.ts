import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeWhole } from "../../../platform/write-whole.ts";
import type { SampleArticle } from "../sample-article.ts";
import { readArticle, type Selection } from "../select-articles.ts";
import type { DropReason } from "../wikitext/page-rules.ts";
import { type ApiAccess, fetchRevisions, REVISIONS_PER_REQUEST } from "./fetch-revisions.ts";
import sampleTitles from "./sample-titles.json" with { type: "json" };

/** Batches fetched so far; a later start goes on from them, and they go when the sample is whole. */
const BATCH_FOLDER = "sample-corpus-revisions";

type Named = { readonly title: string; readonly revision: number };
const Batch = z.array(z.object({ revision: z.number(), wikitext: z.string() }));

export type ApiSettings = Omit<ApiAccess, "signal"> & { readonly cacheDir: string; readonly limit: number };

/**
 * The sample by Wikipedia's own API: the same articles at the same revisions as in the package, by the list that
 * stands beside this file, so that the same code makes the same text of them. Revisions that Wikipedia no longer
 * shows are left out and told. Throws an `Error` that says why when the API can't be reached or refuses.
 */
export async function sampleFromApi(
  settings: ApiSettings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Selection> {
  const wanted = sampleTitles.articles.slice(0, settings.limit);
  const articles: SampleArticle[] = [];
  const dropped: Partial<Record<DropReason, number>> = {};
  let missing = 0;
  say(`sample corpus: asking ${new URL(settings.apiBase).host} for ${wanted.length} revisions`);
  for (let start = 0; start < wanted.length; start += REVISIONS_PER_REQUEST) {
    const batch = wanted.slice(start, start + REVISIONS_PER_REQUEST);
    const wikitexts = await batchWikitexts({ ...settings, signal }, batch);
    for (const named of batch) {
      const wikitext = wikitexts.get(named.revision);
      const result = wikitext === undefined ? null : readArticle({ ...named, wikitext });
      if (result === null) missing++;
      else if (typeof result === "string") dropped[result] = (dropped[result] ?? 0) + 1;
      else articles.push(result);
    }
  }
  if (missing > 0) say(`sample corpus: ${missing} revisions are no longer shown by Wikipedia`);
  await rm(join(settings.cacheDir, BATCH_FOLDER), { recursive: true, force: true });
  return { articles, dropped, pages: wanted.length };
}

/** A batch from the disk if an earlier start fetched it, else from the API. */
async function batchWikitexts(
  access: ApiSettings & { readonly signal: AbortSignal },
  batch: readonly Named[],
): Promise<ReadonlyMap<number, string>> {
  const revisions = batch.map(({ revision }) => revision);
  const file = join(access.cacheDir, BATCH_FOLDER, `${revisions[0]}-${revisions.length}.json`);
  const stored = await storedBatch(file);
  if (stored !== null) return stored;
  const fetched = await fetchRevisions(access, revisions);
  const rows: z.infer<typeof Batch> = [...fetched].map(([revision, wikitext]) => ({ revision, wikitext }));
  await writeWhole(file, JSON.stringify(rows));
  return fetched;
}

async function storedBatch(file: string): Promise<ReadonlyMap<number, string> | null> {
  try {
    const rows = Batch.parse(JSON.parse(await readFile(file, "utf8")));
    return new Map(rows.map(({ revision, wikitext }) => [revision, wikitext]));
  } catch {
    return null;
  }
}
