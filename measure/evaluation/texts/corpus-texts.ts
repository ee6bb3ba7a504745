import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { type PanCorpus, readText } from "./pan-corpus.ts";
import type { Part } from "./parts.ts";
import { SAMPLE_CORPUS_DIR } from "./places.ts";

/** A text for the corpus. Names are unique. */
export type NamedText = { readonly name: string; readonly text: string };

/** Stands for the articles of the sample corpus where a folder could be given. */
export const SAMPLE = "sample";

/** Prefix of the names of distractors. */
const DISTRACTORS = "others/";

/**
 * All sources of a benchmark, followed by the distractors: the sample corpus, or the .txt files of a folder. A distractor
 * that equals a source is left out, because finding it would be right.
 * @throws DomainError `invalid_input` when the sample corpus is not available.
 */
export async function* corpusTexts(
  { folder }: PanCorpus,
  distractors: string | undefined,
  say: (line: string) => void,
): AsyncGenerator<NamedText> {
  const sources = new Set<string>();
  for await (const source of folderTexts(join(folder, "src"))) {
    sources.add(source.text);
    yield source;
  }
  if (distractors === undefined) return;
  const others = distractors === SAMPLE ? await sampleTexts(say) : folderTexts(distractors);
  for await (const { name, text } of others) {
    if (!sources.has(text)) yield { name: `${DISTRACTORS}${name}`, text };
  }
}

async function* folderTexts(folder: string): AsyncGenerator<NamedText> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".txt")).sort();
  for (const name of names) {
    const text = await readText(join(folder, name));
    if (text !== "") yield { name, text };
  }
}

/**
 * The articles of the sample corpus by file name.
 * @throws DomainError `invalid_input` when the sample corpus is not available.
 */
export async function sampleTexts(say: (line: string) => void): Promise<NamedText[]> {
  const sample = await readSampleCorpus({ cacheDir: SAMPLE_CORPUS_DIR, say });
  if (!sample.available)
    throw new DomainError("invalid_input", `The sample corpus is not available: ${sample.reason}`);
  return sample.articles.map(({ filename, text }) => ({ name: filename, text }));
}

/** One half of the articles or the other, by the MD5 of their names. Rules are chosen on `tune` only. */
export function articlesOfPart(articles: readonly NamedText[], part: Part): readonly NamedText[] {
  if (part === "all") return articles;
  return articles.filter(({ name }) => isOdd(name) === (part === "check"));
}

function isOdd(name: string): boolean {
  return (createHash("md5").update(name).digest()[0] ?? 0) % 2 === 1;
}
