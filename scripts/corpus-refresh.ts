import process from "node:process";
import { parseArgs } from "node:util";
import type { CorpusStatistics } from "../src/corpus/index.ts";
import { runCorpusCommand } from "../src/corpus-command.ts";
import { textTable } from "../src/platform/terminal/text-table.ts";

const USAGE = `Usage: npm run corpus:refresh -- [--merge] [--json]

Brings the statistics of both stores up to date after many documents have come or gone, and says how large the corpus is.
May run beside the service.

  --merge  also merges the segments of the index, to at most 5 GB each. It rewrites the whole index: for a quiet hour
           after a bulk load. When the command is stopped, OpenSearch goes on with it
  --json   prints the result as JSON in the last line of the standard output`;

/** Wrong usage, told apart from a refresh that failed. */
const USAGE_STATUS = 2;

type Request = { readonly merge: boolean; readonly json: boolean };

const request = readRequest(process.argv.slice(2));
if (typeof request === "string") {
  (request === "" ? process.stdout : process.stderr).write(`${request}${USAGE}\n`);
  process.exitCode = request === "" ? 0 : USAGE_STATUS;
} else await runRefresh(request);

/** Gives what is wrong, in a line; an empty one when help was asked for. */
function readRequest(args: string[]): Request | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        merge: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    return values.help ? "" : { merge: values.merge, json: values.json };
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n`;
  }
}

function runRefresh({ merge, json }: Request): Promise<void> {
  return runCorpusCommand(async ({ refreshStatistics }, { signal, say }) => {
    const statistics = await refreshStatistics({ merge, say, signal });
    const out = json ? process.stderr : process.stdout;
    for (const line of present(statistics)) out.write(`${line}\n`);
    if (json) process.stdout.write(`${JSON.stringify(presentJson(statistics))}\n`);
    return 0;
  });
}

function present(statistics: CorpusStatistics): string[] {
  const { documents, corpusSources, chunks, segments, textBytes, postgresBytes, indexBytes } = statistics;
  const size = (bytes: number) =>
    textBytes === 0 ? megabytes(bytes) : `${megabytes(bytes)}, ${(bytes / textBytes).toFixed(2)} of the text`;
  return [
    ...textTable([
      ["documents", String(documents)],
      ["  that checks run against", `${corpusSources} (corpus_sources in reports)`],
      ["chunks", `${chunks} in ${segments} segments`],
      ["plain text", megabytes(textBytes)],
      ["PostgreSQL", size(postgresBytes)],
      ["OpenSearch", size(indexBytes)],
      ["together", size(postgresBytes + indexBytes)],
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
