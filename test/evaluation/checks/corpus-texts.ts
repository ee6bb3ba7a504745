import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sampleTexts } from "../sample/articles.ts";
import { type PanCorpus, readText } from "../texts/pan-corpus.ts";
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
  const others = distractors === SAMPLE ? await sampleTexts(say) : folderTexts(distractors);
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
