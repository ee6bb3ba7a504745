import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { COUNTRIES } from "../../src/statistics/facts/countries.ts";
import { createLoadStatistics } from "../../src/statistics/load/load-statistics.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import type { BenchmarkStores } from "./benchmark-stores.ts";
import type { Figure } from "./check-benchmark.ts";

/** On two cores, with the client beside it. */
const TARGETS = { answersPerSecond: "> 2000", p99Ms: "< 50" } as const;

/** Long enough for a warm process, short enough to be run often. */
const SECONDS = 10;
const CONNECTIONS = 32;

/** Nobody reaches it, but each request is still counted. */
const RATE_LIMIT = "100000000";

/**
 * Measures a warm `/v1/countries` with the program `wrk`, over a table of all countries in which each has papers.
 * @throws Error when `wrk` is not installed.
 */
export async function statisticsFigures({ environment }: BenchmarkStores): Promise<Figure[]> {
  await loadEveryCountry(environment.DATABASE_URL);
  const service = await ServiceProcess.start({
    ...environment,
    ROLES: "statistics",
    STATISTICS_RATE_LIMIT: RATE_LIMIT,
  });
  try {
    const url = `${service.statisticsAddress}/v1/countries`;
    const { byteLength } = await (await fetch(url)).arrayBuffer();
    await wrk(url, 2);
    const { perSecond, p99Ms } = await wrk(url, SECONDS);
    return [
      { name: "Bytes of the answer", value: byteLength, unit: "B" },
      { name: "Answers a second", value: perSecond, unit: "1/s", target: TARGETS.answersPerSecond },
      { name: "99 in 100 answers within", value: p99Ms, unit: "ms", target: TARGETS.p99Ms },
    ];
  } finally {
    await service.end("SIGTERM");
  }
}

async function loadEveryCountry(databaseUrl: string): Promise<void> {
  const log = pino({ level: "silent" });
  await migrate(databaseUrl, log);
  const folder = await mkdtemp(join(tmpdir(), "statistics-"));
  const database = new Database(databaseUrl, log);
  try {
    const publications = join(folder, "P.csv");
    const lines = COUNTRIES.filter(({ isIso }) => isIso).flatMap(({ code }, index) =>
      Array.from(
        { length: 10 },
        (_, year) => `country,${code},${2008 + year},${20_000 + index},${12_000 + index}`,
      ),
    );
    await writeFile(
      publications,
      `dimension,key,year,publications,publications_fractional\n${lines.join("\n")}\n`,
    );
    await createLoadStatistics({ database })({ publications }, { isSynthetic: true });
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
}

async function wrk(
  url: string,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly p99Ms: number }> {
  const settings = ["-t1", `-c${CONNECTIONS}`, `-d${seconds}s`, "--latency", url];
  const { stdout } = await promisify(execFile)("wrk", settings).catch((error: unknown) => {
    throw new Error("wrk did not run; Debian and Ubuntu have it as the package wrk", { cause: error });
  });
  if (/Non-2xx/.test(stdout)) throw new Error(`some answers were errors:\n${stdout}`);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  const [, p99 = "", unit = ""] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  return { perSecond, p99Ms: Number(p99) * (MS_IN.get(unit) ?? Number.NaN) };
}

const MS_IN: ReadonlyMap<string, number> = new Map([
  ["us", 0.001],
  ["ms", 1],
  ["s", 1_000],
]);
