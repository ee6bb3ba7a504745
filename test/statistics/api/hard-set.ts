import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StatisticsFiles } from "../../../src/statistics/load/load-statistics.ts";

/** Papers and publications of each country, all of 2012, in the one window 2010-2014. */
const COUNTRIES: readonly (readonly [code: string, name: string, papers: number, publications: number])[] = [
  ["DE", "Germany", 3, 100_000],
  ["AT", "Austria", 2, 100_000],
  ["BE", "Belgium", 1, 50_000],
  ["FR", "France", 2, 200_000],
  ["NL", "Netherlands", 0, 20_000],
  ["CH", "Switzerland", 5, 9_999],
  ["LU", "Luxembourg", 1, 0],
  ["PT", "Portugal", 0, 10_000],
  ["US", "United States", 1, 100_000],
  ["CA", "Canada", 0, 100_000],
  ["AU", "Australia", 0, 20_000],
  ["NZ", "New Zealand", 0, 20_000],
];

/** ROR ids of the set by a letter: B leads to A through C, D has two successors, E none, F no publications. */
export const RORS = Object.freeze({
  A: "https://ror.org/0syn00010",
  B: "https://ror.org/0syn00011",
  C: "https://ror.org/0syn00012",
  D: "https://ror.org/0syn00013",
  E: "https://ror.org/0syn00014",
  F: "https://ror.org/0syn00015",
});

const INSTITUTIONS: readonly (readonly [
  ror: string,
  name: string,
  publications: number,
  successors: readonly string[] | undefined,
])[] = [
  [RORS.A, 'Universität "Süd", Institut', 400, undefined],
  [RORS.B, "Second", 600, [RORS.C]],
  [RORS.C, "Third", 0, [RORS.A]],
  [RORS.D, "@Fourth", 999, [RORS.A, RORS.F]],
  [RORS.E, "=SUM(1)", 2_000, []],
  [RORS.F, "-1", 0, undefined],
];

/** Of the first papers in the file, by their place. The year of a work is not the paper's. */
const WORKS = [
  { year: 2012, institutions: [RORS.B, RORS.C, RORS.A, RORS.F], field: 27 },
  { year: 1999, institutions: [RORS.D], field: 11 },
  { year: 2012, institutions: [], field: undefined },
] as const;

/** Papers of the set: those of the countries, and one whose country is not known. */
export const PAPERS = COUNTRIES.reduce((sum, [, , papers]) => sum + papers, 1);

/** Writes a set in which ties, thresholds, empty sides and successions occur, with figures that can be counted by hand. */
export async function hardSet(folder: string): Promise<StatisticsFiles> {
  const write = async (name: string, lines: readonly string[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `${lines.join("\n")}\n`);
    return path;
  };
  const countries = [...COUNTRIES.flatMap(([, name, papers]) => Array(papers).fill(name)), "Unknown"];
  return {
    retractions: await write("RW.csv", [
      "Record ID,Country,RetractionDate,OriginalPaperDate,OriginalPaperDOI,RetractionNature,Reason",
      ...countries.map(
        (name, index) => `${index},${name};,3/1/2016,6/1/2012,${doiOf(index)},Retraction,${REASON}`,
      ),
    ]),
    publications: await write("P.csv", [
      "dimension,key,year,publications,publications_fractional",
      // The first and the last year make the window.
      ...[2010, 2014].map((year) => `country,DE,${year},0,0`),
      ...COUNTRIES.filter(([, , , count]) => count > 0).map(([code, , , count]) =>
        counts("country", code, count),
      ),
      ...INSTITUTIONS.map(([ror, , count]) => counts("institution", ror, count)),
      counts("discipline", "27", 10),
    ]),
    works: await write(
      "W.jsonl",
      WORKS.map(work).map((one) => JSON.stringify(one)),
    ),
    organisations: await write(
      "ROR.jsonl",
      INSTITUTIONS.map(organisation).map((one) => JSON.stringify(one)),
    ),
  };
}

const REASON = "+Euphemisms for Plagiarism;";

function doiOf(index: number): string {
  return `10.1000/hard.${index}`;
}

function counts(dimension: string, key: string, count: number): string {
  return `${dimension},${key},2012,${count},${count / 4}`;
}

function work({ year, institutions, field }: (typeof WORKS)[number], index: number) {
  return {
    doi: doiOf(index),
    publication_year: year,
    authorships: institutions.map((ror) => ({ institutions: [{ ror, country_code: "DE" }] })),
    primary_topic: field === undefined ? null : { field: { id: field } },
  };
}

function organisation([ror, name, , successors]: (typeof INSTITUTIONS)[number]) {
  return {
    id: ror,
    status: successors === undefined ? "active" : "withdrawn",
    names: [{ value: name, types: ["ror_display"] }],
    locations: [{ geonames_details: { country_code: "DE" } }],
    relationships: (successors ?? []).map((id) => ({ type: "successor", id })),
  };
}
