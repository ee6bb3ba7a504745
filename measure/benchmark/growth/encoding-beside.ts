import type { EngineClient } from "../../../test/support/client.ts";
import { median, timedCheck } from "./check-latency.ts";
import type { GrowthQuery } from "./growth-queries.ts";

/** Seeds of the uploaded documents; the corpus and the queries have others. */
const UPLOAD_SEEDS = 2_000_000_000;

/** A text of the usual length, for the time until it is matchable. */
const UPLOAD_WORDS = 1_500;

/** Takes the encoder longer than the checks beside it. */
const BACKLOG_WORDS = 60_000;
const BACKLOG_DOCUMENTS = 4;

/** How long documents take to become matchable, and how much their encoding slows concurrent checks. */
export type EncodingBeside = {
  /** From the upload of a text of 1,500 words. */
  readonly matchableByWordsMs: number;
  readonly matchableByMeaningMs: number;
  /** Medians of checks. */
  readonly idleMs: number;
  readonly besideMs: number;
};

/** The documents that it uploads are deleted again. */
export async function encodingBeside(
  client: EngineClient,
  queries: readonly GrowthQuery[],
  textOf: (seed: number, words: number) => string,
): Promise<EncodingBeside> {
  const started = performance.now();
  const text = textOf(UPLOAD_SEEDS, UPLOAD_WORDS);
  const { document_id } = await client.addDocument("short.txt", text);
  const matchableByWordsMs = performance.now() - started;
  await client.encoded([document_id]);
  const matchableByMeaningMs = performance.now() - started;

  const idleMs = await medianOf(client, queries);
  const added = [document_id];
  for (let at = 1; at <= BACKLOG_DOCUMENTS; at += 1)
    added.push((await client.addDocument(`${at}.txt`, textOf(UPLOAD_SEEDS + at, BACKLOG_WORDS))).document_id);
  const besideMs = await medianOf(client, queries);
  for (const id of added) await client.request(`/v1/corpus/documents/${id}`, { method: "DELETE" });
  return { matchableByWordsMs, matchableByMeaningMs, idleMs, besideMs };
}

async function medianOf(client: EngineClient, queries: readonly GrowthQuery[]): Promise<number> {
  const times: number[] = [];
  for (const { text } of queries) times.push((await timedCheck(client, text)).ms);
  return median(times);
}
