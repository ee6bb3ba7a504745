import type { WikiPage } from "../sample-article.ts";
import { decodeEntities } from "./decode-entities.ts";

const PAGE_END = "</page>";

/**
 * Reads the pages of a MediaWiki XML export (schema 0.3 and later, one revision a page) as they arrive.
 * Never holds more than a page and a piece of the stream. A last page that is cut off is left out.
 */
export async function* mediaWikiPages(pieces: AsyncIterable<string>): AsyncGenerator<WikiPage> {
  let rest = "";
  for await (const piece of pieces) {
    const searchFrom = Math.max(0, rest.length - PAGE_END.length);
    rest += piece;
    let start = 0;
    let end = rest.indexOf(PAGE_END, searchFrom);
    for (; end !== -1; end = rest.indexOf(PAGE_END, start)) {
      const page = readPage(rest.slice(start, end));
      if (page !== null) yield page;
      start = end + PAGE_END.length;
    }
    rest = rest.slice(start);
  }
}

function readPage(xml: string): WikiPage | null {
  const title = /<title>([^<]*)<\/title>/.exec(xml)?.[1];
  const revision = /<revision>\s*<id>(\d+)<\/id>/.exec(xml)?.[1];
  if (title === undefined || revision === undefined) return null;
  const text = /<text\b[^>]*>([^<]*)<\/text>/.exec(xml)?.[1] ?? "";
  return { title: decodeEntities(title), revision: Number(revision), wikitext: decodeEntities(text) };
}
