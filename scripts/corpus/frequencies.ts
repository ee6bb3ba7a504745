import { parseArgs } from "node:util";
import type { ReadableShingle } from "../../src/corpus/index/measure-frequencies.ts";
import {
  FREQUENT_DOCUMENTS_MIN,
  FREQUENT_SHARE,
  type MeasuredFrequencies,
  SAMPLE_CHUNKS,
} from "../../src/corpus/index/measure-frequencies.ts";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";

const USAGE = `Usage: npm run corpus:frequencies -- [--sample N] [--share S] [--documents N] [--json]

Finds shingles (five words in a row) that occur in so many chunks that sharing them means nothing: licence texts, page
templates, boilerplate. From the next check on they are not searched for, and passages that contain nothing else are not
reported. The service may be running. Run it again when the corpus has grown by half.

  --sample N     number of sampled chunks; ${SAMPLE_CHUNKS} by default
  --share S      smallest share of all chunks that contain a frequent shingle; ${FREQUENT_SHARE} by default
  --documents N  smallest number of documents that contain it, however small the corpus; ${FREQUENT_DOCUMENTS_MIN} by default
  --json         print the result as JSON on the last line of standard output`;

/** Enough for a person to judge the limits. */
const SHOWN = 20;

type Request = {
  readonly sampleChunks: number;
  readonly share: number;
  readonly documentsMin: number;
  readonly json: boolean;
};

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runMeasurement(request);

function readRequest(args: string[]): Request {
  const { values } = parseArgs({
    args,
    options: {
      sample: { type: "string", default: String(SAMPLE_CHUNKS) },
      share: { type: "string", default: String(FREQUENT_SHARE) },
      documents: { type: "string", default: String(FREQUENT_DOCUMENTS_MIN) },
      json: { type: "boolean", default: false },
    },
  });
  const [sampleChunks, share, documentsMin] = [values.sample, values.share, values.documents].map(Number);
  if (!isCount(sampleChunks))
    throw new UsageError(`--sample must be a whole number of at least 1, not "${values.sample}".`);
  if (share === undefined || !(share > 0 && share <= 1))
    throw new UsageError(`--share must be more than 0 and at most 1, not "${values.share}".`);
  if (!isCount(documentsMin))
    throw new UsageError(`--documents must be a whole number of at least 1, not "${values.documents}".`);
  return { sampleChunks, share, documentsMin, json: values.json };
}

function isCount(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && Number(number) >= 1;
}

function runMeasurement({ json, ...options }: Request): Promise<void> {
  return runCorpusCommand(async ({ measureFrequencies, listFrequentShingles }, { signal, say }) => {
    const measured = await measureFrequencies({ ...options, say, signal });
    const shown = await listFrequentShingles(SHOWN);
    printResult(present(measured, shown), json ? presentJson(measured, shown) : undefined);
    return 0;
  });
}

function present(measured: MeasuredFrequencies, shown: readonly ReadableShingle[]): string[] {
  const { terms, sampledChunks, chunks, chunksMin, documentsMin, seconds } = measured;
  return [
    ...textTable([
      ["frequent shingles", String(terms)],
      ["found in", `${sampledChunks} of ${chunks} chunks, in ${seconds.toFixed(1)} s`],
      ["limits", `at least ${chunksMin} chunks and ${documentsMin} documents`],
    ]),
    ...(shown.length === 0 ? [] : ["", ...table(shown)]),
  ];
}

function table(shown: readonly ReadableShingle[]): string[] {
  const rows = shown.map(({ chunks, share, documents, example }) => [
    String(chunks),
    `${(100 * share).toFixed(2)}%`,
    String(documents),
    example,
  ]);
  return textTable([["chunks", "of all", "documents", "most frequent"], ...rows]);
}

function presentJson(measured: MeasuredFrequencies, shown: readonly ReadableShingle[]) {
  return {
    terms: measured.terms,
    version: measured.version,
    measured_at: measured.measuredAt.toISOString(),
    sampled_chunks: measured.sampledChunks,
    chunks: measured.chunks,
    chunks_min: measured.chunksMin,
    documents_min: measured.documentsMin,
    seconds: measured.seconds,
    most_frequent: shown.map(({ term, example, chunks, documents, share }) => ({
      term,
      example,
      chunks,
      documents,
      share,
    })),
  };
}
