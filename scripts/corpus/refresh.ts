import { parseArgs } from "node:util";
import type { CorpusStatistics } from "../../src/corpus/upkeep/refresh-corpus-statistics.ts";
import { printResult, readCommand } from "../../src/platform/terminal/command.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";

const USAGE = `Usage: npm run corpus:refresh -- [--json]

Updates the statistics of both stores after many documents were added or deleted, and reports the size of the corpus.
The service may be running.

  --json  print the result as JSON on the last line of standard output`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runRefresh(request);

function readRequest(args: string[]): { readonly json: boolean } {
  return parseArgs({ args, options: { json: { type: "boolean", default: false } } }).values;
}

function runRefresh({ json }: { readonly json: boolean }): Promise<void> {
  return runCorpusCommand(async ({ refreshStatistics }, { signal }) => {
    const statistics = await refreshStatistics(signal);
    printResult(present(statistics), json ? presentJson(statistics) : undefined);
    return 0;
  });
}

function present(statistics: CorpusStatistics): string[] {
  const { documents, corpusSources, chunks, segments, textBytes, postgresBytes, indexBytes } = statistics;
  const size = (bytes: number) =>
    textBytes === 0
      ? megabytes(bytes)
      : `${megabytes(bytes)}, ${(bytes / textBytes).toFixed(2)} times the text`;
  return [
    ...textTable([
      ["documents", String(documents)],
      ["  that checks compare with", String(corpusSources)],
      ["chunks", `${chunks} in ${segments} segments`],
      ["plain text", megabytes(textBytes)],
      ["PostgreSQL", size(postgresBytes)],
      ["OpenSearch", size(indexBytes)],
      ["total", size(postgresBytes + indexBytes)],
    ]),
    `Refreshed in ${statistics.seconds.toFixed(1)} s.`,
  ];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function presentJson(statistics: CorpusStatistics) {
  return {
    documents: statistics.documents,
    corpus_sources: statistics.corpusSources,
    chunks: statistics.chunks,
    segments: statistics.segments,
    text_bytes: statistics.textBytes,
    postgres_bytes: statistics.postgresBytes,
    index_bytes: statistics.indexBytes,
    index_bytes_with_copies: statistics.indexBytesWithCopies,
    bytes_per_text_byte: statistics.bytesPerTextByte,
    seconds: statistics.seconds,
  };
}
