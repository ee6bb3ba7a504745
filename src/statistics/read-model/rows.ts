import { z } from "zod";
import { CASE_TYPES, FINDINGS } from "../facts/sources.ts";

// One schema carries each row from SQL to JSON, CSV and OpenAPI: its members are the columns of the read model, in the
// order of the answer.

const Count = z.int().min(0);
const Amount = z.number().min(0);
const Rate = Amount.nullable();
const Rank = z.int().min(1).nullable();

/** The figures of every row of a table, which `statistics_rows` stores under the same names. */
const figures = {
  papers: Count.describe(
    "Retracted papers with at least one core plagiarism reason, by year of publication. Whole counting: a paper counts once for each place it has.",
  ),
  publications: Count.describe("All publications of the same years, counted whole."),
  rate: Rate.describe("papers / publications × 100,000, unrounded. Null without publications."),
  rate_ci_low: Rate.describe("Lower limit of the exact 95% Poisson interval (Garwood) of `rate`."),
  rate_ci_high: Rate.describe("Upper limit of that interval."),
  papers_fractional: Amount.describe(
    "The same papers, split equally among all places they have: 1 / number of places for each.",
  ),
  publications_fractional: Rate.describe(
    "Publications, split in the same way. Null where the source gives whole counts only.",
  ),
  rate_fractional: Rate.describe(
    "papers_fractional / publications_fractional × 100,000. Whole and fractional counts are never mixed in one rate.",
  ),
  below: z.boolean().describe("Has too few publications to be ranked, or none."),
  unstable: z
    .boolean()
    .describe("Has fewer than 20 papers: one paper more or less changes the rate visibly."),
};

const Figures = z.object(figures);
export type Figures = z.output<typeof Figures>;

/** The columns of `figures`, for a `select`. */
export const FIGURE_COLUMNS = Object.keys(figures).join(", ");

/** The figures of a stored row, in the order of answers. */
export function figuresOf(row: Figures): Figures {
  const { papers, publications, rate, rate_ci_low, rate_ci_high } = row;
  const { papers_fractional, publications_fractional, rate_fractional, below, unstable } = row;
  return {
    ...{ papers, publications, rate, rate_ci_low, rate_ci_high },
    ...{ papers_fractional, publications_fractional, rate_fractional, below, unstable },
  };
}

/** Further figures of a row, in answers to requests with `sort`. */
const smallNumbers = {
  rate_shrunken: Rate.optional().describe(
    "The rate drawn towards the common rate, the more the fewer publications there are: the empirical Bayes estimate of Marshall (1991).",
  ),
  rank_low: Rank.optional().describe(
    "The first rank that the intervals of the rates allow: one more than the number of ranked rows whose intervals lie wholly above.",
  ),
  rank_high: Rank.optional().describe("The last rank that they allow."),
};

/** The names of these. */
export const SMALL_NUMBERS: ReadonlySet<string> = new Set(Object.keys(smallNumbers));

const rank = Rank.describe(
  "Position by descending unrounded rate among all ranked rows. Ties share a rank (1, 2, 2, 4). Null for rows below.",
);

export const CountryRow = z
  .object({
    rank,
    rank_in_region: Rank.describe(
      "The same within the requested region, or within the country's sub-region when no region is requested.",
    ),
    code: z.string().meta({ examples: ["DE"], description: "ISO 3166-1 alpha-2 code." }),
    name: z.string().describe("Name in English."),
    region: z.string().nullable().describe("UN M49 region; null where the standard gives none."),
    subregion: z.string().nullable().describe("UN M49 sub-region."),
    ...figures,
    ...smallNumbers,
  })
  .meta({ id: "CountryRow" });
export type CountryRow = z.output<typeof CountryRow>;

export const InstitutionRow = z
  .object({
    rank,
    ror: z.string().meta({ examples: ["https://ror.org/02mhbdp94"], description: "Full ROR identifier." }),
    name: z
      .string()
      .nullable()
      .describe("Display name in ROR, or in the linked works; null when neither is loaded."),
    country_code: z.string().nullable().describe("ISO 3166-1 alpha-2 code of its country."),
    ...figures,
    ...smallNumbers,
  })
  .meta({ id: "InstitutionRow" });
