import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { COUNTRIES } from "../../src/statistics/facts/countries.ts";
import { FIELDS } from "../../src/statistics/facts/fields.ts";
import { createLoadStatistics } from "../../src/statistics/load/load-statistics.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import type { BenchmarkStores } from "./benchmark-stores.ts";
import type { Figure } from "./check-benchmark.ts";

const INSTITUTIONS = 50_000;
const PAPERS = 10_000;
const YEARS = Array.from({ length: 10 }, (_, index) => 2008 + index);

/** What the pages request: a table's rows. */
const PAGE_ROWS = 300;

/** Requests for different pages, of which none was answered before. */
const RUNS = 9;

const RATE_LIMIT = "100000000";

/** Loading takes a minute. */
const LOAD_TIMEOUT_MS = 1_800_000;

const log = pino({ level: "silent" });
const ISO = COUNTRIES.filter(({ isIso }) => isIso);

/**
 * Measures the list of 50,000 institutions, of which 10,000 papers have one to three, and the file with everything, in a service
 * process. The figures in the set are made by a rule, so that each run loads the same.
 */
export async function institutionFigures({ environment }: BenchmarkStores): Promise<Figure[]> {
  await loadInstitutions(environment.DATABASE_URL);
  const service = await ServiceProcess.start({
    ...environment,
    ROLES: "statistics",
    STATISTICS_RATE_LIMIT: RATE_LIMIT,
  });
  try {
    const address = service.statisticsAddress ?? "";
    const list = (query: string) => `${address}/v1/institutions?sort=rate_shrunken&${query}`;
    // The description of the data set is read once; the lists are not asked for yet.
    await read(`${address}/v1/windows`);
    const first = await timesOf((run) => list(`limit=${PAGE_ROWS + run}`));
    const next = await timesOf((run) => list(`limit=${PAGE_ROWS}&offset=${PAGE_ROWS * (run + 1)}`));
    const raw = await timesOf((run) => `${address}/v1/institutions?limit=${PAGE_ROWS + run}`);
    const shown = await timesOf((run) => list(`from=2015&to=2017&limit=${PAGE_ROWS + run}`));
    const years = await timesOf((run) =>
      list(`from=${2009 + (run % 4)}&to=${2014 + Math.floor(run / 4)}&limit=300`),
    );
    const page = list(`limit=${PAGE_ROWS}`);
    const papers = await timesOf((run) => `${address}/v1/papers?country=DE&limit=20&offset=${20 * run}`);
    await lagSince(address);
    const everything = await read(`${address}/v1/everything.zip`);
    const blockedMs = await lagSince(address);
    return [
      ...figuresOf("First page by the shrunken rate", first, "< 200"),
      ...figuresOf("Next page", next, "< 200"),
      ...figuresOf("First page by the raw rate", raw, "< 200"),
      ...figuresOf("The same of the years that the pages show first", shown, "< 200"),
      ...figuresOf("The same of any other years", years, ""),
      ...figuresOf("Twenty papers of a country", papers, "< 200"),
      { name: "Bytes of a page", value: (await read(page, "identity")).bytes, unit: "B" },
      { name: "Bytes of a page, gzip", value: (await read(page, "gzip")).bytes, unit: "B" },
      { name: "Bytes of a page, Brotli", value: (await read(page, "br")).bytes, unit: "B" },
      { name: "File with everything", value: everything.ms, unit: "ms" },
      { name: "Bytes of that file", value: everything.bytes, unit: "B" },
      { name: "Longest block of the event loop meanwhile", value: blockedMs, unit: "ms", target: "< 100" },
    ];
  } finally {
    await service.end("SIGTERM");
  }
}

function figuresOf(name: string, times: readonly number[], target: string): Figure[] {
  const sorted = times.toSorted((a, b) => a - b);
  return [
    { name, value: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, unit: "ms", target },
    { name: "  the slowest", value: sorted.at(-1) ?? Number.NaN, unit: "ms" },
  ];
}

async function timesOf(urlOf: (run: number) => string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push((await read(urlOf(run))).ms);
  return times;
}

/** The time until the last byte, and the bytes that came over the line. */
async function read(
  url: string,
  encoding = "gzip",
): Promise<{ readonly ms: number; readonly bytes: number }> {
  const started = performance.now();
  const response = await fetch(url, { headers: { "Accept-Encoding": encoding } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
  return {
    ms: performance.now() - started,
    bytes: Number(response.headers.get("Content-Length") ?? Number.NaN),
  };
}

/** The longest delay of the event loop since the last call, in milliseconds. */
async function lagSince(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return 1_000 * Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]);
}

async function loadInstitutions(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, log);
  const folder = await mkdtemp(join(tmpdir(), "statistics-"));
  const database = new Database(databaseUrl, log, LOAD_TIMEOUT_MS);
  try {
    const write = async (name: string, lines: Iterable<string>) => {
      const path = join(folder, name);
      await pipeline(Readable.from(lines), createWriteStream(path));
      return path;
    };
    const files = {
      publications: await write("P.csv", publications()),
      retractions: await write("RW.csv", retractions()),
      works: await write("W.jsonl", works()),
    };
    await createLoadStatistics({ database })(files, { isSynthetic: true });
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
}

function rorOf(index: number): string {
  return `https://ror.org/0${String(index).padStart(6, "0")}${String(index % 97).padStart(2, "0")}`;
}

function isoOf(index: number) {
  return ISO[index % ISO.length] ?? { code: "DE", name: "Germany" };
}

function* publications(): Generator<string> {
  yield "dimension,key,year,publications,publications_fractional\n";
  for (const year of YEARS) {
    for (const [index, { code }] of ISO.entries())
      yield `country,${code},${year},${20_000 + index},${12_000 + index}\n`;
    for (const { fieldId } of FIELDS) yield `discipline,${fieldId},${year},200000,200000\n`;
    // Few are large: the sizes fall like those of Zipf's law.
    for (let index = 0; index < INSTITUTIONS; index += 1)
      yield `institution,${rorOf(index)},${year},${Math.ceil(2_000_000 / (index + 40))},${Math.ceil(900_000 / (index + 40))}\n`;
  }
}

function* retractions(): Generator<string> {
  yield "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,Reason,Paywalled,Notes\n";
  for (let index = 0; index < PAPERS; index += 1)
    yield `${index + 1},A title of some words that is as long as many are ${index},,,A Journal,A Publisher,${isoOf(index % 60).name.includes(",") ? "Germany" : isoOf(index % 60).name};,,,Research Article;,3/1/2021 0:00,10.1000/r${index},0,6/1/${2008 + (index % 10)} 0:00,10.1000/p${index},0,Retraction,+Plagiarism of/in Article;+Investigation by Journal/Publisher;,No,\n`;
}

function* works(): Generator<string> {
  for (let index = 0; index < PAPERS; index += 1) {
    const institutions = Array.from({ length: 1 + (index % 3) }, (_, part) => {
      const at = (index * index * (part + 1)) % INSTITUTIONS;
      return { ror: rorOf(at), display_name: `University ${at}`, country_code: isoOf(at).code };
    });
    const field = FIELDS[index % FIELDS.length]?.fieldId;
    yield `${JSON.stringify({
      doi: `https://doi.org/10.1000/p${index}`,
      publication_year: 2008 + (index % 10),
      authorships: [{ institutions }],
      primary_topic: { field: { id: `https://openalex.org/fields/${field}` } },
    })}\n`;
  }
}
