import { z } from "zod";

const NewsMonth = z
  .object({
    month: z
      .string()
      .meta({ examples: ["2026-10"] })
      .describe("Year and month."),
    mentions: z
      .number()
      .min(0)
      .nullable()
      .describe("Articles that mention plagiarism in research; null for a gap."),
    monitored: z.number().min(0).nullable().describe("All articles that were monitored."),
    share: z.number().min(0).nullable().describe("mentions / monitored."),
  })
  .meta({ id: "NewsMonth" });

const NewsArticle = z
  .object({
    seen_at: z.string().meta({ format: "date-time" }).describe("When the monitor saw it first."),
    title: z.string(),
    url: z.string(),
    domain: z.string().describe("The site that published it."),
    language: z.string().nullable().describe("The article's language, as the source names it."),
    country_code: z.string().nullable().describe("ISO 3166-1 alpha-2 code of the site's country."),
  })
  .meta({ id: "NewsArticle" });

export const NewsData = z
  .object({
    series: z.array(NewsMonth).describe("Month by month, the oldest first."),
    articles: z.array(NewsArticle).describe("Recent coverage, the newest first, at most 250 articles."),
  })
  .meta({ id: "NewsData" });