export type InstitutionRow = z.output<typeof InstitutionRow>;

export const DisciplineRow = z
  .object({
    rank,
    field_id: z.int().meta({ examples: [27], description: "Number of the OpenAlex field, 11 to 36." }),
    name: z.string().describe("Name of the field."),
    domain: z.string().describe("Domain of the field."),
    ...figures,
    ...smallNumbers,
  })
  .meta({ id: "DisciplineRow" });
export type DisciplineRow = z.output<typeof DisciplineRow>;

/** One paper behind the figures. Several values of a cell are joined by semicolons, as in Retraction Watch's file. */
export const PaperRow = z
  .object({
    doi: z.string().nullable().describe("DOI of the paper; null when it has none that is usable."),
    record_id: z.string().nullable().describe("Record ID of the notice of a paper without a DOI."),
    title: z.string().nullable().describe("Title of the paper, where the file has one."),
    year: z.int().describe("Year of publication."),
    countries: z.string().describe("ISO 3166-1 alpha-2 codes of its countries. It counts once for each."),
    institutions: z.string().describe("ROR identifiers of its institutions, after successions."),
    field_id: z.int().nullable().describe("Number of its OpenAlex field."),
    notice_doi: z.string().describe("DOIs of its retraction notices."),
    retracted_on: z.string().nullable().describe("Date of the first notice."),
    reasons: z.string().describe("All reasons of its notices, in the words of Retraction Watch."),
  })
  .meta({ id: "PaperRow" });
export type PaperRow = z.output<typeof PaperRow>;

/** The world or a region. */
export const TotalRow = z
  .object({
    region: z
      .string()
      .meta({ examples: ["europe"], description: "`world`, or the slug of a UN M49 region." }),
    name: z.string(),
    countries: Count.describe(
      "Its countries with publications in the window. Others are left out of the row.",
    ),
    papers: Count.describe("Their retracted papers, each once."),
    papers_by_country: Count.describe(
      "The same papers, once for each of these countries: the sum of `papers` in the rows of `/v1/countries?below=true`.",
    ),
    publications_by_country: Count.describe("The sum of `publications` in these rows."),
    pooled_rate: Rate.describe(
      "papers_by_country / publications_by_country × 100,000, as in the comparison of a country. It has no interval, because papers of several countries count repeatedly.",
    ),
    papers_fractional: Amount.describe("The sum of `papers_fractional` in these rows."),
    publications_fractional: Rate.describe(
      "The sum of `publications_fractional`; null where a country has whole counts only.",
    ),
    rate_fractional: Rate.describe(
      "papers_fractional / publications_fractional × 100,000: each paper and each publication counts once in the world.",
    ),
  })
  .meta({ id: "TotalRow" });
export type TotalRow = z.output<typeof TotalRow>;

export const ReasonRow = z
  .object({
    reason: z.string().describe("A core plagiarism reason in the words of Retraction Watch."),
    papers: Count.describe("Papers with a notice that names it. A paper counts for each of its reasons."),
    share: Amount.describe("papers / all papers of the place. The shares may add up to more than 1."),
    publications: Amount.nullable().describe(
      "Publications of the place. For the world: the sum of the countries' fractional counts; null where a country has none.",
    ),
    rate: Rate.describe("papers / publications × 100,000."),
    rate_ci_low: Rate.describe("Lower limit of the exact 95% Poisson interval (Garwood) of `rate`."),
    rate_ci_high: Rate.describe("Upper limit of that interval."),
  })
  .meta({ id: "ReasonRow" });
export type ReasonRow = z.output<typeof ReasonRow>;

export const Counts = z
  .object({
    total: Count.describe("Rows that the filters select, ranked or below."),
    ranked: Count,
    below: Count.describe("Rows with too few publications; `below=true` shows them."),
    unattributed: Count.describe(
      "Papers of the window without a known place. They are in no row and not in `total`.",
    ),
  })
  .meta({ id: "Counts" });
