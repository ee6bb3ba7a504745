import { z } from "zod";
import { LICENSE_URL } from "../facts/sources.ts";
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

/** The data set for search engines (schema.org), at the address of an instance. */
export function datasetMarkup(origin: string): object {
  const download = (path: string, encodingFormat: string) => ({
    "@type": "DataDownload",
    ...{ contentUrl: `${origin}/v1/${path}`, encodingFormat },
  });
  return {
    "@context": "https://schema.org/",
    "@type": "Dataset",
    "@id": `${origin}/#dataset`,
    ...{ name: TITLE, description: DESCRIPTION, url: `${origin}/`, license: LICENSE_URL },
    creator: { "@type": "Organization", name: "Similarity Check statistics" },
    isAccessibleForFree: true,
    keywords: ["plagiarism", "retractions", "research integrity"],
    distribution: [
      download("everything.zip", "application/zip"),
      ...Object.keys(TABLES).map((name) => download(`${name}?format=csv`, "text/csv")),
    ],
  };
}
