import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { refusedFile, shown } from "../sources/input/refused-file.ts";
import { type Retraction, retractions } from "../sources/retraction-watch/retractions.ts";
import { inBatches } from "./in-batches.ts";
import { counted, type LoadPart } from "./part.ts";

/** Unknown names are listed up to here. */
const NAMES_SHOWN = 10;

/** The notices are joined by paper in the database: a file may be larger than the memory. */
export const loadRetractions: LoadPart = async (db, input, onBytes) => {
  await db.query(
    `create temporary table staged_retractions
       (paper_key text, published_on date, retracted_on date, is_plagiarism boolean, countries text[]) on commit drop`,
  );
  const unknownNames = new Set<string>();
  for await (const batch of inBatches(retractions(input, onBytes))) {
    await insertRows(db, "staged_retractions", batch.map(toColumns));
    for (const name of batch.flatMap((one) => one.unknownCountries)) {
      if (unknownNames.size < NAMES_SHOWN) unknownNames.add(name);
    }
  }
  await db.query("analyze staged_retractions");
  await joinByPaper(db);
  const [found] = await db.query<Found>(
    `select to_char(max(retracted_on), 'YYYY-MM-DD') as newest, count(*) as notices,
            (select count(*) from statistics_papers) as papers,
            (select count(*) from statistics_papers where year is null) as undated
       from staged_retractions`,
  );
  // Of what was cut off behind its header, every rate would be 0.
  if (found === undefined || found.notices === 0)
    throw refusedFile(input, "there is no retraction in the file.");
  return { newestRecord: found.newest ?? undefined, notes: notes(found, unknownNames) };
};

type Found = {
  readonly newest: string | null;
  readonly notices: number;
  readonly papers: number;
  readonly undated: number;
};

function toColumns(one: Retraction) {
  return {
    paper_key: one.paperKey,
    published_on: one.publishedOn,
    retracted_on: one.retractedOn,
    is_plagiarism: one.isPlagiarism,
    countries: one.countries,
  };
}

/** Notices of one paper that disagree are joined: any core reason, all countries, the earliest original date. */
async function joinByPaper(db: Queryable): Promise<void> {
  await db.query("delete from statistics_papers");
  await db.query(
    `insert into statistics_papers (paper_key, year, countries)
     select paper_key, extract(year from min(published_on)),
            coalesce(array_agg(distinct code) filter (where code is not null), '{}')
       from staged_retractions left join lateral unnest(countries) as code on true
      group by paper_key
     having bool_or(is_plagiarism)`,
  );
}

function notes({ notices, papers, undated }: Found, unknownNames: ReadonlySet<string>): string[] {
  return [
    `${counted(papers, "paper")} with a core plagiarism reason, of ${counted(notices, "retraction")}`,
    ...(undated > 0 ? [`${counted(undated, "paper")} without an original date: in no window`] : []),
    ...(unknownNames.size > 0
      ? [`taken for no country: ${[...unknownNames].map((name) => shown(name)).join(", ")}`]
      : []),
  ];
}
