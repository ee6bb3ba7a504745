import { parseArgs } from "node:util";
import { runCorpusCommand } from "../../src/app/command.ts";
import type { ReadableShingle } from "../../src/corpus/frequencies/list-frequent-shingles.ts";
import {
  FREQUENT_DOCUMENTS_MIN,
  FREQUENT_SHARE,
  type MeasuredFrequencies,
  SAMPLE_CHUNKS,
} from "../../src/corpus/frequencies/measure-frequencies.ts";
import type { Saving } from "../../src/corpus/frequencies/measure-saving.ts";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";

const USAGE = `Usage: npm run corpus:frequencies -- [--sample N] [--share S] [--documents N] [--json]

Finds the shingles (five words in a row) that stand in so much of the corpus that sharing them says nothing: licence texts,
page furniture, set phrases. From the next check on they are not searched for, and what consists of nothing else is not
reported. May run beside the service; run it again when the corpus has grown by half.

  --sample N     chunks that are drawn to find them; ${SAMPLE_CHUNKS} by default
  --share S      of all chunks in which a frequent shingle stands at least; ${FREQUENT_SHARE} by default
  --documents N  in which it stands at least, however small the corpus; ${FREQUENT_DOCUMENTS_MIN} by default
  --json         prints the result as JSON in the last line of the standard output`;

/** As many as a person reads to see whether the limits are right. */
const SHOWN = 20;

/** Rows of the table that are written for dashboards: more than a person scrolls through. */
const DASHBOARD_ROWS = 200;

/** Searches that are compared: a few seconds' worth over 50,000 chunks. */
const COMPARED_QUERIES = 200;

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
    throw new UsageError(`--sample must be a whole number from 1 on, and is "${values.sample}".`);
  if (share === undefined || !(share > 0 && share <= 1))
    throw new UsageError(`--share must be more than 0 and at most 1, and is "${values.share}".`);
  if (!isCount(documentsMin))
    throw new UsageError(`--documents must be a whole number from 1 on, and is "${values.documents}".`);
  return { sampleChunks, share, documentsMin, json: values.json };
}

function isCount(number: number | undefined): number is number {
  return Number.isSafeInteger(number) && Number(number) >= 1;
}

function runMeasurement({ json, ...options }: Request): Promise<void> {
  return runCorpusCommand(
    async (
      { measureFrequencies, measureSaving, listFrequentShingles, frequentShinglesIndex },
      { signal, say },
    ) => {
      const measured = await measureFrequencies({ ...options, say, signal });
      const listed = await listFrequentShingles(DASHBOARD_ROWS);
      const measured_at = measured.measuredAt.toISOString();
      await frequentShinglesIndex.replaceList(
        listed.map(({ term, example, chunks, share }) => ({
          term,
          example,
          chunk_count: chunks,
          share,
          measured_at,
        })),
      );
      const mostFrequent = listed.slice(0, SHOWN);
      say(`Searching for ${COMPARED_QUERIES} chunks of the corpus, with and without them`);
      const saving = await measureSaving(COMPARED_QUERIES);
      printResult(
        present(measured, mostFrequent, saving),
        json ? presentJson(measured, mostFrequent, saving) : undefined,
      );
      return 0;
    },
  );
}

function present(measured: MeasuredFrequencies, shown: readonly ReadableShingle[], saving: Saving): string[] {
  const { terms, sampledChunks, chunks, chunksMin, documentsMin, seconds } = measured;
  return [
    ...textTable([
      ["frequent shingles", String(terms)],
      ["found in", `${sampledChunks} of ${chunks} chunks, in ${seconds.toFixed(1)} s`],
      ["they stand in", `${chunksMin} chunks and ${documentsMin} documents at least`],
    ]),
    ...(shown.length === 0 ? [] : ["", ...table(shown)]),
    "",
    ...(saving.queries === 0 ? ["The corpus is empty."] : savingLines(saving)),
  ];
}

function table(shown: readonly ReadableShingle[]): string[] {
  const rows = shown.map(({ chunks, share, documents, example }) => [
    String(chunks),
    `${(100 * share).toFixed(2)}%`,
    String(documents),
    example,
  ]);
  return textTable([["chunks", "of all", "documents", "the most frequent ones"], ...rows]);
}

function savingLines(saving: Saving): string[] {
  const { queries, terms, frequentTerms, postings, postingsWithout, searchMs, searchMsWithout } = saving;
  const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)}%`;
  const each = (ms: number) => (ms / queries).toFixed(2);
  return [
    `Of the terms of ${queries} chunks of the corpus, checks leave out ${share(frequentTerms, terms)}; with them go`,
    `${share(postings - postingsWithout, postings)} of the index entries that a search goes through (${postings} before). A search takes ${each(searchMsWithout)} ms`,
    `instead of ${each(searchMs)} ms, ${(searchMsWithout / Math.max(0.001, searchMs)).toFixed(2)} of the time.`,
  ];
}

function presentJson(measured: MeasuredFrequencies, shown: readonly ReadableShingle[], saving: Saving) {
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
    saving: {
      queries: saving.queries,
      terms: saving.terms,
      frequent_terms: saving.frequentTerms,
      postings: saving.postings,
      postings_without: saving.postingsWithout,
      search_ms: saving.searchMs,
      search_ms_without: saving.searchMsWithout,
    },
  };
}
