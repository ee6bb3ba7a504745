import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { SampleArticle } from "../../src/corpus/sample-corpus/select-articles.ts";
import type { EngineClient } from "../../test/support/client.ts";
import { descendants } from "../../test/support/processes/process-tree.ts";
import { prose } from "../../test/support/work/prose.ts";

export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: string;
};

const WARM_UP = 5;
const RUNS = 20;

/** Checks of 1,000 words from the corpus itself, each from the POST to the `complete` event. */
export async function shortChecks(
  client: EngineClient,
  articles: readonly SampleArticle[],
): Promise<Figure[]> {
  const milliseconds: number[] = [];
  const waits: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const query = wordsFrom(articles, run * 7, 1_000);
    const started = performance.now();
    const checkId = await client.submit(query);
    await (await client.request(`/v1/checks/${checkId}/progress`)).text();
    if (run >= WARM_UP) milliseconds.push(performance.now() - started);
    const check = await client.check(checkId);
    waits.push(Date.parse(check.started_at ?? "") - Date.parse(check.created_at));
  }
  milliseconds.sort((a, b) => a - b);
  waits.sort((a, b) => a - b);
  return [
    {
      name: "check of 1,000 words, median of 20",
      value: milliseconds[RUNS / 2] ?? 0,
      unit: "ms",
      target: "< 300",
    },
    { name: "check of 1,000 words, slowest of 20", value: milliseconds.at(-1) ?? 0, unit: "ms" },
    { name: "picked up after, slowest of 25", value: waits.at(-1) ?? 0, unit: "ms", target: "< 50" },
  ];
}

/**
 * One check of the longest accepted text. A third of the text is in the corpus. Meanwhile `/health` is requested
 * without a pause, to measure how long the event loop was blocked.
 */
export async function longestCheck(client: EngineClient, pid: number | undefined): Promise<Figure[]> {
  const query = prose(99, 90_000).slice(0, 500_000);
  await client.addDocument("longest.txt", query.slice(100_000, 270_000));
  await client.ended(await client.submit(query.slice(0, 100_000)));

  const watch = watchHealth(client);
  const started = performance.now();
  const checkId = await client.submit(query);
  await client.ended(checkId);
  const seconds = (performance.now() - started) / 1000;
  const health = await watch.stop();

  const report = await client.report(checkId);
  return [
    { name: "check of 500,000 characters", value: seconds, unit: "s", target: "< 30" },
    { name: "share that is marked (a third was planted)", value: report.overall_similarity_pct, unit: "%" },
    { name: "/health meanwhile, slowest", value: health.slowestMs, unit: "ms", target: "< 50" },
    { name: "/health meanwhile, median", value: health.medianMs, unit: "ms" },
    {
      name: "memory of the service at its peak",
      value: await peakMemoryMb(pid),
      unit: "MB",
      target: "< 1,000",
    },
  ];
}

function wordsFrom(articles: readonly SampleArticle[], first: number, count: number): string {
  const words: string[] = [];
  for (let at = first; words.length < count; at += 1) {
    const paragraphs = articles[at % articles.length]?.text.split("\n\n").slice(1, 3) ?? [];
    words.push(...paragraphs.join(" ").split(/\s+/));
  }
  return words.slice(0, count).join(" ");
}

function watchHealth(client: EngineClient) {
  const times: number[] = [];
  let isOn = true;
  const asking = (async () => {
    while (isOn) {
      const started = performance.now();
      await (await client.request("/health")).text();
      times.push(performance.now() - started);
      await sleep(1);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await asking;
      times.sort((a, b) => a - b);
      return { slowestMs: times.at(-1) ?? 0, medianMs: times[times.length >> 1] ?? 0 };
    },
  };
}

/** The kernel's own high-water mark of the service's process; not a number where the system keeps none. */
export async function peakMemoryMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
}

/** The sum of these marks of a process and of all that it has started. */
export async function peakMemoryWithChildrenMb(pid: number | undefined): Promise<number> {
  const memory = await Promise.all([pid, ...descendants(pid ?? 0)].map(peakMemoryMb));
  return memory.reduce((sum, mb) => sum + mb, 0);
}
