import { loadavg } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { peakMemoryMb } from "../../measure/benchmark/check-benchmark.ts";
import { attackWithArchives } from "../../measure/load/archive-attack.ts";
import { type FloodOptions, flood } from "../../measure/load/flood.ts";
import { type HealthTimes, watchHealth } from "../../measure/load/health-watch.ts";
import { longestTexts, mixedTexts } from "../../measure/load/load-texts.ts";
import { addSources } from "../../measure/load/mixed-work.ts";
import { addBooks, checkUnequal } from "../../measure/load/unequal-checks.ts";
import { attackUnread } from "../../measure/load/unread-attack.ts";
import { readConfig } from "../../src/platform/config.ts";
import { explainError, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import type { EngineClient } from "../../test/support/client.ts";
import { MetricsText } from "../../test/support/metrics-text.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

const USAGE = `Usage: npm run load -- [--unread] [--archives] [--minutes N]

Puts a service in a process of its own under load and reports how it bears it: floods of checks, short checks beside 20 of
500,000 characters, and beside 20 checks and 20 uploads at a time 500 connections that never read, and 24 clients that send
archives which are costly to unpack and hang up. It uses the stores of this installation with a database and indices of its own,
which it removes at the end.

  --unread     only the connections that never read
  --archives   only the costly archives
  --minutes N  how long they stay (1 by default)

Exit status 1: something was lost, or an aim was missed.`;

const HEALTH_P99_AIM_MS = 100;

/** The limit of the 99th percentile. The histogram counts the 10 ms between two of its samples as well. */
const LOOP_DELAY_AIM_MS = 50;

/** The memory that one process may take on a small machine beside both stores, with 200 long texts in flight and without. */
const FLOOD_MEMORY_AIM_MB = 1_500;
const MEMORY_AIM_MB = 1_000;

/** A person who waits for a short check should not notice that others wait for long ones. */
const SHORT_WAIT_AIM_SECONDS = 2;

const IDLE_MS = 15_000;

/** The grace for running requests is 10 s. */
const STOP_MAX_MS = 20_000;

const STREAMS = 100;
const UNREAD = 10;

type Outcome = {
  readonly done: string;
  readonly refused: number;
  readonly seconds: number;
  readonly health: HealthTimes;
  /** Nothing was lost, and each refusal said when to retry. */
  readonly isWell: boolean;
};

type Scenario = {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly memoryAimMb: number;
  readonly run: (client: EngineClient) => Promise<Outcome>;
};

const FLOODS: readonly Scenario[] = [
  {
    name: "200 checks at once",
    memoryAimMb: FLOOD_MEMORY_AIM_MB,
    run: flooded({ texts: mixedTexts(200), keepsTrying: true, streams: STREAMS, unread: UNREAD }),
  },
  {
    name: "the same, 20 may wait",
    memoryAimMb: FLOOD_MEMORY_AIM_MB,
    settings: { WAITING_FACTOR: "0.02" },
    run: flooded({ texts: mixedTexts(200), keepsTrying: true, streams: STREAMS, unread: UNREAD }),
  },
  {
    name: "200 of 500,000 characters, 20 may wait, sent once",
    memoryAimMb: FLOOD_MEMORY_AIM_MB,
    settings: { WAITING_FACTOR: "0.02" },
    run: flooded({ texts: longestTexts(200), keepsTrying: false, streams: STREAMS, unread: UNREAD }),
  },
];

const UNEQUAL: Scenario = {
  name: "20 of 500,000 characters, one page each second",
  memoryAimMb: MEMORY_AIM_MB,
  async run(client) {
    await addBooks(client);
    const watch = watchHealth(client);
    const { waits, seconds } = await checkUnequal(client);
    const { short, shortComplete, long } = waits;
    const [slowest = Number.NaN] = short.slice(-1);
    return {
      done:
        `${long.length} long, ${short.length} short; short ones waited ${median(short).toFixed(2)} s (median), ` +
        `${slowest.toFixed(2)} s (longest), complete after ${median(shortComplete).toFixed(2)} s (median)`,
      refused: 0,
      seconds,
      health: await watch.end(),
      isWell: slowest < SHORT_WAIT_AIM_SECONDS,
    };
  },
};

function unread(minutes: number): Scenario {
  return {
    name: "500 connections that never read, 20 checks and 20 uploads at a time",
    memoryAimMb: MEMORY_AIM_MB,
    async run(client) {
      const { rounds, refused, reconnects, opened, seconds, health } = await attackUnread(client, minutes);
      const done =
        `${20 * rounds} checks, ${20 * rounds} uploads, none lost; ${opened} connections opened; ` +
        `${reconnects} progress streams broke off`;
      return { done, refused, seconds, health, isWell: rounds > 0 };
    },
  };
}

function archives(minutes: number): Scenario {
  return {
    name: "24 clients with costly archives, 20 checks and 20 uploads at a time",
    memoryAimMb: MEMORY_AIM_MB,
    // The uploads are invented words, whose sentences are near each other: with meaning, a report depends on which of them are there.
    settings: { SEMANTIC: "off" },
    async run(client) {
      const { rounds, lost, reason, answers, refused, seconds, health } = await attackWithArchives(
        client,
        minutes,
      );
      const statuses = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
      const done =
        `${20 * rounds} checks, ${20 * rounds} uploads, ${lost} of ${rounds} rounds with losses${reason && ` (${reason})`}; ` +
        `archives: ${statuses.join(", ")} (0: hung up)`;
      return { done, refused, seconds, health, isWell: rounds > 0 && lost === 0 };
    },
  };
}

const HEADER = [
  "",
  "complete",
  "refused (503)",
  "after",
  "/health p50, p99, slowest (before, idle: p99)",
  "event-loop delay p99, max",
  "memory, peak",
  "load average",
];

const options = await readCommand(USAGE, readOptions);
if (options !== undefined) {
  try {
    await load(options.scenarios);
  } catch (error) {
    process.stderr.write(`${explainError(error)}\n`);
    // Pending requests would wait forever for a service that has ended.
    process.exit(1);
  }
}

function readOptions(args: string[]): { readonly scenarios: readonly Scenario[] } {
  const { values } = parseArgs({
    args,
    options: {
      unread: { type: "boolean", default: false },
      archives: { type: "boolean", default: false },
      minutes: { type: "string", default: "1" },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new UsageError("--minutes must be a number above 0, such as 10.");
  const chosen = [
    ...(values.unread ? [unread(minutes)] : []),
    ...(values.archives ? [archives(minutes)] : []),
  ];
  return { scenarios: chosen.length > 0 ? chosen : [...FLOODS, UNEQUAL, unread(minutes), archives(minutes)] };
}

async function load(scenarios: readonly Scenario[]): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const stores = await openStores({ ...readConfig(process.env), say });
  const rows: string[][] = [];
  try {
    for (const scenario of scenarios) {
      say(scenario.name);
      await withBenchmarkStores(
        stores,
        async ({ environment }) => {
          rows.push(await measured(scenario, environment));
        },
        { purpose: "load" },
      );
      say(rows.at(-1)?.slice(1).join("; ") ?? "");
    }
  } finally {
    await stores.stop();
  }
  process.stdout.write(`${textTable([HEADER, ...rows]).join("\n")}\n`);
}

async function measured(
  { name, settings = {}, memoryAimMb, run }: Scenario,
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const service = await ServiceProcess.start({
    ...environment,
    ...settings,
    ROLES: "engine,worker",
    LOG_LEVEL: "error",
  });
  try {
    await addSources(service.client);
    const idle = await idleHealth(service.client);
    await loopDelay(service.client);
    const gone = service.gone();
    // The rejection is handled here, because the process also ends after the work, which is not a failure.
    gone.catch(() => undefined);
    const { done, refused, seconds, health, isWell } = await Promise.race([run(service.client), gone]);
    const loop = await loopDelay(service.client);
    const memoryMb = await peakMemoryMb(service.pid);
    const meetsAims =
      health.p99Ms < HEALTH_P99_AIM_MS && loop.p99Ms < LOOP_DELAY_AIM_MS && memoryMb < memoryAimMb;
    if (!isWell || !meetsAims) process.exitCode = 1;
    const times = [health.p50Ms, health.p99Ms, health.slowestMs].map((ms) => ms.toFixed(0));
    return [
      name,
      done,
      String(refused),
      `${seconds.toFixed(1)} s`,
      `${times.join(", ")} ms of ${health.answers} (${idle.p99Ms.toFixed(0)} ms)`,
      `${loop.p99Ms.toFixed(0)}, ${loop.maxMs.toFixed(0)} ms`,
      `${memoryMb.toFixed(0)} MB`,
      loadavg()[0]?.toFixed(1) ?? "",
    ];
  } finally {
    await stopInTime(service);
  }
}

/** A service that does not end at SIGTERM misses an aim. */
async function stopInTime(service: ServiceProcess): Promise<void> {
  const late = setTimeout(() => {
    process.stderr.write(`The service has not ended ${STOP_MAX_MS / 1000} s after SIGTERM\n`);
    process.exitCode = 1;
    void service.end("SIGKILL");
  }, STOP_MAX_MS);
  await service.end("SIGTERM");
  clearTimeout(late);
}

/** The delay of the service's event loop since it was asked for last: each scrape begins a new histogram. */
async function loopDelay(client: EngineClient): Promise<{ readonly p99Ms: number; readonly maxMs: number }> {
  const metrics = new MetricsText(await (await client.request("/metrics")).text());
  const milliseconds = (name: string) =>
    1000 * (metrics.sum(`nodejs_eventloop_lag_${name}_seconds`) ?? Number.NaN);
  return { p99Ms: milliseconds("p99"), maxMs: milliseconds("max") };
}

/** The response times of the idle machine, before the load starts. */
async function idleHealth(client: EngineClient): Promise<HealthTimes> {
  const watch = watchHealth(client);
  await sleep(IDLE_MS);
  return watch.end();
}

function flooded(options: FloodOptions): Scenario["run"] {
  return async (client) => {
    const { checkIds, statuses, refused, withoutRetryAfter, seconds, health } = await flood(client, options);
    const allAnswered = checkIds.length + (options.keepsTrying ? 0 : refused) === options.texts.length;
    return {
      done: `${statuses.complete ?? 0} of ${checkIds.length} accepted`,
      ...{ refused, seconds, health },
      isWell: allAnswered && statuses.complete === checkIds.length && withoutRetryAfter === 0,
    };
  };
}

function median(sorted: readonly number[]): number {
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
