import { createHash } from "node:crypto";
import { DomainError } from "../../../src/core/domain-error.ts";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import type { NamedText } from "../checks/load-texts.ts";
import type { Part } from "../texts/parts.ts";
import { SAMPLE_CORPUS_DIR } from "../texts/places.ts";

/** The articles of the sample corpus by their file names. @throws DomainError `invalid_input` when they are not to be had. */
export async function sampleTexts(say: (line: string) => void): Promise<NamedText[]> {
  const sample = await readSampleCorpus({ cacheDir: SAMPLE_CORPUS_DIR, say });
  if (!sample.available)
    throw new DomainError("invalid_input", `There is no sample corpus: ${sample.reason}`);
  return sample.articles.map(({ filename, text }) => ({ name: filename, text }));
}

/** One half of the articles or the other, by the MD5 of their names; rules are chosen on `tune` alone. */
export function articlesOfPart(articles: readonly NamedText[], part: Part): readonly NamedText[] {
  if (part === "all") return articles;
  return articles.filter(({ name }) => isOdd(name) === (part === "check"));
}

function isOdd(name: string): boolean {
  return (createHash("md5").update(name).digest()[0] ?? 0) % 2 === 1;
}

/** The texts as the corpus takes them. */
export async function* eachOf(texts: readonly NamedText[]): AsyncGenerator<NamedText> {
  yield* texts;
}
