import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import type { EngineClient } from "../../test/support/client.ts";
import { prose } from "../../test/support/work/prose.ts";
import type { Figure } from "./check-benchmark.ts";

const WARM_UP = 3;
const RUNS = 20;

/** A paper, and the largest text that the upload limit lets in by default. */
const PAPER_WORDS = 6_000;
const LARGEST_BYTES = 10 * 1024 * 1024;

/** From the POST of an upload on an idle service to the moment at which a check finds the document. */
export async function uploads(client: EngineClient): Promise<Figure[]> {
  const milliseconds: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const taken = await matchableAfter(client, prose(50_000 + run, PAPER_WORDS));
    if (run >= WARM_UP) milliseconds.push(taken);
  }
  milliseconds.sort((a, b) => a - b);
  const largest = await matchableAfter(client, prose(60_000, LARGEST_BYTES / 5).slice(0, LARGEST_BYTES));
  return [
    {
      name: "upload of 6,000 words, matchable after, median of 20",
      value: milliseconds[RUNS / 2] ?? 0,
      unit: "ms",
      target: "< 1,000",
    },
    { name: "upload of 6,000 words, slowest of 20", value: milliseconds.at(-1) ?? 0, unit: "ms" },
    { name: "upload of 10 MB of text, matchable after", value: largest / 1000, unit: "s" },
  ];
}

async function matchableAfter(client: EngineClient, content: string): Promise<number> {
  const started = performance.now();
  const response = await client.upload("/v1/corpus/documents", { name: "upload.txt", content });
  const { document_id } = DocumentMetadata.parse(await response.json());
  // This asks every 20 ms, without a check's own time.
  await client.fingerprinted(document_id);
  return performance.now() - started;
}
