import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, crc32, deflateRaw, gzip } from "node:zlib";
import { Zip, type ZipInputFile } from "fflate";
import type { Context } from "koa";
import type { z } from "zod";
import { type Cell, toCsv } from "../../http/csv.ts";
import { LICENSE_URL, type SourceId } from "../facts/sources.ts";
import { type Window, yearsSince } from "../rates/windows.ts";
import { SYNTHETIC_COLUMN } from "../read-model/dataset-description.ts";
import type { Counts } from "../read-model/rows.ts";
import type { Dataset, SourceState } from "../read-model/statistics-store.ts";
import type { Meta } from "./schema.ts";

/** An answer as it is sent. */
export type Answer = {
  readonly body: Buffer;
  readonly type: string;
  /** Of the body as it is; its packed forms have tags of their own. */
  readonly etag: string;
  /** The body in the encodings in which it was sent. */
  readonly packs: Map<Pack, Promise<Buffer>>;
  /** The licence and the attribution, for formats that can't contain them. */
  readonly link: string;
  /** When something in it last changed, as an HTTP date; undefined before any load. */
  readonly lastModified: string | undefined;
  /** The name under which a browser saves the answer. */
  readonly filename?: string;
};

type Format = "json" | "csv";

/** An answer in JSON: the envelope with its data. */
export function jsonAnswer(facts: TableFacts, data: unknown): Answer {
  const meta = presentMeta(facts);
  return {
    ...bytesOf(JSON.stringify({ meta, data })),
    type: "application/json; charset=utf-8",
    link: licenseLink(meta.attribution),
    lastModified: lastModifiedOf(facts),
  };
}

/** An unchanged file that is retrieved again changes `retrieved_at` and no figure. */
function lastModifiedOf({ dataset, changedAt }: TableFacts): string | undefined {
  const times = [dataset.generatedAt, ...dataset.sources.map((source) => source.retrieved_at)];
  const known = times.flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  if (known.length === 0) return undefined;
  return new Date(Math.max(...known, changedAt?.getTime() ?? 0)).toUTCString();
}

/** A text that describes the data set. */
export function textAnswer(dataset: Dataset, type: string, text: string): Answer {
  const facts = { topic: "overview", dataset } as const;
  return {
    ...bytesOf(text),
    type,
    link: licenseLink(presentMeta(facts).attribution),
    lastModified: lastModifiedOf(facts),
  };
}

/** Files in one ZIP, always with the same bytes. They are compressed in a thread, while other requests are answered. */
export async function filesAnswer(
  facts: TableFacts,
  files: AsyncIterable<readonly [name: string, content: Uint8Array]>,
): Promise<Answer> {
  const { dataset } = facts;
  const chunks: Uint8Array[] = [];
  const archive = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  for await (const [filename, content] of files) {
    const packed = await deflate(content);
    // The format stores local times without a zone: this one is the same in all zones.
    const mtime = new Date(2000, 0, 1);
    const file: ZipInputFile = {
      ...{ filename, mtime, compression: DEFLATED, size: content.length, crc: crc32(content) },
    };
    archive.add(file);
    file.ondata?.(null, packed, true);
  }
  archive.end();
  return {
    ...bytesOf(Buffer.concat(chunks)),
    type: ZIP_TYPE,
    link: licenseLink(presentMeta(facts).attribution),
    lastModified: lastModifiedOf(facts),
    filename: `similarity-check-statistics-${dataset.datasetVersion ?? "empty"}.zip`,
  };
}

const ZIP_TYPE = "application/zip";

const deflate = promisify<Uint8Array, Buffer<ArrayBuffer>>(deflateRaw);

/** The number of the compression in the format. */
const DEFLATED = 8;

/** A row of a table: its members are the columns. */
export type TableRow = Readonly<Record<string, Cell | undefined>>;

/** A table in either format: the same rows in the same order, with the same numbers. */
export function tableAnswer(
  format: Format,
  facts: TableFacts,
  columns: readonly string[],
  rows: readonly TableRow[],
): Answer {
  if (format === "json") return jsonAnswer(facts, rows);
  const { isDemo, datasetVersion } = facts.dataset;
  const text = isDemo
    ? toCsv(
        [...columns, SYNTHETIC_COLUMN],
        rows.map((row) => ({ ...row, [SYNTHETIC_COLUMN]: datasetVersion })),
      )
    : toCsv(columns, rows);
  return {
    ...bytesOf(text),
    type: "text/csv; charset=utf-8; header=present",
    link: licenseLink(presentMeta(facts).attribution),
    lastModified: lastModifiedOf(facts),
    filename: filenameOf(facts),
  };
}

/** A table has no space for caveats, so the name of the file says when its data are synthetic. */
function filenameOf({ topic, dataset, window }: TableFacts): string {
  const parts = [...(dataset.isDemo ? ["demo"] : []), topic, window?.id ?? "empty"];
  return `${parts.join("-")}.csv`;
}

function bytesOf(text: string | Uint8Array): Pick<Answer, "body" | "etag" | "packs"> {
  const body = Buffer.from(text);
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, ETAG_CHARS);
  return { body, etag: `"${digest}"`, packs: new Map() };
}

/** 132 bits of the hash: two answers never share them. */
const ETAG_CHARS = 22;

