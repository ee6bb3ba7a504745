import { createHash } from "node:crypto";
import type { Context } from "koa";
import type { z } from "zod";
import { type Cell, toCsv } from "../../http/csv.ts";
import { LICENSE_URL, type SourceId } from "../facts/sources.ts";
import type { Window } from "../rates/windows.ts";
import type { Counts } from "../read-model/rows.ts";
import type { Dataset, SourceState } from "../read-model/statistics-store.ts";
import type { Meta } from "./schema.ts";

/** An answer as it is sent. */
export type Answer = {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
  /** The licence and the attribution, for formats that can't contain them. */
  readonly link: string;
  /** The name under which a browser saves the answer. */
  readonly filename?: string;
};

type Format = "json" | "csv";

/** An answer in JSON: the envelope with its data. */
export function jsonAnswer(facts: MetaFacts, data: unknown): Answer {
  const meta = presentMeta(facts);
  return {
    ...bytesOf(JSON.stringify({ meta, data })),
    type: "application/json; charset=utf-8",
    link: licenseLink(meta.attribution),
  };
}

/** A table in either format: the same rows in the same order, with the same numbers. The schema's members are the columns. */
export function tableAnswer<C extends string>(
  format: Format,
  facts: MetaFacts,
  schema: z.ZodObject<Record<C, z.ZodType<Cell>>>,
  rows: readonly { readonly [c in C]: Cell }[],
): Answer {
  if (format === "json") return jsonAnswer(facts, rows);
  return {
    ...bytesOf(toCsv(schema.keyof().options, rows)),
    type: "text/csv; charset=utf-8; header=present",
    link: licenseLink(presentMeta(facts).attribution),
    filename: filenameOf(facts),
  };
}

/** A table has no space for caveats, so the name of the file says when its data are synthetic. */
function filenameOf({ topic, dataset, window }: MetaFacts): string {
  const parts = [...(dataset.isDemo ? ["demo"] : []), topic, window?.id ?? "empty"];
  return `${parts.join("-")}.csv`;
}

function bytesOf(text: string): { readonly body: Buffer; readonly etag: string } {
  const body = Buffer.from(text);
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, ETAG_CHARS);
  return { body, etag: `"${digest}"` };
}

/** 132 bits of the hash: two answers never share them. */
const ETAG_CHARS = 22;

