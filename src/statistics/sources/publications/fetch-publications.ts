import { z } from "zod";
import { HttpFailure } from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import type { FetchContext, FetchedPart, SourceSettings } from "../fetching/fetch-context.ts";
import { Journal } from "../fetching/journal.ts";
import { openAlexRequest } from "../openalex/openalex-request.ts";
import { DIMENSIONS, type Dimension, readKey } from "./publication-counts.ts";

/** Four windows of five years. A round takes some thousands of requests, nearly all for institutions. */
const YEARS_COUNTED = 20;

/** Counts of past years change slowly, and a round uses much of OpenAlex's free daily allowance: a finished one is kept. */
const ROUND_KEPT_DAYS = 30;

/** Until a year of institutions is counted: OpenAlex has works of some 80,000 of them a year, and lists 200 on a page. */
const INSTITUTION_PAGES = 400;
const DAY_MS = 86_400_000;

/** One count of all years; `finishedAt` is null until it ends. */
const Round = z.object({
  works: z.string(),
  address: z.string(),
  firstYear: z.int(),
  lastYear: z.int(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
type Round = z.infer<typeof Round>;

/**
 * OpenAlex's counts of publications by country, institution and field for each of the last 20 whole years.
 * The setting `openalexCountedTypes` defines a publication, and so does the address that answers cite. An interrupted count resumes
 * where it stopped, however much later; only a new year and another source or definition discard it. A finished one is kept for a month.
 * @throws HttpFailure, which says how much is done and how long the rest takes; the signal's reason.
 */
export async function fetchPublications(context: FetchContext): Promise<FetchedPart> {
  const { folder, settings, now } = context;
  const journal = new Journal(await folder.file("pages.jsonl"), CountedPage);
  const file = await folder.file("publications.csv");
  let round = await currentRound(context, journal);
  if (round.finishedAt === null) {
    const { startedAt } = round;
    await countAll(context, round, journal).catch(async (error: unknown) => {
      if (!(error instanceof HttpFailure)) throw error;
      const done = await howFar(journal, Date.parse(startedAt), now());
      throw new HttpFailure(`${error.message} ${done}`, { cause: error, status: error.status });
    });
    round = { ...round, finishedAt: now().toISOString() };
    await folder.writeState(round);
  }
  const unknown = new Set<string>();
  await writeWhole(file, countRows(journal, unknown));
  const works = countedWorks(settings);
  const types = settings.openalexCountedTypes.join(", ");
  return {
    file,
    retrievedAt: new Date(round.finishedAt ?? now()),
    origin: {
      name: `OpenAlex (publications: ${types})`,
      license: "CC0-1.0",
      url: `${settings.openalexUrl}/works?filter=${encodeURIComponent(works)}`,
    },
    notes: [
      `OpenAlex's works of ${round.firstYear} to ${round.lastYear} (${types})`,
      ...(unknown.size === 0
        ? []
        : [`left out, as unknown: ${[...unknown].toSorted().slice(0, KEYS_SHOWN).join(", ")}`]),
    ],
  };
}

/** Tells a person how much of a count is done, and how long the rest takes at the pace so far. */
async function howFar(journal: Journal<typeof CountedPage>, startedMs: number, now: Date): Promise<string> {
  const pages = Map.groupBy(
    await Array.fromAsync(journal.read()),
    ({ dimension, year }) => `${dimension} ${year}`,
  );
  const years = [...pages.values()].map((list) => ({ list, isWhole: list.at(-1)?.next === null }));
  const done = years.reduce((sum, { list }) => sum + list.length, 0);
  const total = DIMENSIONS.reduce((sum, dimension) => {
    const whole = years.filter(({ list, isWhole }) => isWhole && list[0]?.dimension === dimension);
    const mean = whole.reduce((all, { list }) => all + list.length, 0) / whole.length;
    return (
      sum + YEARS_COUNTED * (whole.length > 0 ? mean : dimension === "institution" ? INSTITUTION_PAGES : 2)
    );
  }, 0);
  const open = Math.max(total - done, 1);
  const perDay = done / Math.max(1, (now.getTime() - startedMs) / DAY_MS);
  const days = Math.ceil(open / Math.max(perDay, 1));
  const isTooLate = new Date(now.getTime() + days * DAY_MS).getUTCFullYear() > now.getUTCFullYear();
  return [
    `${done} of about ${Math.round(total)} requests of the count are done; at this pace the rest takes ${days} ${days === 1 ? "day" : "days"}.`,
    ...(isTooLate
      ? ["That is after the end of the year, when the count starts anew: it needs a key in OPENALEX_API_KEY."]
      : []),
  ].join(" ");
}

/** The unfinished or still fresh round, or a new one. */
async function currentRound(context: FetchContext, journal: Journal<typeof CountedPage>): Promise<Round> {
  const { folder, settings, now } = context;
  const lastYear = now().getUTCFullYear() - 1;
  const wanted = {
    works: countedWorks(settings),
    address: settings.openalexUrl,
    firstYear: lastYear - YEARS_COUNTED + 1,
    lastYear,
  };
  const kept = await folder.readState(Round);
  const isFresh =
    kept !== undefined &&
    (kept.finishedAt === null || now().getTime() - Date.parse(kept.finishedAt) < ROUND_KEPT_DAYS * DAY_MS);
  const isSame =
    kept?.works === wanted.works && kept.address === wanted.address && kept.lastYear === wanted.lastYear;
  if (isFresh && isSame) return kept;
  await journal.remove();
  const round = { ...wanted, startedAt: now().toISOString(), finishedAt: null };
  await folder.writeState(round);
  return round;
}

/** Institutions come last, because they take nearly all requests. */
const ORDER = ["country", "discipline", "institution"] as const satisfies readonly Dimension[];

async function countAll(
  context: FetchContext,
  { firstYear, lastYear }: Round,
  journal: Journal<typeof CountedPage>,
): Promise<void> {
  const nextOf = new Map<string, string | null>();
  let requests = 0;
  for await (const { dimension, year, next } of journal.read()) {
    nextOf.set(`${dimension} ${year}`, next);
    requests += 1;
  }
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);
  const counts = ORDER.flatMap((dimension) => years.map((year) => ({ dimension, year })));
  for (const { dimension, year } of counts) {
    let cursor = nextOf.get(`${dimension} ${year}`);
    while (cursor !== null) {
      const page = await countGroups(context, dimension, year, cursor ?? "*");
      await journal.append(page);
      cursor = page.next;
      requests += 1;
      context.onProgress({ done: requests, total: requests, totalIsFinal: false, failed: 0 }, "requests");
    }
  }
}

/** @param unknown receives the keys that are left out. */
async function* countRows(
  journal: Journal<typeof CountedPage>,
  unknown: Set<string>,
): AsyncGenerator<string> {
  yield "dimension,key,year,publications,publications_fractional\n";
  for await (const page of journal.read()) {
    const { dimension, year, groups } = page;
    yield groups.map(([key, count]) => `${dimension},${key},${year},${count},\n`).join("");
    for (const key of page.unknown) unknown.add(key);
  }
}

const KEYS_SHOWN = 10;

/** One page of the counts of a dimension in a year. */
const CountedPage = z.object({
  dimension: z.enum(DIMENSIONS),
  year: z.int(),
  /** The cursor of the page that follows; null after the last one. */
  next: z.string().nullable(),
  groups: z.array(z.tuple([z.string(), z.int()])),
  /** Keys that none of our lists has, such as codes of former countries. */
  unknown: z.array(z.string()),
});
type CountedPage = z.infer<typeof CountedPage>;

const Answer = z.object({
  meta: z.object({ next_cursor: z.string().nullish() }),
  group_by: z.array(z.object({ key: z.union([z.string(), z.number()]).nullable(), count: z.int().min(0) })),
});

/** OpenAlex's filter of the works that count as publications: no front matter, but retracted works, which rates are about. */
function countedWorks({ openalexCountedTypes }: SourceSettings): string {
  return `type:${openalexCountedTypes.join("|")},is_paratext:false`;
}

const GROUPED_BY = {
  country: "authorships.countries",
  institution: "authorships.institutions.ror",
  discipline: "primary_topic.field.id",
} as const satisfies Record<Dimension, string>;

/**
 * One page of OpenAlex's counts. With a cursor they are exact and complete; without one, only the largest 200 groups are
 * listed. OpenAlex pads an incomplete page with groups of other pages and a count of 0.
 * @param cursor `*` for the first page.
 */
async function countGroups(
  context: FetchContext,
  dimension: Dimension,
  year: number,
  cursor: string,
): Promise<CountedPage> {
  // Keys of countries are bare codes or addresses that end in one.
  const read = (key: string) =>
    readKey(dimension, dimension === "country" ? key.slice(key.lastIndexOf("/") + 1) : key);
  const filter = `${countedWorks(context.settings)},publication_year:${year}`;
  const answer = await openAlexRequest(
    context,
    "/works",
    { filter, group_by: GROUPED_BY[dimension], cursor },
    Answer,
  );
  if (answer === undefined) throw new HttpFailure("OpenAlex has no works at this address", { status: 404 });
  const counted = answer.group_by
    .filter(({ count }) => count > 0)
    .map(({ key, count }) => ({ key: String(key), count }));
  // Each page with groups has a cursor; following one that leads nowhere would never end.
  const next = counted.length === 0 ? null : (answer.meta.next_cursor ?? null);
  return {
    dimension,
    year,
    next: next === cursor ? null : next,
    groups: counted.flatMap(({ key, count }): [string, number][] => {
      const known = read(key);
      return known === undefined ? [] : [[known, count]];
    }),
    unknown: counted.flatMap(({ key }) => (read(key) === undefined && !NOT_STATED.has(key) ? [key] : [])),
  };
}

/** How OpenAlex names the group of works that have no country, institution or field. */
const NOT_STATED: ReadonlySet<string> = new Set(["unknown", "null", "-111"]);
