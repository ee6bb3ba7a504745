// The script of the page with the news.
import type { NewsArticle, NewsData } from "../../../statistics/read-model/rows.ts";
import { element, find } from "./elements.ts";
import { showList } from "./list.ts";
import { countryName, formatDay, isolatedFromRight, say, sayCount } from "./messages.ts";
import { fillPart, showPage } from "./page.ts";

const ADDRESS = "/v1/news";

await showPage(() =>
  fillPart<NewsData>(find("#list"), ADDRESS, ({ meta, data }) => {
    if (data.articles.length === 0) return say("noNews");
    return showList({
      items: data.articles,
      entryOf,
      textOf: (item) => [item.title, ...factsOf(item)].join(" "),
      count: (count) => sayCount("articles", count),
      rowOf: (item) => item,
      download: { name: "news", meta, address: ADDRESS },
    });
  }),
);

function entryOf(item: NewsArticle): HTMLElement {
  return element(
    "li",
    {},
    element("h2", { dir: "auto" }, element("a", { href: item.url, rel: "noreferrer" }, item.title)),
    element("p", { class: "entry-facts" }, factsOf(item).map(isolatedFromRight).join(" · ")),
  );
}

function factsOf({ seen_at, domain, country_code, language }: NewsArticle): string[] {
  const country = country_code === null ? "" : countryName(country_code);
  return [formatDay(seen_at), domain, country, language ?? ""].filter((fact) => fact !== "");
}
