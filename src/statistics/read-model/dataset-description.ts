import { z } from "zod";
import { LICENSE_URL, type SourceId } from "../facts/sources.ts";
import { yearsOf } from "../rates/windows.ts";
import { CountryRow, DisciplineRow, InstitutionRow, PaperRow, ReasonRow, TotalRow } from "./rows.ts";
import type { Dataset } from "./statistics-store.ts";

const TITLE = "Similarity Check statistics: papers retracted for plagiarism";

const DESCRIPTION =
  "Rates of papers retracted for plagiarism per 100,000 publications by country, institution and discipline, with exact 95% intervals, and the papers behind them.";

/** The tables by the ends of their paths below `/v1/`. */
const TABLES = {
  countries: CountryRow,
  institutions: InstitutionRow,
  disciplines: DisciplineRow,
  totals: TotalRow,
  reasons: ReasonRow,
  papers: PaperRow,
} as const;

/**
 * The tables as a package of the Data Package standard (version 2.0). Paths are relative to the address of the description, as the
 * standard resolves them.
 */
export function dataPackage({ datasetVersion, generatedAt, isDemo, sources }: Dataset): object {
  return {
    $schema: `${PROFILES}/datapackage.json`,
    name: "similarity-check-statistics",
    ...{ title: TITLE, description: DESCRIPTION },
    ...(datasetVersion !== null && { version: datasetVersion }),
    ...(generatedAt !== null && { created: generatedAt }),
    licenses: [{ name: "CC-BY-4.0", path: LICENSE_URL }],
    sources: sources
      .filter(({ retrieved_at }) => retrieved_at !== null)
      .map(({ name, url, version }) => ({
        title: name,
        ...(url !== null && { path: url }),
        ...(version !== null && { version }),
      })),
    resources: Object.entries(TABLES).map(([name, rows]) => ({
      ...{ $schema: `${PROFILES}/dataresource.json`, type: "table" },
      ...{ name, path: `v1/${name}?format=csv`, format: "csv", mediatype: "text/csv", encoding: "utf-8" },
      schema: {
        $schema: `${PROFILES}/tableschema.json`,
        fields: [...fieldsOf(rows), ...(isDemo ? [{ name: SYNTHETIC_COLUMN, type: "string" }] : [])],
      },
    })),
  };
}

const PROFILES = "https://datapackage.org/profiles/2.0";

/** The last column of a CSV of the synthetic set, whose rows could otherwise be taken for real ones. */
export const SYNTHETIC_COLUMN = "synthetic_dataset_version";

/** The columns of a table. Those for small numbers come with the parameter `sort` only. */
function fieldsOf(rows: z.ZodObject) {
  const columns = Object.entries(rows.shape).filter(([, column]) => !(column instanceof z.ZodOptional));
  return columns.map(([name, column]) => {
    const { type, anyOf = [], description } = z.toJSONSchema(column);
    const types = [type, ...anyOf.map((one) => one.type)];
    const found = (["boolean", "integer", "number"] as const).find((one) => types.includes(one));
    return { name, type: found ?? "string", ...(description !== undefined && { description }) };
  });
}

/** How to cite the loaded data and its sources, in the Citation File Format (version 1.2.0). */
export function citationFile({ datasetVersion, generatedAt, sources }: Dataset): string {
  const loaded = sources.filter(({ retrieved_at }) => retrieved_at !== null);
  return [
    "cff-version: 1.2.0",
    'message: "Please cite the version of the data that you used, and its sources."',
    "type: dataset",
    `title: "${TITLE}"`,
    `abstract: "${DESCRIPTION}"`,
    "authors:",
    '  - name: "Similarity Check statistics"',
    ...(datasetVersion === null ? [] : [`version: "${datasetVersion}"`]),
    ...(generatedAt === null ? [] : [`date-released: "${generatedAt.slice(0, "YYYY-MM-DD".length)}"`]),
    "license: CC-BY-4.0",
    ...(loaded.length === 0 ? [] : ["references:"]),
    ...loaded.flatMap(({ name, url, version }) => [
      "  - type: data",
      `    title: ${JSON.stringify(name)}`,
      `    authors: [{ name: ${JSON.stringify(name)} }]`,
      ...(version === null ? [] : [`    version: ${JSON.stringify(version)}`]),
      ...(url === null ? [] : [`    url: ${JSON.stringify(url)}`]),
    ]),
    "",
  ].join("\n");
}

