import { groupItems } from "../../platform/flow/concurrency.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows, rowsAsJson } from "../../platform/postgres/sql.ts";
import { documentedCases, WIKI } from "../sources/cases/documented-cases.ts";
import { type ListPage, listPages } from "../sources/cases/list-page.ts";
import { refusedFile, shown } from "../sources/input/refused-file.ts";
import type { InspectedFile, OnBytes } from "../sources/input/text-file.ts";
import { UnknownValues } from "../sources/input/unknown-values.ts";
import { type News, newsMentions } from "../sources/news/news-mentions.ts";
import { type RetractedWork, retractedWorks } from "../sources/openalex/retracted-works.ts";
import { publicationCounts } from "../sources/publications/publication-counts.ts";
import { retractions, UnknownRetractions } from "../sources/retractions.ts";
import { followSuccessors, organisations } from "../sources/ror/organisations.ts";
import type { PartName } from "./parts.ts";
import { type PartCounts, unknownReason } from "./plausibility.ts";

/** A part that has just been stored. */
type LoadedPart = {
  /** The day or year of the newest record. */
  readonly newestRecord: string | undefined;
  /** The source's own version, such as a revision; by default the hash of the file. */
  readonly version?: string;
  /** The hash of the tables' contents, where they hold more than the file. */
  readonly sha256?: string | undefined;
  /** What the next refresh is compared with. */
  readonly counts: PartCounts;
  /** Sentences for the person who loads the file. */
  readonly notes: readonly string[];
};

/** Replaces the contents of a part's tables with the contents of a file. Throws the errors of the parser. */
type LoadPart = (db: Queryable, input: InspectedFile, onBytes: OnBytes) => Promise<LoadedPart>;

/** How each part is loaded. A refresh adds to the news instead: see `accumulateNews`. */
export const PART_LOADERS: Readonly<Record<PartName, LoadPart>> = {
  retractions: loadRetractions,
  publications: loadPublications,
  works: loadWorks,
  organisations: loadOrganisations,
  cases: loadCases,
  news: loadNews,
};

/** Unknown names of countries that a note lists. */
const NAMES_SHOWN = 10;

/** The notices of a paper are joined in the database, because a file may be larger than the memory. */
async function loadRetractions(db: Queryable, input: InspectedFile, onBytes: OnBytes): Promise<LoadedPart> {
  await db.query(
    `create temporary table staged_retractions
       (paper_key text, published_on date, retracted_on date, is_plagiarism boolean, countries text[], title text,
        notice_doi text, reasons text[]) on commit drop`,
  );
  const unknownNames = new Set<string>();
  const unknown = new UnknownRetractions();
  for await (const batch of groupItems(retractions(input, onBytes, unknown), BATCH)) {
    await insertRows(db, "staged_retractions", batch);
    for (const name of batch.flatMap((one) => one.unknownCountries)) {
      if (unknownNames.size < NAMES_SHOWN) unknownNames.add(name);
    }
  }
  await db.query("analyze staged_retractions");
  await db.query("delete from statistics_papers");
  // Notices of one paper that disagree are joined: any core reason, all countries, the earliest original date.
  await db.query(
    `insert into statistics_papers (paper_key, year, countries, title, notice_dois, published_on, noticed_on, reasons)
     select paper_key, extract(year from min(published_on)),
            coalesce(array_agg(distinct code) filter (where code is not null), '{}'), min(title collate "C"),
            coalesce(array_agg(distinct notice_doi collate "C") filter (where notice_doi is not null), '{}'),
            min(published_on), min(retracted_on),
            coalesce(array_agg(distinct reason collate "C") filter (where reason is not null), '{}')
       from staged_retractions left join lateral unnest(countries) as code on true
            left join lateral unnest(reasons) as reason on true
      group by paper_key
     having bool_or(is_plagiarism)`,
  );
  await db.query("analyze statistics_papers");
  const [found] = await db.query<{
    newest: string | null;
    notices: number;
    papers: number;
    undated: number;
    located: number;
    places: number;
  }>(
    `select to_char(max(retracted_on), 'YYYY-MM-DD') as newest, count(*) as notices,
            (select count(*) from statistics_papers) as papers,
            (select count(*) from statistics_papers where year is null) as undated,
            (select count(*) from statistics_papers where cardinality(countries) > 0) as located,
            (select count(distinct code) from statistics_papers cross join unnest(countries) as code) as places
       from staged_retractions`,
  );
  // A file that was cut off after its header would make every rate 0.
  if (found === undefined || found.notices === 0)
    throw refusedFile(input, "the file contains no retractions.");
  const { newest, notices, papers, undated, located, places } = found;
  const reasons = [...unknown.papersOfReason].map(
    ([reason, { size }]) => [unknownReason(reason), size] as const,
  );
  const names = [...unknownNames].map((name) => shown(name)).join(", ");
  return {
    newestRecord: newest ?? undefined,
    counts: {
      ...{
        retractions: notices,
        papers,
        "papers with a date": papers - undated,
        "papers with a place": located,
        places,
      },
      ...Object.fromEntries(reasons),
    },
    notes: [
      `${counted(papers, "paper")} with a core plagiarism reason, of ${counted(notices, "retraction")}`,
      ...(undated > 0 ? [`${counted(undated, "paper")} without an original date: in no window`] : []),
      ...(names === "" ? [] : [`not recognised as a country: ${names}`]),
      ...reasons.map(([name, count]) => `not counted: ${count} ${name}`),
      ...unknown.natures.notes(),
    ],
  };
}

