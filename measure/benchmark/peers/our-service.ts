import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { EngineClient } from "../../../test/support/client.ts";
import { MetricsText } from "../../../test/support/metrics-text.ts";
import { ServiceProcess } from "../../../test/support/processes/service-process.ts";
import type { BenchmarkStores } from "../benchmark-stores.ts";
import { askUntilWarm, type PeerAnswer, type PeerJob, type PeerRun, type PeerText } from "./peer-job.ts";

const INGEST = join(import.meta.dirname, "..", "..", "..", "scripts", "ingest.ts");

const STAGES = ["chunking", "fingerprinting", "retrieving", "aligning", "assembling"] as const;

/** Where the time of the checks went, in seconds a check on average. */
export type StageSeconds = readonly (readonly [stage: string, seconds: number])[];

/**
 * The product as it is used: its command ingests the folder of the sources, a service in a process of its own takes
 * each query by HTTP. Its stores run and are empty before.
 * @param job its sources are the .txt files of one folder, under their names.
 */
export async function runOurService(
  { environment }: BenchmarkStores,
  { sources, queries }: PeerJob,
): Promise<PeerRun & { readonly stages: StageSeconds }> {
  const started = performance.now();
  await promisify(execFile)(process.execPath, [INGEST, dirname(sources[0]?.file ?? "")], {
    env: { ...process.env, ...environment },
  });
  const service = await ServiceProcess.start(environment);
  try {
    const run = await askUntilWarm(queries, (query) => check(service.client, query), started);
    return { ...run, stages: await stagesOf(service.client) };
  } finally {
    await service.end("SIGTERM");
  }
}

/** From the request to the `complete` event; its report is read after that. */
async function check(client: EngineClient, { name, file }: PeerText): Promise<PeerAnswer> {
  const text = await readFile(file, "utf8");
  const asked = performance.now();
  const checkId = await client.submit(text);
  await (await client.request(`/v1/checks/${checkId}/progress`)).text();
  const seconds = (performance.now() - asked) / 1000;
  const { coverage, sources } = await client.report(checkId);
  if (coverage !== "full") throw new Error(`the check of ${name} was not a full one`);
  const found = sources.map(({ source_filename, passages }) => {
    const spans = passages.map(({ query_start, query_end }) => ({ start: query_start, end: query_end }));
    return [source_filename, spans] as const;
  });
  return { queryName: name, seconds, found: new Map(found) };
}

async function stagesOf(client: EngineClient): Promise<StageSeconds> {
  const metrics = new MetricsText(await (await client.request("/metrics")).text());
  return STAGES.map((stage) => {
    const [sum = Number.NaN, count = Number.NaN] = ["sum", "count"].map((what) =>
      metrics.sum(`similarity_check_stage_seconds_${what}`, { stage }),
    );
    return [stage, sum / count];
  });
}
