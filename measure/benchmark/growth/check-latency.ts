import type { Span } from "../../../src/text/span.ts";
import type { EngineClient } from "../../../test/support/client.ts";
import { MetricsText } from "../../../test/support/metrics-text.ts";
import type { GrowthQuery } from "./growth-queries.ts";
import { replaySearches } from "./search-recorder.ts";

export const STAGES = ["chunking", "fingerprinting", "retrieving", "aligning", "assembling"] as const;

/** Of one length of text, in milliseconds. */
export type Latency = {
  readonly words: number;
  readonly checks: number;
  /** From sending the text to the end of its progress stream. */
  readonly medianMs: number;
  readonly slowestMs: number;
  /** The average time of a check in each stage. */
  readonly stages: Readonly<Record<(typeof STAGES)[number], number>>;
  /** The searches of a check alone, replayed: the median. */
  readonly floorMs: number;
  /** Characters of planted passages that were marked, and characters that were marked beside them. */
  readonly recallPct: number;
  readonly besidePct: number;
  readonly partial: number;
};

/** Where the searches of a check go when they are replayed. */
export type Floor = {
  readonly node: string;
  readonly index: string;
  /** The recorded searches of each query. */
  readonly bodies: readonly (readonly string[])[];
};

/** Checks each text once and replays its searches, so that both meet the machine in the same state. */
export async function checkLatency(
  client: EngineClient,
  words: number,
  queries: readonly GrowthQuery[],
  floor: Floor,
): Promise<Latency> {
  const times: number[] = [];
  const floors: number[] = [];
  const marks = { planted: 0, found: 0, beside: 0, all: 0 };
  let partial = 0;
  const before = await readMetrics(client);
  for (const [at, { text, planted }] of queries.entries()) {
    const { checkId, ms } = await timedCheck(client, text);
    times.push(ms);
    const report = await client.report(checkId, "?offset_unit=utf16");
    partial += Number(report.coverage !== "full");
    const marked = report.unique_passages.map(([start = 0, end = 0]) => ({ start, end }));
    const found = overlap(planted, marked);
    marks.planted += length(planted);
    marks.found += found;
    marks.beside += length(marked) - found;
    marks.all += text.length;
    floors.push(await replaySearches(floor.node, floor.index, floor.bodies[at] ?? []));
  }
  const after = await readMetrics(client);
  return {
    words,
    checks: queries.length,
    medianMs: median(times),
    slowestMs: Math.max(...times),
    stages: stageTimes(before, after, queries.length),
    floorMs: median(floors),
    recallPct: (100 * marks.found) / marks.planted,
    besidePct: (100 * marks.beside) / marks.all,
    partial,
  };
}

/** From sending the text to the end of its progress stream. */
export async function timedCheck(
  client: EngineClient,
  text: string,
): Promise<{ readonly checkId: string; readonly ms: number }> {
  const started = performance.now();
  const checkId = await client.submit(text);
  await (await client.request(`/v1/checks/${checkId}/progress`)).text();
  return { checkId, ms: performance.now() - started };
}

const STAGE_SECONDS = "similarity_check_stage_seconds_sum";

async function readMetrics(client: EngineClient): Promise<MetricsText> {
  return new MetricsText(await (await client.request("/metrics")).text());
}

function stageTimes(before: MetricsText, after: MetricsText, checks: number): Latency["stages"] {
  const spent = (metrics: MetricsText, stage: string) => metrics.sum(STAGE_SECONDS, { stage }) ?? 0;
  const ms = (stage: (typeof STAGES)[number]) =>
    (1000 * (spent(after, stage) - spent(before, stage))) / checks;
  return {
    chunking: ms("chunking"),
    fingerprinting: ms("fingerprinting"),
    retrieving: ms("retrieving"),
    aligning: ms("aligning"),
    assembling: ms("assembling"),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

function length(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Units that are in a span of either list; within a list they are disjoint. */
function overlap(some: readonly Span[], others: readonly Span[]): number {
  return some.reduce(
    (sum, a) =>
      sum +
      others.reduce((of, b) => of + Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start)), 0),
    0,
  );
}
