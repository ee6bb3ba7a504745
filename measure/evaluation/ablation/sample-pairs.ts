import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tokenise } from "../../../src/text/tokenise.ts";
import { plantSentences } from "../sample/evaluate-sentences.ts";
import { articlesOfPart, type NamedText } from "../texts/corpus-texts.ts";
import type { TextPair } from "../texts/pan-corpus.ts";
import { EVALUATION_DIR } from "../texts/places.ts";

/** Pairs of texts; the folder contains the texts in `susp` and `src`. */
export type WrittenPairs = { readonly folder: string; readonly pairs: readonly TextPair[] };

/** Articles of one half of the sample corpus with one sentence each of the other half; the sentence is the only case. */
export async function sentencePairs(articles: readonly NamedText[], count: number): Promise<WrittenPairs> {
  const sources = articlesOfPart(articles, "tune");
  const planted = plantSentences(sources, articlesOfPart(articles, "check"), count);
  const pairs = planted.map(({ name, sourceName, planted: passage }) => ({
    className: "sentences",
    queryName: name,
    sourceName,
    cases: [{ ...passage, kind: "sentence" }],
  }));
  return { folder: await writeTexts("sentences", planted, sources), pairs };
}

/**
 * The pairs of articles that are most alike, measured by their shared rare words. Nothing was planted in them: passages
 * that are found there are shared text or errors.
 */
export async function similarArticlePairs(
  articles: readonly NamedText[],
  count: number,
): Promise<WrittenPairs> {
  const pairs = similarities(articles)
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, count)
    .map(({ queryName, sourceName }) => ({ className: "articles", queryName, sourceName, cases: [] }));
  return { folder: await writeTexts("articles", articles, articles), pairs };
}

async function writeTexts(name: string, queries: readonly NamedText[], sources: readonly NamedText[]) {
  const folder = join(EVALUATION_DIR, name);
  await rm(folder, { recursive: true, force: true });
  for (const [part, texts] of [["susp", queries] as const, ["src", sources] as const]) {
    await mkdir(join(folder, part), { recursive: true });
    for (const { name, text } of texts) await writeFile(join(folder, part, name), text);
  }
  return folder;
}

/** A word in more articles says little about the subject of an article. */
const ARTICLES_WITH_WORD_MAX = 50;

/** The weight of the shared words (log inverse document frequency) for each ordered pair, relative to the article's length. */
function similarities(articles: readonly NamedText[]) {
  const vocabularies = articles.map(({ text }) => new Set(tokenise(text, "en").words));
  const articlesWith = new Map<string, number[]>();
  for (const [at, vocabulary] of vocabularies.entries()) {
    for (const word of vocabulary) articlesWith.set(word, [...(articlesWith.get(word) ?? []), at]);
  }
  return articles.flatMap(({ name: queryName }, at) => {
    const vocabulary = vocabularies[at] ?? new Set<string>();
    const shared = new Map<number, number>();
    for (const word of vocabulary) {
      const others = articlesWith.get(word) ?? [];
      if (others.length > ARTICLES_WITH_WORD_MAX) continue;
      const weight = Math.log(articles.length / others.length);
      for (const other of others) if (other !== at) shared.set(other, (shared.get(other) ?? 0) + weight);
    }
    return [...shared].map(([other, weight]) => ({
      queryName,
      sourceName: articles[other]?.name ?? "",
      similarity: weight / Math.sqrt(vocabulary.size),
    }));
  });
}