export type Counts = z.output<typeof Counts>;

export const CountryComparison = z
  .object({
    subregion: z.string().nullable().describe("UN M49 sub-region of the comparison."),
    pooled_rate: Rate.describe(
      "Rate of all countries of the sub-region that have publications taken together, including this one and those below.",
    ),
    median_rate: Rate.describe("Median of the rates of its ranked countries, including this one."),
    rate_ratio: Rate.describe(
      "The country's rate divided by that of all others together. Null when it is infinite or there is nothing to compare with.",
    ),
    rate_ratio_ci_low: Rate.describe("Lower limit of the ratio's exact conditional 95% interval."),
    rate_ratio_ci_high: Rate.describe("Upper limit; null when it is infinite."),
    peers: z.array(CountryRow).describe("All other countries of the sub-region, ranked ones first."),
  })
  .meta({ id: "CountryComparison" });

export const YearPoint = z
  .object({ year: z.int(), papers: Count, publications: Count, rate: Rate })
  .meta({ id: "YearPoint" });
export type YearPoint = z.output<typeof YearPoint>;

export const CaseItem = z
  .object({
    case_id: z.string().describe("Identifier; stays the same when cases are loaded again."),
    type: z.enum(CASE_TYPES).describe("What was plagiarised, by keywords of the entry."),
    title: z.string().describe("The entry's name in bold, or its first words."),
    year: z.int().nullable().describe("The year, when the entry names exactly one."),
    countries: z
      .array(z.string())
      .describe("ISO 3166-1 alpha-2 codes of the countries named in parentheses."),
    institution: z.string().nullable().describe("A university that the entry links to."),
    discipline: z.string().nullable().describe("The section of the entry."),
    finding: z
      .enum(FINDINGS)
      .describe(
        "What the statement says: `found`: somebody examined it and found plagiarism; `stated`: the page says so without naming who found it; `alleged`: nobody has found it.",
      ),
    statement: z.string().describe("The sentence of the entry that says plagiarism."),
    outcome: z.string().nullable().describe("The outcome, in the entry's words."),
    summary: z.string().describe("The entry's text without markup."),
    source: z
      .object({
        page_title: z.string(),
        revision_id: z.int().describe("The revision of the page that was read."),
        revised_at: z
          .string()
          .meta({ format: "date-time" })
          .nullable()
          .describe("When that revision was saved; null for a file that does not say so."),
        url: z.string().describe("Address of that revision."),
        license: z.string().describe("Licence of the text."),
      })
      .describe("The page that documents the case."),
  })
  .meta({ id: "CaseItem" });
export type CaseItem = z.output<typeof CaseItem>;

const NewsMonth = z
  .object({
    month: z.string().meta({ examples: ["2026-10"], description: "Year and month." }),
    mentions: Rate.describe("Articles that mention plagiarism in research; null for a gap."),
    monitored: Rate.describe("All monitored articles."),
    share: Rate.describe("mentions / monitored."),
  })
  .meta({ id: "NewsMonth" });
export type NewsMonth = z.output<typeof NewsMonth>;

const NewsArticle = z
  .object({
    seen_at: z.string().meta({ format: "date-time" }).describe("When the monitor first saw it."),
    title: z.string(),
    url: z.string(),
    domain: z.string().describe("The site that published it."),
    language: z.string().nullable().describe("The article's language, as the source names it."),
    country_code: z.string().nullable().describe("ISO 3166-1 alpha-2 code of the site's country."),
  })
  .meta({ id: "NewsArticle" });
export type NewsArticle = z.output<typeof NewsArticle>;

export const NewsData = z
  .object({
    series: z.array(NewsMonth).describe("Month by month, oldest first."),
    articles: z.array(NewsArticle).describe("Recent coverage, newest first, at most 250 articles."),
  })
  .meta({ id: "NewsData" });
export type NewsData = z.output<typeof NewsData>;
