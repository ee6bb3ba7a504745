import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import { mulberry32 } from "../../../test/support/work/prose.ts";
import type { TextModel } from "./text-model.ts";

/** Files of one directory; more make listing it slow. */
const FILES_OF_DIRECTORY = 1_000;

/** Measured on the model's texts; the real number is counted when a corpus is loaded. */
export const WORDS_OF_CHUNK = 174;

/** The median length of the texts in words, about as of articles and chapters of theses. */
const WORDS_MEDIAN = 1_800;
const WORDS_LEAST = 150;
const WORDS_MOST = 40_000;
/** The standard deviation of the natural logarithm of the length. */
const WORDS_SPREAD = 0.8;

/** One folder that takes the corpus from one size to the next. */
export type CorpusStep = {
  /** The range of the generated documents by their seeds, `[first, end)`. */
  readonly first: number;
  readonly end: number;
  /** Chunks that the corpus is to have with it. */
  readonly chunks: number;
};

/** Which documents make a corpus grow to each of the sizes; the first step also has the real articles. */
export function corpusSteps(sizes: readonly number[], articleWords: number): CorpusStep[] {
  let words = articleWords;
  let document = 0;
  return sizes.map((chunks) => {
    const first = document;
    while (words < chunks * WORDS_OF_CHUNK) {
      words += wordsOf(document);
      document += 1;
    }
    return { first, end: document, chunks };
  });
}

/** The text of a generated document; the same one whenever it is asked for. */
export function generatedText(model: TextModel, document: number): string {
  return model.text(document, wordsOf(document));
}

/** Writes the files of a step below `folder`, with `articles` among them. */
export async function writeStep(
  folder: string,
  { first, end }: CorpusStep,
  model: TextModel,
  articles: readonly SampleArticle[],
): Promise<void> {
  await mkdir(join(folder, "articles"), { recursive: true });
  for (const { filename, text } of articles) await writeFile(join(folder, "articles", filename), text);
  for (let document = first; document < end; document += 1) {
    const directory = join(folder, String(Math.floor(document / FILES_OF_DIRECTORY)));
    if (document === first || document % FILES_OF_DIRECTORY === 0)
      await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${document}.txt`), generatedText(model, document));
  }
}

/** Log-normal, as lengths of texts are. */
function wordsOf(document: number): number {
  const random = mulberry32(-1 - document);
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const words = Math.round(WORDS_MEDIAN * Math.exp(WORDS_SPREAD * normal));
  return Math.min(WORDS_MOST, Math.max(WORDS_LEAST, words));
}