async function loadPublications(db: Queryable, input: InspectedFile, onBytes: OnBytes): Promise<LoadedPart> {
  await db.query("delete from statistics_publications");
  const unknownKeys = new UnknownValues();
  for await (const batch of groupItems(publicationCounts(input, onBytes, unknownKeys), BATCH)) {
    const contradiction = await insertOnce(db, "statistics_publications", "dimension, key, year", batch);
    if (contradiction === undefined) continue;
    const { row, key, year } = contradiction;
    const reason = `an earlier row gives other publications for ${key} in ${year}.`;
    throw refusedFile({ file: input.file, row, column: "publications" }, reason);
  }
  await db.query("analyze statistics_publications");
  const [found] = await db.query<{
    rows: number;
    first: number | null;
    last: number | null;
    publications: number;
  }>(
    "select count(*) as rows, min(year) as first, max(year) as last, sum(publications) as publications from statistics_publications",
  );
  const dimensions = await db.query<{ dimension: string; keys: number }>(
    "select dimension, count(distinct key) as keys from statistics_publications group by dimension",
  );
  if (found === undefined || found.first === null) {
    throw refusedFile(input, "the file has no rows below the header.");
  }
  return {
    newestRecord: String(found.last),
    counts: {
      ...{ rows: found.rows, publications: found.publications },
      ...Object.fromEntries(dimensions.map(({ dimension, keys }) => [`keys of ${dimension}`, keys])),
    },
    notes: [
      `${counted(found.rows, "count")} of publications, of ${found.first} to ${found.last}`,
      ...unknownKeys.notes(),
    ],
  };
}

/** Works of one DOI are joined: all institutions and the lowest of several fields, so that the file's order does not matter. */
async function loadWorks(db: Queryable, input: InspectedFile, onBytes: OnBytes): Promise<LoadedPart> {
  await db.query(
    `create temporary table staged_works
       (doi text, publication_year integer, institutions text[], field_id integer) on commit drop`,
  );
  await db.query("delete from statistics_work_institutions");
  const unknownFields = new UnknownValues();
  for await (const batch of groupItems(retractedWorks(input, onBytes, unknownFields), BATCH)) {
    const rows = batch.map((work) => ({ ...work, institutions: work.institutions.map(({ ror }) => ror) }));
    await insertRows(db, "staged_works", rows);
    await keepNames(db, batch);
  }
  await db.query("delete from statistics_works");
  await db.query(
    `insert into statistics_works (doi, institutions, field_id)
     select doi, coalesce(array_agg(distinct ror) filter (where ror is not null), '{}'), min(field_id)
       from staged_works left join lateral unnest(institutions) as ror on true
      group by doi`,
  );
  await db.query("analyze statistics_works");
  const [found] = await db.query<{ works: number; placed: number; sorted: number; newest: number | null }>(
    `select count(*) as works, count(*) filter (where cardinality(institutions) > 0) as placed, count(field_id) as sorted,
            (select max(publication_year) from staged_works) as newest
       from statistics_works`,
  );
  const { works = 0, placed = 0, sorted = 0 } = found ?? {};
  return {
    newestRecord: found?.newest?.toString(),
    counts: { works, "works with an institution": placed, "works with a field": sorted },
    notes: [`${counted(works, "work")} with a DOI`, ...unknownFields.notes()],
  };
}

/** Keeps the alphabetically first of several names, so that the file's order does not matter. */
async function keepNames(db: Queryable, works: readonly RetractedWork[]): Promise<void> {
  await db.query(
    `insert into statistics_work_institutions as kept (ror, name, country_code)
     select ror, min(name collate "C"), min(country_code collate "C")
       from json_to_recordset($1) as given (ror text, name text, country_code text)
      group by ror
         on conflict (ror) do update
        set name = least(kept.name collate "C", excluded.name),
            country_code = least(kept.country_code collate "C", excluded.country_code)`,
    [rowsAsJson(works.flatMap(({ institutions }) => institutions))],
  );
}

