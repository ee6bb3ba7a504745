import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { type News, newsMentions } from "../sources/news/news-mentions.ts";
import { counted, type LoadPart } from "./part.ts";

/** Puts the file in the place of what was loaded before. */
export const loadNews: LoadPart = async (db, input, onBytes) => {
  const news = await newsMentions(input, onBytes);
  await db.query("delete from statistics_news_articles");
  await db.query("delete from statistics_news_timeline");
  return addNews(db, news);
};

/**
 * Adds the file to what was loaded before: GDELT itself looks back three months only. The hash is of what stands in the tables then,
 * and the same whatever time zone and order of letters the server is set to.
 */
export const accumulateNews: LoadPart = async (db, input, onBytes) => {
  const added = await addNews(db, await newsMentions(input, onBytes));
  const [contents] = await db.query<{ sha256: string }>(
    `select encode(sha256(convert_to(concat(
              (select string_agg(json_build_array(url, extract(epoch from seen_at), title, domain, language, country_code)::text,
                                 e'\n' order by url)
                 from statistics_news_articles),
              (select string_agg(json_build_array(extract(epoch from at), mentions, monitored)::text, e'\n' order by at)
                 from statistics_news_timeline)), 'UTF8')), 'hex') as sha256`,
  );
  return { ...added, sha256: contents?.sha256 };
};

/** Of what is there already, an article keeps its first sighting, and a day the count that saw more. */
async function addNews(db: Queryable, { articles, timeline }: News) {
  await insertRows(
    db,
    "statistics_news_articles",
    articles.map(({ seenAt, countryCode, ...rest }) => ({
      ...rest,
      seen_at: seenAt,
      country_code: countryCode,
    })),
    `on conflict (url) do update
        set seen_at = least(statistics_news_articles.seen_at, excluded.seen_at)`,
  );
  await insertRows(
    db,
    "statistics_news_timeline",
    timeline,
    `on conflict (at) do update set mentions = excluded.mentions, monitored = excluded.monitored
      where (excluded.monitored, excluded.mentions) > (statistics_news_timeline.monitored, statistics_news_timeline.mentions)`,
  );
  const [found] = await db.query<{ articles: number; newest: string | null }>(
    `select (select count(*) from statistics_news_articles) as articles,
            to_char(greatest((select max(seen_at) from statistics_news_articles),
                             (select max(at) from statistics_news_timeline)) at time zone 'UTC', 'YYYY-MM-DD') as newest`,
  );
  return {
    newestRecord: found?.newest ?? undefined,
    notes: [
      `${counted(found?.articles ?? 0, "article")}, ${counted(timeline.length, "day")} of the timeline`,
    ],
  };
}