/** Sends an answer, or 304 when the client has it already. */
export async function sendAnswer(ctx: Context, answer: Answer): Promise<void> {
  const { body, type, etag, link, lastModified, filename } = answer;
  const isPackable = body.length >= PACKED_BYTES_MIN && type !== ZIP_TYPE;
  const encoding = isPackable && ctx.acceptsEncodings("gzip", "br", "identity");
  const pack = PACKERS.get(String(encoding));
  ctx.status = 200;
  ctx.set({ "Cache-Control": CACHE_CONTROL, Link: link });
  ctx.set("ETag", pack === undefined ? etag : etag.replace(/"$/, `-${encoding}"`));
  ctx.vary("Accept-Encoding");
  if (lastModified !== undefined) ctx.set("Last-Modified", lastModified);
  if (isCurrent(ctx, answer)) {
    ctx.status = 304;
    return;
  }
  ctx.set("Content-Type", type);
  if (filename !== undefined) ctx.set("Content-Disposition", `attachment; filename="${filename}"`);
  if (pack !== undefined) ctx.set("Content-Encoding", String(encoding));
  ctx.body = pack === undefined ? body : await packed(answer, pack);
}

type Pack = (body: Buffer) => Promise<Buffer>;

/** Both pack 16 MB of rows to a tenth in less than half a second. */
const PACKERS: ReadonlyMap<string, Pack> = new Map([
  ["gzip", promisify<Buffer, Buffer>(gzip)],
  ["br", (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
]);

/** Less fits into one packet of a network. */
const PACKED_BYTES_MIN = 1_400;

/** Packs an answer once for as long as it is kept. */
function packed({ packs, body }: Answer, pack: Pack): Promise<Buffer> {
  const known = packs.get(pack) ?? pack(body);
  packs.set(pack, known);
  return known;
}

/** A date counts only without tags (RFC 9110, section 13.1.3). */
function isCurrent(ctx: Context, { etag, lastModified }: Answer): boolean {
  const tags = ctx.get("If-None-Match");
  if (tags !== "") return isMatch(tags, etag);
  return lastModified !== undefined && Date.parse(ctx.get("If-Modified-Since")) >= Date.parse(lastModified);
}

/**
 * Whether a client that sends these tags has the answer (RFC 9110, section 13.1.2). Koa's `fresh` would also heed
 * `Cache-Control: no-cache`, which is meant for caches on the way and is sent by programs that use `fetch`.
 */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((tag) => {
    const bare = tag
      .trim()
      .replace(/^W\//, "")
      .replace(/-(?:gzip|br)"$/, '"');
    return bare === etag || bare === "*";
  });
}

/** Any cache may keep an answer for five minutes: data change at most once a day, and a load is still seen soon. */
const CACHE_CONTROL = "public, max-age=300";

/** The subject of an answer, which decides its sources and caveats. */
type Topic = keyof typeof TOPICS;

export type TableFacts = {
  readonly topic: Topic;
  readonly dataset: Dataset;
  readonly window?: Window | undefined;
  readonly counts?: Counts | Pick<Counts, "total">;
  /** Whether publications of these figures are counted whole only. */
  readonly isWhole?: boolean;
  /** When something other than the data last changed the answer. */
  readonly changedAt?: Date | undefined;
};

/** The caveats of some answers, each once: for files that can't contain them. */
export function caveatsIn(answers: readonly TableFacts[]): readonly string[] {
  return [...new Set(answers.flatMap((facts) => presentMeta(facts).caveats))];
}

function presentMeta({
  topic,
  dataset,
  window,
  counts,
  isWhole,
}: TableFacts): Omit<z.output<typeof Meta>, "counts"> & Pick<TableFacts, "counts"> {
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
    caveats: [...caveatsOf(topic, dataset, sources, window), ...(isWhole ? [WHOLE] : [])],
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
  reasons: {
    sources: ["retraction-watch", "publications", "openalex", "ror"],
    caveats: [
      ...RATE_CAVEATS,
      "A paper counts for each of its reasons, so the rows don't add up to its place.",
    ],
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
    ...provisionalCaveats(dataset, window),
    ...TOPICS[topic].caveats,
  ];
}

/** A window is also provisional by the dates where the contract's rule, which compares years, lets it pass. */
function provisionalCaveats({ settledUntil, newestRetraction, delays }: Dataset, window: Window | undefined) {
  if (window === undefined || newestRetraction === undefined) return [];
  if (!window.provisional && window.to <= settledUntil) return [];
  const years = Math.max(0, yearsSince(window.to, newestRetraction));
  const later = shareLater(delays, years);
  return [
    `The window ${window.id} is provisional: it ends so recently that many of its papers may still be retracted.`,
    ...(later === undefined
      ? []
      : [
          `The newest retraction came ${years.toFixed(1)} years after the end of the window. Of the retractions known here, ${Math.round(later * 100)}% came more than that after the publication of their paper.`,
        ]),
  ];
}

/** The share of the retractions that came more than so many years after the publication. Undefined when none has both dates. */
export function shareLater(delays: Dataset["delays"], years: number): number | undefined {
  const sum = (some: Dataset["delays"]) => some.reduce((total, { papers }) => total + papers, 0);
  const all = sum(delays);
  return all === 0 ? undefined : sum(delays.filter(({ tenths }) => tenths >= years * 10)) / all;
}

const WHOLE =
  "Publications come as whole counts, at least in part: there, `publications_fractional` and `rate_fractional` are null.";

const HOW_TO_LOAD =
  "`npm run statistics:load -- --retractions RW.csv --publications P.csv` loads files, `npm run statistics:refresh` fetches " +
  "them from their sources, `npm run statistics:demo` loads a small synthetic set.";

const DEMO =
  "This is a synthetic set that shows shapes. It says nothing about any country, institution or discipline: quote none of it.";