/** A page, and what its data are about; the whole data set where nothing is named. */
export type DescribedPage = {
  /** The same in every language. */
  readonly negotiatedPath: string;
  /** In its own language. */
  readonly path: string;
  readonly title: string;
  readonly place?: Place | undefined;
  readonly topic?: Topic | undefined;
};

/** A country, an institution or a discipline, as the API names it. */
export type Place = { readonly kind: "country" | "institution" | "discipline"; readonly code: string };
type Topic = "cases" | "news";

/**
 * The data of a page for search engines (schema.org), at the address of an instance.
 * @param dataset undefined while it can't be read: then version, dates, years and sources are left out
 */
export function datasetMarkup(origin: string, page: DescribedPage, dataset: Dataset | undefined): object {
  const { negotiatedPath, path, title, place, topic } = page;
  const isPart = place !== undefined || topic !== undefined;
  const {
    datasetVersion = null,
    generatedAt = null,
    isDemo = false,
    windows = [],
    sources = [],
  } = dataset ?? {};
  return {
    "@context": "https://schema.org/",
    "@type": "Dataset",
    "@id": `${origin}${isPart ? negotiatedPath : "/"}#dataset`,
    name: isPart ? `${topic === undefined ? TITLE : "Similarity Check statistics"}: ${title}` : TITLE,
    description: `${isDemo ? "Made-up figures that show the format. " : ""}${topic === undefined ? DESCRIPTION : TOPICS[topic].description}`,
    ...{ url: `${origin}${isPart ? path : "/"}`, license: LICENSE_URL },
    creator: { "@type": "Organization", name: "Similarity Check statistics" },
    isAccessibleForFree: true,
    keywords: ["plagiarism", "retractions", "research integrity"],
    ...(isPart && { isPartOf: { "@id": `${origin}/#dataset` } }),
    ...(datasetVersion !== null && { version: datasetVersion }),
    ...(generatedAt !== null && { dateModified: generatedAt }),
    ...(topic === undefined && windows.length > 0 && { temporalCoverage: yearsOf(windows).join("/") }),
    ...(place !== undefined && aboutOf(place, title)),
    isBasedOn: sources
      .filter(({ id, retrieved_at }) => retrieved_at !== null && isSourceOf(id, place, topic))
      .map(({ name, url, version, retrieved_at }) => ({
        ...{ "@type": "Dataset", name, dateModified: retrieved_at },
        ...(url !== null && { url }),
        ...(version !== null && { version }),
      })),
    distribution: downloadsOf(page).map(([name, encodingFormat]) => ({
      "@type": "DataDownload",
      ...{ contentUrl: `${origin}/v1/${name}`, encodingFormat },
    })),
  };
}

/** The ends of addresses below `/v1/` where the data of a page are, and their formats. */
function downloadsOf({ place, topic }: DescribedPage): readonly (readonly [name: string, format: string])[] {
  if (topic !== undefined) return [[topic, "application/json"]];
  if (place === undefined)
    return [
      ["everything.zip", "application/zip"],
      ...Object.keys(TABLES).map((name) => [`${name}?format=csv`, "text/csv"] as const),
    ];
  const { kind, code } = place;
  return [
    [`${kind}/${code}`, "application/json"],
    [`papers?${kind}=${code}&format=csv`, "text/csv"],
  ];
}

/** What the data of a place cover. */
function aboutOf({ kind, code }: Place, name: string): object {
  if (kind === "country") return { spatialCoverage: { "@type": "Country", name, identifier: code } };
  const id = kind === "institution" ? `https://ror.org/${code}` : `https://openalex.org/fields/${code}`;
  return { about: { "@type": kind === "institution" ? "Organization" : "DefinedTerm", "@id": id, name } };
}

const TOPICS = {
  cases: {
    source: "wikipedia",
    description:
      "Cases of plagiarism that an encyclopedia documents with a reference, each with the sentence that says so, its page and its revision.",
  },
  news: {
    source: "gdelt",
    description:
      "How many of the monitored news articles mention plagiarism in research, by month, and the newest of them.",
  },
} as const satisfies Record<Topic, { readonly source: SourceId; readonly description: string }>;

/** Rates rest on retractions and publications; institutions and disciplines also on the linked works and their organisations. */
function isSourceOf(id: SourceId, place: Place | undefined, topic: Topic | undefined): boolean {
  if (topic !== undefined) return id === TOPICS[topic].source;
  if (place === undefined) return true;
  const isCount = id === "retraction-watch" || id === "publications";
  if (place.kind === "country") return isCount;
  return isCount || id === "openalex" || (id === "ror" && place.kind === "institution");
}
