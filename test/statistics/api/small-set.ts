import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StatisticsFiles } from "../../../src/statistics/load/load-statistics.ts";

/** The years of the publications, and so the windows 2013-2017, 2008-2017 and 2008-2012. */
const YEARS = Array.from({ length: 10 }, (_, index) => 2008 + index);

/** Publications a year. LI is below the 10,000 of a window. */
const PUBLICATIONS = { DE: 40_000, FR: 20_000, AT: 10_000, LI: 100, CN: 80_000 } as const;

/** Retracted papers: where they are from and when they were published. */
const PAPERS: readonly { readonly countries: string; readonly year: number }[] = [
  ...Array.from({ length: 30 }, () => ({ countries: "China;", year: 2014 })),
  ...Array.from({ length: 4 }, () => ({ countries: "Germany;France;", year: 2015 })),
  { countries: "Austria;", year: 2016 },
  { countries: "Austria;", year: 2009 },
  { countries: "Unknown;", year: 2015 },
];

const COLUMNS =
  "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,RetractionDOI," +
  "RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes";

/**
 * Writes files of every part into a folder, with figures that can be counted by hand. `papers` adds as many of
 * Liechtenstein.
 */
export async function smallSet(folder: string, papers = 0): Promise<StatisticsFiles> {
  const write = async (name: string, lines: readonly string[]): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `${lines.join("\n")}\n`);
    return path;
  };
  const more = Array.from({ length: papers }, () => ({ countries: "Liechtenstein;", year: 2014 }));
  const retracted = [...PAPERS, ...more];
  return {
    retractions: await write("RW.csv", [
      COLUMNS,
      ...retracted.map(
        ({ countries, year }, index) =>
          `${index + 1},,,,A Journal,A Publisher,${countries},,,Research Article;,3/1/2020 0:00,10.1000/r${index},0,` +
          `6/1/${year} 0:00,10.1000/p${index},0,Retraction,+Plagiarism of/in Article;,No,`,
      ),
    ]),
    publications: await write("P.csv", [
      "dimension,key,year,publications,publications_fractional",
      ...YEARS.flatMap((year) => [
        ...Object.entries(PUBLICATIONS).map(
          ([code, count]) => `country,${code},${year},${count},${count / 2}`,
        ),
        `institution,https://ror.org/02mhbdp94,${year},1000,600`,
        `discipline,27,${year},50000,50000`,
      ]),
    ]),
    works: await write("W.jsonl", [
      JSON.stringify({
        doi: "https://doi.org/10.1000/p0",
        publication_year: 2014,
        authorships: [
          {
            institutions: [
              {
                ror: "https://ror.org/02mhbdp94",
                display_name: "Universidad de los Andes",
                country_code: "CO",
              },
            ],
          },
        ],
        primary_topic: { field: { id: "https://openalex.org/fields/27" } },
      }),
    ]),
    cases: await write("C.json", [JSON.stringify({ parse: CASES_PAGE })]),
    news: await write("N.json", [JSON.stringify(NEWS)]),
  };
}

const CASES_PAGE = {
  title: "List of examples",
  pageid: 7,
  revid: 1_300_000_001,
  wikitext:
    "== Law ==\n* '''A. Example''' ([[Germany]]): the [[University of Example]] revoked the doctorate in 2011 because of plagiarism in the dissertation.<ref>A newspaper</ref>\n",
};

const NEWS = {
  articles: [
    {
      url: "https://news.example/thesis",
      title: "A university looks into a thesis",
      seendate: "20260930T181500Z",
      domain: "news.example",
      language: "English",
      sourcecountry: "Germany",
    },
  ],
  timeline: {
    timeline: [{ series: "Article Count", data: [{ date: "20260930T000000Z", value: 12, norm: 240_000 }] }],
  },
};
