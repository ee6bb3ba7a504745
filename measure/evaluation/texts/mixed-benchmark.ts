import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import { type PanCorpus, readPanCorpus } from "./pan-corpus.ts";
import { EVALUATION_DIR, SAMPLE_CORPUS_DIR } from "./places.ts";

export type MixedBenchmark =
  | { readonly available: true; readonly corpus: PanCorpus }
  | { readonly available: false; readonly reason: string };

export type MixedOptions = {
  /** The Python program that plants the passages. */
  readonly script: string;
  readonly pairs: number;
  readonly say: (line: string) => void;
};

export type MixedPart = "tune" | "check";

/** The two halves of the articles: no text is in both. */
const PARTS = {
  tune: { seed: "1", part: "0" },
  check: { seed: "2", part: "1" },
} as const;

/**
 * A corpus in PAN's layout with passages of the kinds and lengths that users meet, planted in articles of the sample corpus.
 * The same arguments give the same corpus; it is made once and kept.
 */
export async function mixedBenchmark(
  part: MixedPart,
  { script, pairs, say }: MixedOptions,
): Promise<MixedBenchmark> {
  if (!existsSync(script)) return { available: false, reason: `${script} does not exist` };
  const sample = await readSampleCorpus({ cacheDir: SAMPLE_CORPUS_DIR, say });
  if (!sample.available) return { available: false, reason: `no sample corpus: ${sample.reason}` };
  const edition = await editionOf(script, sample.articles);
  const { seed, part: number } = PARTS[part];
  const kept = join(EVALUATION_DIR, `mixed-${edition}-seed${seed}-part${number}-${pairs}`);
  if (!existsSync(kept)) {
    const made = await make(kept, sample.articles, script, ["--seed", seed, "--part", number], pairs);
    if (made !== undefined) return { available: false, reason: made };
  }
  return { available: true, corpus: await readPanCorpus(kept) };
}

/** @returns the reason if Python is not installed. */
async function make(
  kept: string,
  articles: readonly SampleArticle[],
  script: string,
  share: readonly string[],
  pairs: number,
): Promise<string | undefined> {
  await mkdir(EVALUATION_DIR, { recursive: true });
  const work = await mkdtemp(join(EVALUATION_DIR, "making-"));
  const texts = join(work, "texts");
  const out = join(work, "out");
  try {
    await mkdir(texts);
    for (const article of articles) await writeFile(join(texts, fileNameOf(article)), article.text);
    const command = [script, texts, out, ...share, "--parts", "2", "--pairs", String(pairs)];
    await promisify(execFile)("python3", command);
    await rename(out, kept);
    return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return "python3 is not installed";
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** In the list of pairs, spaces separate the names. */
function fileNameOf({ filename }: SampleArticle): string {
  return filename.replaceAll(" ", "_");
}

async function editionOf(script: string, articles: readonly SampleArticle[]): Promise<string> {
  const hash = createHash("md5").update(await readFile(script));
  for (const { filename, text } of articles) hash.update(filename).update(text);
  return hash.digest("hex").slice(0, 8);
}
