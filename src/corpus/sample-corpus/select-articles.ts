import { type SampleArticle, sampleArticle, type WikiPage } from "./sample-article.ts";
import { firstByTitleHash } from "./title-order.ts";
import { articleText } from "./wikitext/article-text.ts";
import { ARTICLE_CHARS_MIN, type DropReason, dropReason } from "./wikitext/page-rules.ts";

export type Selection = {
  readonly articles: readonly SampleArticle[];
  /** The pages that were looked at and left out, counted by reason. */
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  readonly pages: number;
};

/** Of the pages that pass the rules on title and wikitext, 10% have too little prose: measured, 115 of 1,115. */
const SURPLUS = 1.25;
const SURPLUS_MIN = 20;

/**
 * The sample of an encyclopedia: of all articles that qualify, the `limit` whose titles have the smallest SHA-1.
 * Wikitext is parsed only in that order and only until `limit` articles are found.
 */
export async function selectArticles(pages: AsyncIterable<WikiPage>, limit: number): Promise<Selection> {
  const dropped: Partial<Record<DropReason, number>> = {};
  const drop = (reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  const candidates = firstByTitleHash(Math.ceil(limit * SURPLUS) + SURPLUS_MIN);
  let read = 0;
  for await (const page of pages) {
    read++;
    const reason = dropReason(page);
    if (reason === null) candidates.add(page);
    else drop(reason);
  }
  const articles: SampleArticle[] = [];
  for (const { page } of candidates.ordered()) {
    if (articles.length === limit) break;
    const result = readArticle(page);
    if (typeof result === "string") drop(result);
    else articles.push(result);
  }
  return { articles, dropped, pages: read };
}

/** The page as an article, or why it is none: the parser gives up on it, or its prose is too short. */
export function readArticle(page: WikiPage): SampleArticle | DropReason {
  try {
    const text = articleText(page.title, page.wikitext);
    return text.length < ARTICLE_CHARS_MIN ? "too_short" : sampleArticle(page, text);
  } catch {
    return "unreadable";
  }
}
