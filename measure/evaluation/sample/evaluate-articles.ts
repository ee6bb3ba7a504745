import type { ProgressDisplay } from "../../../src/platform/terminal/progress.ts";
import { checkText, mapAtOnce, withEvaluationService } from "../checks/evaluation-service.ts";
import { excerpt } from "../report/error-lines.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import { articlesOfPart, type NamedText, sampleTexts } from "../texts/corpus-texts.ts";
import { everyKth, type Part } from "../texts/parts.ts";

export type ArticleRequest = {
  readonly part: Part;
  /** The maximum number of articles of each half, evenly spread. */
  readonly limit: number;
  readonly wordsOnly: boolean;
  readonly atOnce: number;
  /** The number of articles whose passages are shown. */
  readonly unlisted: number;
};

/** A passage of an article that was found in another one. */
export type ArticlePassage = {
  readonly articleName: string;
  readonly sourceName: string;
  readonly passage: PassagePair;
};

/**
 * Checks each half of the encyclopedia articles, in which nothing was planted, against the other half. (Words would find an article that is in the
 * corpus itself, and its sentences would not be compared by meaning.) A passage is text that two articles share, or an error; only a reader
 * can tell.
 */
export async function evaluateArticles(
  { part, limit, atOnce, wordsOnly, unlisted }: ArticleRequest,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const say = (line: string) => display.say(line);
  const corpus = await sampleTexts(say);
  const passages: ArticlePassage[] = [];
  let checked = 0;
  for (const [half, otherHalf] of HALVES) {
    if (part !== "all" && part !== half) continue;
    const articles = everyKth(articlesOfPart(corpus, half), limit);
    const sources = articlesOfPart(corpus, otherHalf);
    const found = await withEvaluationService(sources, { say, wordsOnly }, (service) => {
      const onDone = (done: number) =>
        display.update({ done, total: articles.length, totalIsFinal: true, failed: 0 });
      return mapAtOnce(articles, { atOnce, onDone, signal }, async ({ name, text }) => {
        const { detections } = await checkText(service, name, text);
        return [...detections].flatMap(([sourceName, ofSource]) =>
          ofSource.map((passage) => ({ articleName: name, sourceName, passage })),
        );
      });
    });
    passages.push(...found.flat());
    checked += articles.length;
  }
  return {
    lines: [articleLine(checked, passages), ...passageLines(corpus, passages, unlisted)],
    result: { articles: checked, passages },
  };
}

/** The articles that are checked, and those that they are compared with. */
const HALVES = [
  ["tune", "check"],
  ["check", "tune"],
] as const;

function articleLine(articles: number, passages: readonly ArticlePassage[]): string {
  const withPassage = new Set(passages.map(({ articleName }) => articleName)).size;
  return `${withPassage} of ${articles} articles have a passage in another one; ${passages.length} passages in all`;
}

/** The passages of the first articles that have any, with both texts. */
function passageLines(
  corpus: readonly NamedText[],
  passages: readonly ArticlePassage[],
  shownArticles: number,
): string[] {
  const characters = new Map(corpus.map(({ name, text }) => [name, [...text]]));
  const byArticle = [...Map.groupBy(passages, ({ articleName }) => articleName).values()];
  return byArticle
    .slice(0, shownArticles)
    .flatMap((found, at) =>
      found.flatMap(({ articleName, sourceName, passage }) => [
        "",
        `${at + 1}. ${articleName} in ${sourceName}`,
        `  query  ${excerpt(characters.get(articleName) ?? [], passage.query)}`,
        `  source ${excerpt(characters.get(sourceName) ?? [], passage.source)}`,
      ]),
    );
}
