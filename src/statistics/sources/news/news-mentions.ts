import { decodeHTMLStrict } from "entities";
import { z } from "zod";
import { countryCodeOf } from "../../facts/countries.ts";
import { readGdeltTime } from "../dates.ts";
import { readDocument } from "../input/json-records.ts";
import { parseRecord, refusedFile, shown } from "../input/refused-file.ts";
import type { InspectedFile, OnBytes } from "../input/text-file.ts";

type Article = {
  /** RFC 3339 in UTC. */
  readonly seenAt: string;
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  /** As GDELT names it, in English. */
  readonly language: string | undefined;
  readonly countryCode: string | undefined;
};

/** The counts of one day. */
type Mentions = {
  /** The start of the day, RFC 3339 in UTC. */
  readonly at: string;
  readonly mentions: number;
  /** All articles that GDELT saw. */
  readonly monitored: number;
};

export type News = { readonly articles: readonly Article[]; readonly timeline: readonly Mentions[] };

const ArticleRecord = z.object({
  url: z.string(),
  title: z.string().nullish(),
  seendate: z.string(),
  domain: z.string().nullish(),
  language: z.string().nullish(),
  sourcecountry: z.string().nullish(),
});

const Point = z.object({ date: z.string(), value: z.number().min(0), norm: z.number().min(0) });

/** GDELT's answers, or the lists in them. An answer without articles is `{}`. */
const Articles = z.union([z.array(z.unknown()), z.object({ articles: z.array(z.unknown()).optional() })]);
const Series = z.array(z.object({ data: z.array(z.unknown()) }));
const Timeline = z.union([Series, z.object({ timeline: Series.optional() })]);
const NewsFile = z.object({ articles: z.unknown().optional(), timeline: z.unknown().optional() });

/**
 * The articles and the timeline of a file of GDELT's answers, each URL and each day once, in the order of time. Articles and
 * moments with a date that does not exist are left out, and so are articles without a title or a web address.
 * @throws DomainError `unreadable_file` for another shape, as when GDELT answered with a sentence instead.
 */
export async function newsMentions(input: InspectedFile, onBytes: OnBytes): Promise<News> {
  const { file } = input;
  const given = parseRecord(NewsFile, await readDocument(input, onBytes), { file });
  if (given.articles === undefined && given.timeline === undefined) {
    throw refusedFile({ file }, "there is neither a member articles nor a member timeline.");
  }
  for (const column of ["articles", "timeline"] as const) {
    const answer = given[column];
    if (typeof answer === "string") throw refusedFile({ file, column }, `GDELT answered: ${shown(answer)}.`);
  }
  const articles = parseRecord(Articles, given.articles ?? [], { file, column: "articles" });
  const timeline = parseRecord(Timeline, given.timeline ?? [], { file, column: "timeline" });
  const [series] = Array.isArray(timeline) ? timeline : (timeline.timeline ?? []);
  return {
    articles: readArticles(file, Array.isArray(articles) ? articles : (articles.articles ?? [])),
    timeline: readTimeline(file, series?.data ?? []),
  };
}

function readArticles(file: string, records: readonly unknown[]): Article[] {
  const byUrl = new Map<string, Article>();
  for (const [index, value] of records.entries()) {
    const record = parseRecord(ArticleRecord, value, { file, row: index + 1, column: "articles" });
    const article = toArticle(record);
    const known = article === undefined ? undefined : byUrl.get(article.url);
    if (article !== undefined && (known === undefined || article.seenAt < known.seenAt)) {
      byUrl.set(article.url, article);
    }
  }
  return [...byUrl.values()].toSorted((a, b) => compare(a.seenAt, b.seenAt) || compare(a.url, b.url));
}

function toArticle(record: z.infer<typeof ArticleRecord>): Article | undefined {
  const seenAt = readGdeltTime(record.seendate);
  const url = webAddress(record.url);
  const title = decoded(record.title ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (seenAt === undefined || url === undefined || title === "") return undefined;
  return {
    seenAt,
    title,
    url: url.href,
    domain: record.domain?.trim() || url.hostname,
    language: record.language?.trim() || undefined,
    countryCode: countryOf(record.sourcecountry ?? ""),
  };
}

/** Sites escape their titles once or twice, and GDELT separates signs from words: `AT & amp ; T`. */
function decoded(title: string): string {
  const joined = title.replaceAll(/& ?(# ?)?(\w{2,31}) ?;/g, (written, number, name) => {
    const entity = `&${number === undefined ? "" : "#"}${name};`;
    return decodeHTMLStrict(entity) === entity ? written : entity;
  });
  return decodeHTMLStrict(decodeHTMLStrict(joined));
}

/**
 * The country of a site. GDELT's list (LOOKUP-COUNTRIES.TXT) has the names of FIPS 10-4; two of them mean something else
 * elsewhere. It calls Guinea "Equatorial Guinea" too, which nothing can tell apart; oceans, disputed islands, the British
 * bases on Cyprus and the Netherlands Antilles have no ISO code.
 */
function countryOf(name: string): string | undefined {
  return GDELT_NAMES.get(name.trim().toLowerCase()) ?? countryCodeOf(name);
}

const GDELT_NAMES = new Map([
  ["czechoslovakia", "SK"],
  ["virgin islands", "VI"],
]);

function webAddress(text: string): URL | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return url !== undefined && ["http:", "https:"].includes(url.protocol) ? url : undefined;
}

/** Of a moment that is given twice, the count that was made later saw more articles. */
function readMoments(file: string, records: readonly unknown[]): Mentions[] {
  const byMoment = new Map<string, Mentions>();
  for (const [index, value] of records.entries()) {
    const {
      date,
      value: mentions,
      norm,
    } = parseRecord(Point, value, { file, row: index + 1, column: "timeline" });
    const at = readGdeltTime(date);
    if (at === undefined) continue;
    const known = byMoment.get(at);
    if (known === undefined || isLater({ at, mentions, monitored: norm }, known)) {
      byMoment.set(at, { at, mentions, monitored: norm });
    }
  }
  return [...byMoment.values()];
}

/**
 * A short timeline comes in hours or quarters of them, which are added up: a day that is loaded again, in other steps or
 * from another hour on, must be known as the same.
 */
function readTimeline(file: string, records: readonly unknown[]): Mentions[] {
  const days = Map.groupBy(readMoments(file, records), ({ at }) => at.slice(0, "YYYY-MM-DD".length));
  const sums = [...days].map(([day, moments]) => ({
    at: `${day}T00:00:00.000Z`,
    mentions: moments.reduce((sum, { mentions }) => sum + mentions, 0),
    monitored: moments.reduce((sum, { monitored }) => sum + monitored, 0),
  }));
  return sums.toSorted((a, b) => compare(a.at, b.at));
}

function isLater(one: Mentions, other: Mentions): boolean {
  return one.monitored === other.monitored ? one.mentions > other.mentions : one.monitored > other.monitored;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