async function loadOrganisations(db: Queryable, input: InspectedFile, onBytes: OnBytes): Promise<LoadedPart> {
  await db.query("delete from statistics_organisations");
  let newestRecord: string | undefined;
  for await (const batch of groupItems(organisations(input, onBytes), BATCH)) {
    const contradiction = await insertOnce(db, "statistics_organisations", "ror", batch);
    if (contradiction !== undefined) {
      const { row, ror } = contradiction;
      const reason = `an earlier record of ${ror} says something else.`;
      throw refusedFile({ file: input.file, row, column: "id" }, reason);
    }
    for (const { modifiedOn } of batch) {
      if (modifiedOn !== undefined && modifiedOn > (newestRecord ?? "")) newestRecord = modifiedOn;
    }
  }
  await db.query("analyze statistics_organisations");
  const direct = await db.query<{ ror: string; successor: string }>(
    "select ror, successor from statistics_organisations where successor is not null",
  );
  const followed = followSuccessors(new Map(direct.map(({ ror, successor }) => [ror, successor])));
  await db.query("delete from statistics_successions");
  await insertRows(
    db,
    "statistics_successions",
    [...followed].map(([ror, successor]) => ({ ror, successor })),
  );
  const [found] = await db.query<{ count: number; located: number }>(
    "select count(*) as count, count(country_code) as located from statistics_organisations",
  );
  return {
    newestRecord,
    counts: { organisations: found?.count ?? 0, "organisations with a country": found?.located ?? 0 },
    notes: [
      `${counted(found?.count ?? 0, "organisation")}, ${counted(followed.size, "withdrawn one")} with one successor`,
    ],
  };
}

/**
 * Inserts rows that may be repeated.
 * @returns the first row that contradicts an earlier one of the same key. Such a file is refused, because nobody can say
 *   which of the two is right.
 */
async function insertOnce<R extends object>(
  db: Queryable,
  table: string,
  key: string,
  rows: readonly R[],
): Promise<R | undefined> {
  if ((await insertRows(db, table, rows, "on conflict do nothing")) === rows.length) return undefined;
  const [contradiction] = await db.query<{ index: number }>(
    `select ordinality - 1 as index
       from json_populate_recordset(null::${table}, $1) with ordinality as given
            join ${table} as stored using (${key})
      where to_jsonb(given) - 'ordinality' <> to_jsonb(stored)
      order by index limit 1`,
    [rowsAsJson(rows)],
  );
  return contradiction === undefined ? undefined : rows[contradiction.index];
}

/** The licence of the text of every Wikipedia. */
const WIKI_LICENSE = "CC-BY-SA-4.0";

async function loadCases(db: Queryable, input: InspectedFile, onBytes: OnBytes): Promise<LoadedPart> {
  const pages = new Map(
    (await listPages(input, onBytes)).map((page) => [`${page.wiki ?? WIKI}\n${page.title}`, page]),
  );
  const rows = [...pages.values()].flatMap((page) =>
    documentedCases(page).map((one) => ({
      ...one,
      pageTitle: page.title,
      revisionId: page.revisionId,
      revisedAt: page.revisedAt,
      url: revisionUrl(page),
      license: WIKI_LICENSE,
    })),
  );
  await db.query("delete from statistics_cases");
  await insertRows(
    db,
    "statistics_cases",
    rows.map((row, position) => ({ ...row, position })),
  );
  return {
    newestRecord: rows
      .flatMap(({ revisedAt }) => revisedAt ?? [])
      .toSorted()
      .at(-1)
      ?.slice(0, "YYYY-MM-DD".length),
    version: [...pages.values()].map(({ revisionId }) => revisionId).join(", "),
    counts: { cases: rows.length, pages: pages.size },
    notes: [
      `${counted(rows.length, "case")} of plagiarism with a reference, from ${counted(pages.size, "page")}`,
    ],
  };
}

function revisionUrl({ title, revisionId, wiki = WIKI }: ListPage): string {
  return `${wiki}?title=${encodeURIComponent(title.replaceAll(" ", "_"))}&oldid=${revisionId}`;
}

async function loadNews(db: Queryable, input: InspectedFile, onBytes: OnBytes): Promise<LoadedPart> {
  const news = await newsMentions(input, onBytes);
  await db.query("delete from statistics_news_articles");
  await db.query("delete from statistics_news_timeline");
  return addNews(db, news);
}

/**
 * Adds the file to the news of earlier loads, because GDELT itself looks back only three months. The hash is of the
 * tables' contents after that; it does not depend on the server's time zone and collation.
 */
export async function accumulateNews(
  db: Queryable,
  input: InspectedFile,
  onBytes: OnBytes,
): Promise<LoadedPart> {
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
}

/** An article that is already stored keeps the time at which it was first seen, and a day the higher count. */
async function addNews(db: Queryable, { articles, timeline }: News) {
  await insertRows(
    db,
    "statistics_news_articles",
    articles,
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
    counts: { "days of the timeline": timeline.length },
    notes: [
      `${counted(found?.articles ?? 0, "article")}, ${counted(timeline.length, "day")} of the timeline`,
    ],
  };
}

/** Rows in one statement: about a megabyte. Batches of 250 to 16,000 rows took the same time within the noise. */
const BATCH = { countMax: 4_000 } as const;

/** `1 paper`, `1,234 papers`. */
function counted(count: number, one: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;
}
