import { loadavg } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "../../src/platform/config.ts";
import { openStores } from "../../src/platform/stores/open-stores.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { withBenchmarkStores } from "../../test/benchmark/benchmark-stores.ts";
import { peakMemoryMb } from "../../test/benchmark/check-benchmark.ts";
import { type FloodOptions, type FloodOutcome, flood } from "../../test/load/flood.ts";
import { type HealthTimes, watchHealth } from "../../test/load/health-watch.ts";
import { longestTexts, mixedTexts } from "../../test/load/load-texts.ts";
import { addSources } from "../../test/load/mixed-work.ts";
import type { EngineClient } from "../../test/support/client.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";

// Floods a service that runs in a process of its own, and says how it bears it. It runs on the stores of this installation,
// in a database and indices of its own, which are removed at the end. Status 1: something was lost, or an aim was missed.

type Scenario = FloodOptions & { readonly name: string; readonly settings: Readonly<Record<string, string>> };

const HEALTH_P99_AIM_MS = 100;

/** What one process may take on a small machine beside both stores. */
const MEMORY_AIM_MB = 1_500;

const IDLE_MS = 15_000;

const STREAMS = 100;
const UNREAD = 10;

const SCENARIOS: readonly Scenario[] = [
  {
    name: "200 checks at once",
    ...{ texts: mixedTexts(200), keepsTrying: true, streams: STREAMS, unread: UNREAD },
    settings: {},
  },
  {
    name: "the same, 20 may wait",
    ...{ texts: mixedTexts(200), keepsTrying: true, streams: STREAMS, unread: UNREAD },
    settings: { CHECKS_WAITING_MAX: "20" },
  },
  {
    name: "200 of 500,000 characters, 20 may wait, sent once",
    ...{ texts: longestTexts(200), keepsTrying: false, streams: STREAMS, unread: UNREAD },
    settings: { CHECKS_WAITING_MAX: "20" },
  },
];

const config = readConfig(process.env);
const say = (line: string) => process.stderr.write(`${line}\n`);
const stores = await openStores({ ...config, say });
const rows: string[][] = [];
try {
  for (const scenario of SCENARIOS) {
    say(scenario.name);
    await withBenchmarkStores(stores, async ({ environment }) => await run(scenario, environment), {
      purpose: "load",
    });
  }
} finally {
  await stores.stop();
}
process.stdout.write(`${textTable([header(), ...rows]).join("\n")}\n`);

async function run(scenario: Scenario, environment: Readonly<Record<string, string>>): Promise<void> {
  const service = await ServiceProcess.start({
    ...environment,
    ...scenario.settings,
    ROLES: "engine,worker",
    LOG_LEVEL: "error",
  });
  try {
    await addSources(service.client);
    const idle = await idleHealth(service.client);
    const outcome = await flood(service.client, scenario);
    const memoryMb = await peakMemoryMb(service.pid);
    rows.push(row(scenario, idle, outcome, memoryMb));
    say(rows.at(-1)?.slice(1).join("; ") ?? "");
    if (!isWell(scenario, outcome, memoryMb)) process.exitCode = 1;
  } finally {
    await service.end("SIGTERM");
  }
}

/** What the machine itself makes of the answers, before the flood comes. */
async function idleHealth(client: EngineClient): Promise<HealthTimes> {
  const watch = watchHealth(client);
  await sleep(IDLE_MS);
  return watch.end();
}

function header(): string[] {
  return [
    "",
    "accepted",
    "complete",
    "refused (503)",
    "all done after",
    "/health p50, p99, slowest (before, idle: p99)",
    "memory, peak",
    "load average",
  ];
}

function row({ name }: Scenario, idle: HealthTimes, outcome: FloodOutcome, memoryMb: number): string[] {
  const { checkIds, statuses, refused, seconds, health } = outcome;
  const times = [health.p50Ms, health.p99Ms, health.slowestMs].map((ms) => ms.toFixed(0));
  return [
    name,
    String(checkIds.length),
    String(statuses.complete ?? 0),
    String(refused),
    `${seconds.toFixed(1)} s`,
    `${times.join(", ")} ms of ${health.answers} (${idle.p99Ms.toFixed(0)} ms)`,
    `${memoryMb.toFixed(0)} MB`,
    loadavg()[0]?.toFixed(1) ?? "",
  ];
}

/** Nothing is lost, whoever was refused was told when to come again, and the aims are met. */
function isWell({ texts, keepsTrying }: Scenario, outcome: FloodOutcome, memoryMb: number): boolean {
  const { checkIds, statuses, refused, withoutRetryAfter, health } = outcome;
  const allAnswered = checkIds.length + (keepsTrying ? 0 : refused) === texts.length;
  const isComplete = statuses.complete === checkIds.length && withoutRetryAfter === 0;
  return allAnswered && isComplete && health.p99Ms < HEALTH_P99_AIM_MS && memoryMb < MEMORY_AIM_MB;
}
