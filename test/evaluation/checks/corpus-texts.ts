import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../../src/core/domain-error.ts";
import { readSampleCorpus } from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { type PanCorpus, readText } from "../texts/pan-corpus.ts";
import { SAMPLE_CORPUS_DIR } from "../texts/places.ts";
import type { NamedText } from "./load-texts.ts";

/** Goes before the name of a text that is no source of the listed pairs. */
const OTHERS = "others/";

/** The name that stands for the articles of the sample corpus instead of a folder. */
export const SAMPLE = "sample";

/**
 * All sources of a corpus, then the texts that only make them harder to find: the sample corpus, or the .txt files of a
 * folder. A distractor that is one of the sources, word for word, is left out: to find it would be right.
 * @throws DomainError `invalid_input` when the distractors are not there.
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
  const others = distractors === SAMPLE ? sampleTexts(say) : folderTexts(distractors);
  for await (const { name, text } of others) {
    if (!sources.has(text)) yield { name: `${OTHERS}${name}`, text };
  }
}

async function* folderTexts(folder: string): AsyncGenerator<NamedText> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".txt")).sort();
  for (const name of names) {
    const text = await readText(join(folder, name));
    if (text !== "") yield { name, text };
  }
}

async function* sampleTexts(say: (line: string) => void): AsyncGenerator<NamedText> {
  const sample = await readSampleCorpus({ cacheDir: SAMPLE_CORPUS_DIR, say });
  if (!sample.available)
    throw new DomainError("invalid_input", `There is no sample corpus to distract with: ${sample.reason}`);
  for (const { filename, text } of sample.articles) yield { name: filename, text };
}