/** Sends an answer, or 304 when the client has it already. */
export function sendAnswer(ctx: Context, { body, type, etag, link, filename }: Answer): void {
  ctx.status = 200;
  ctx.set({ ETag: etag, "Cache-Control": CACHE_CONTROL, Link: link });
  if (isMatch(ctx.get("If-None-Match"), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.set("Content-Type", type);
  if (filename !== undefined) ctx.set("Content-Disposition", `attachment; filename="${filename}"`);
  ctx.body = body;
}

/**
 * Whether a client that sends these tags has the answer (RFC 9110, section 13.1.2). Koa's `fresh` would also heed
 * `Cache-Control: no-cache`, which is meant for caches on the way and is sent by programs that use `fetch`.
 */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((tag) => {
    const bare = tag.trim().replace(/^W\//, "");
    return bare === etag || bare === "*";
  });
}

/** Any cache may keep an answer for five minutes: data change at most once a day, and a load is still seen soon. */
const CACHE_CONTROL = "public, max-age=300";

/** The subject of an answer, which decides its sources and caveats. */
type Topic = keyof typeof TOPICS;

type MetaFacts = {
  readonly topic: Topic;
  readonly dataset: Dataset;
  readonly window?: Window | undefined;
  readonly counts?: Counts;
};

function presentMeta({ topic, dataset, window, counts }: MetaFacts): z.output<typeof Meta> {
  const ids: readonly SourceId[] = TOPICS[topic].sources;
  const sources = dataset.sources.filter(({ id }) => ids.includes(id));
  return {
    license: "CC-BY-4.0",
    license_url: LICENSE_URL,
    attribution: attributionOf(sources),
    generated_at: dataset.generatedAt,
    dataset_version: dataset.datasetVersion,
    ...(window !== undefined && { window: window.id }),
    ...(counts !== undefined && { counts }),
    sources: sources.map(({ newest_record, ...source }) => ({
      ...source,
      ...(newest_record !== null && { newest_record }),
    })),
    caveats: caveatsOf(topic, dataset, sources, window),
  };
}

/** Names each loaded source once. The others have no part in the figures. */
function attributionOf(sources: readonly SourceState[]): string {
  const loaded = sources.filter((source) => source.retrieved_at !== null).map(({ name }) => name);
  return [ATTRIBUTION, [...new Set(loaded)].join("; ")].filter((part) => part !== "").join(", from: ");
}

const ATTRIBUTION = "Similarity Check statistics";

/** The licence and the attribution as a Link header (RFC 8288), for answers whose body can't contain them. */
function licenseLink(attribution: string): string {
  return `<${LICENSE_URL}>; rel="license"; title="${attribution.replace(/[^ !#-[\]-~]/g, "")}"`;
}

const RATE_CAVEATS = [
  "A rate shows what was found and retracted. A low one may mean little plagiarism, or little scrutiny.",
  "Papers are counted by the year in which they were published; later retractions still add to past years.",
] as const;

const LINKED_CAVEAT =
  "Institutions and disciplines are those of the works that OpenAlex links to a paper." as const;

const TOPICS = {
  overview: {
    sources: ["retraction-watch", "publications", "openalex", "ror", "wikipedia", "gdelt"],
    caveats: [],
  },
  countries: { sources: ["retraction-watch", "publications"], caveats: RATE_CAVEATS },
  institutions: {
    sources: ["retraction-watch", "publications", "openalex", "ror"],
    caveats: [...RATE_CAVEATS, LINKED_CAVEAT],
  },
  disciplines: {
    sources: ["retraction-watch", "publications", "openalex"],
    caveats: [...RATE_CAVEATS, LINKED_CAVEAT],
  },
  papers: {
    sources: ["retraction-watch", "openalex", "ror"],
    caveats: [
      "Titles and reasons are those of Retraction Watch. A retraction is no judgement of every author.",
      LINKED_CAVEAT,
    ],
  },
  cases: {
    sources: ["wikipedia"],
    caveats: [
      "The cases are those that an encyclopedia documents: a selection, not a count.",
      "Titles, statements, summaries and outcomes are its text, under the licence that each case names.",
      "An allegation is not a finding: quote `finding` and the date of the revision with a case.",
    ],
  },
  news: {
    sources: ["gdelt"],
    caveats: [
      "Mentions are online articles that the monitor found by keywords; a month without data is null, not 0.",
    ],
  },
} as const satisfies Record<
  string,
  { readonly sources: readonly SourceId[]; readonly caveats: readonly string[] }
>;

function caveatsOf(
  topic: Topic,
  dataset: Dataset,
  sources: readonly SourceState[],
  window: Window | undefined,
): string[] {
  if (dataset.generatedAt === null) return [`No data has been loaded yet. ${HOW_TO_LOAD}`];
  const missing = sources.filter((source) => source.retrieved_at === null);
  return [
    ...(dataset.isDemo ? [DEMO] : []),
    ...missing.map(({ name }) => `Nothing from ${name} has been loaded.`),
    ...(missing.length > 0 ? [HOW_TO_LOAD] : []),
    ...(window?.provisional
      ? [
          `The window ${window.id} is provisional: it ends so recently that many of its papers may still be retracted.`,
        ]
      : []),
    ...TOPICS[topic].caveats,
  ];
}

const HOW_TO_LOAD =
  "`npm run statistics:load -- --retractions RW.csv --publications P.csv` loads files, `npm run statistics:refresh` fetches " +
  "them from their sources, `npm run statistics:demo` loads a small synthetic set.";

const DEMO =
  "This is a synthetic set that shows shapes. It says nothing about any country, institution or discipline: quote none of it.";
