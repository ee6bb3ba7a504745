import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIELDS } from "../facts/fields.ts";
import type { LoadOptions, LoadResult, LoadStatistics, Origin } from "./load-statistics.ts";
import { PART_NAMES, type PartName } from "./parts.ts";
import given from "./synthetic-set.json" with { type: "json" };

/** How answers cite every part of it. */
const ORIGIN: Origin = { name: "Synthetic data, made up by this program", license: "CC0-1.0", url: null };

const FIRST_YEAR = 2013;
const LAST_YEAR = 2022;
const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);

const PAPERS = 600;

/** Countries of every region, and the lines of a page with cases. All figures are made up. */
const { countries: COUNTRIES, cases: CASES } = given;

/** The identifiers have the form of ROR's, and are nobody's. */
const INSTITUTIONS = Array.from({ length: 12 }, (_, index) => ({
  ror: `https://ror.org/0syn000${10 + index}`,
  name: `Synthetic University ${index + 1}`,
  code: at(COUNTRIES, index * 2).code,
}));

/**
 * Loads a small made-up set in which every shape of an answer occurs. It is the same each time.
 * @throws as `LoadStatistics` does; `invalid_input` when real data are loaded and `replaceReal` is not set.
 */
export async function loadSyntheticSet(
  loadStatistics: LoadStatistics,
  options: Pick<LoadOptions, "replaceReal" | "say" | "signal" | "clock"> = {},
): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), "synthetic-statistics-"));
  try {
    const contents = syntheticSet();
    const written = PART_NAMES.map(async (part) => {
      const file = join(folder, `synthetic-${part}`);
      await writeFile(file, contents[part]);
      return [part, file] as const;
    });
    const files = Object.fromEntries(await Promise.all(written));
    const origins = Object.fromEntries(PART_NAMES.map((part) => [part, ORIGIN]));
    return await loadStatistics(files, { ...options, isSynthetic: true, origins });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The contents of the six files, as the sources would write them. */
function syntheticSet(): { readonly [part in PartName]: string } {
  const papers = Array.from({ length: PAPERS }, (_, index) => index);
  return {
    retractions: lines(
      "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason",
      ...papers.map(retraction),
    ),
    publications: lines("dimension,key,year,publications,publications_fractional", ...publications()),
    works: lines(...papers.filter((index) => index % 9 !== 0).map((index) => JSON.stringify(work(index)))),
    organisations: lines(...INSTITUTIONS.map((one) => JSON.stringify(organisation(one)))),
    cases: JSON.stringify({
      parse: { title: "Synthetic list, no real page", revid: NO_REVISION, wikitext: CASES.join("\n") },
    }),
    news: JSON.stringify({
      articles: { articles: articles() },
      timeline: { timeline: [{ data: timeline() }] },
    }),
  };
}

/** Spreads the papers unevenly and always in the same way: low places of a list get more. */
function uneven(index: number, length: number): number {
  return Math.floor((((index * 7919) % 1000) / 1000) ** 2 * length);
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError("the list is empty");
  return item;
}

function doiOf(index: number): string {
  return `10.5555/synthetic.${index}`;
}

function retraction(index: number): string {
  const first = at(COUNTRIES, uneven(index, COUNTRIES.length));
  const second = index % 6 === 0 ? `;${at(COUNTRIES, index).name}` : "";
  const country = index % 40 === 0 ? "Unknown" : `${first.name}${second}`;
  const year = at(YEARS, index);
  const reason = index % 3 === 0 ? "+Euphemisms for Plagiarism;" : "+Plagiarism of Article;";
  return `${index + 1},${country},3/4/${Math.min(year + 2, 2024)} 0:00,5/6/${year} 0:00,${doiOf(index)},Retraction,${reason}`;
}

function publications(): string[] {
  const counts = (dimension: string, key: string, perYear: number) =>
    YEARS.map((year, index) => {
      const whole = perYear + index * Math.ceil(perYear / 20);
      return `${dimension},${key},${year},${whole},${(whole * 0.6).toFixed(1)}`;
    });
  return [
    ...COUNTRIES.flatMap(({ code }, index) =>
      counts("country", code, index === COUNTRIES.length - 1 ? 90 : 2_000 + index * 700),
    ),
    ...INSTITUTIONS.flatMap(({ ror }, index) =>
      counts("institution", ror, index === 0 ? 40 : 300 + index * 90),
    ),
    ...FIELDS.flatMap(({ fieldId }, index) => counts("discipline", String(fieldId), 1_000 + index * 150)),
  ];
}

function work(index: number) {
  const { ror, name, code } = at(INSTITUTIONS, uneven(index, INSTITUTIONS.length));
  return {
    doi: `https://doi.org/${doiOf(index)}`,
    publication_year: at(YEARS, index),
    authorships: [{ institutions: [{ ror, display_name: name, country_code: code }] }],
    primary_topic: { field: { id: at(FIELDS, uneven(index + 3, FIELDS.length)).fieldId } },
  };
}

function organisation({ ror, name, code }: (typeof INSTITUTIONS)[number]) {
  return {
    id: ror,
    status: "active",
    names: [{ value: name, types: ["ror_display"] }],
    locations: [{ geonames_details: { country_code: code } }],
    relationships: [],
  };
}

/** The address of a case must not lead to anybody's page: Wikipedia has one or two billion revisions. */
const NO_REVISION = 999_999_999_999;

const MONTHS = 24;
const ARTICLES = 40;

function articles() {
  return Array.from({ length: ARTICLES }, (_, index) => ({
    url: `https://example.org/synthetic/${index + 1}`,
    title: `Synthetic article ${index + 1}`,
    seendate: `2022${twoDigits((index % 12) + 1)}${twoDigits((index % 28) + 1)}T120000Z`,
    domain: "example.org",
    language: "English",
    sourcecountry: at(COUNTRIES, index).name,
  }));
}

/** One count a month; a month is left out, so that a gap can be seen. */
function timeline() {
  return Array.from({ length: MONTHS }, (_, index) => index)
    .filter((index) => index !== 7)
    .map((index) => ({
      date: `${2021 + Math.floor(index / 12)}${twoDigits((index % 12) + 1)}01T000000Z`,
      value: 20 + ((index * 13) % 17),
      norm: 90_000 + index * 500,
    }));
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

function lines(...texts: readonly string[]): string {
  return `${texts.join("\n")}\n`;
}
