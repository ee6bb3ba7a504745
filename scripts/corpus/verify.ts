import { parseArgs } from "node:util";
import { sampleDocuments } from "../../src/corpus/documents/document-store.ts";
import type { Repaired } from "../../src/corpus/upkeep/reconcile.ts";
import {
  createRepairCorpus,
  createVerifyCorpus,
  type Verification,
} from "../../src/corpus/upkeep/verify-corpus.ts";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";

const USAGE = `Usage: npm run corpus:verify -- [--repair] [--samples N] [--json]

Compares the documents in PostgreSQL with their chunks in OpenSearch: the number of chunks of every document, and the full
content of some random ones. The service may be running. Exits with 0 if both agree, 1 if they differ.

  --repair     rebuild the index if it is missing, repair the differences, then compare again; the second comparison
               decides the exit status. After a move to this cluster, also write the documents that changed meanwhile
  --samples N  number of documents whose full content is compared; 100 by default, 0 for none
  --json       print the result as JSON on the last line of standard output`;

/** A document of 6,000 words takes 16 ms, so a person waits a few seconds. */
const SAMPLES_DEFAULT = 100;
const SAMPLES_MAX = 1_000_000;

type Request = { readonly repair: boolean; readonly samples: number; readonly json: boolean };

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runVerification(request);

function readRequest(args: string[]): Request {
  const { values } = parseArgs({
    args,
    options: {
      repair: { type: "boolean", default: false },
      samples: { type: "string", default: String(SAMPLES_DEFAULT) },
      json: { type: "boolean", default: false },
    },
  });
  const samples = Number(values.samples);
  if (!/^\d+$/.test(values.samples) || samples > SAMPLES_MAX)
    throw new UsageError(`--samples must be a number from 0 to ${SAMPLES_MAX}, not "${values.samples}".`);
  return { repair: values.repair, samples, json: values.json };
}

function runVerification({ repair, samples, json }: Request): Promise<void> {
  return runCorpusCommand(async (corpus, { signal, say }) => {
    const lines: string[] = [];
    if (repair) await corpus.restoreIndex({ say, signal });
    const verifyCorpus = createVerifyCorpus(corpus);
    const sampleIds = await sampleDocuments(corpus.database, samples);
    say(`Comparing PostgreSQL with OpenSearch, and the full content of ${sampleIds.length} documents`);
    const found = await verifyCorpus({ sampleIds, signal });
    lines.push(...present(found));

    let repaired: Repaired | undefined;
    let state = found;
    if (repair && !found.agrees) {
      repaired = await createRepairCorpus(corpus)(found, { say, signal });
      state = await verifyCorpus({ sampleIds, signal });
      const { mended, failed } = repaired;
      lines.push(
        "",
        `Repaired ${mended} documents; ${failed} could not be repaired. Second comparison:`,
        "",
        ...present(state),
      );
    }
    printResult(lines, json ? { ...state, found, repaired: repaired ?? null } : undefined);
    return state.agrees ? 0 : 1;
  });
}

function present({ counts, differences, meaning, sampled, faults, agrees }: Verification): string[] {
  const { missing, pending, extra } = differences;
  const named = ({ count, documentIds }: typeof missing) =>
    [...documentIds, ...(count > documentIds.length ? [`and ${count - documentIds.length} more`] : [])].join(
      " ",
    );
  return [
    ...textTable([
      ["", "PostgreSQL", "OpenSearch"],
      ["documents", String(counts.documents), String(counts.indexedDocuments)],
      ["  pending", String(counts.pending), ""],
      ["chunks", String(counts.chunks), String(counts.indexedChunks)],
      ["documents matchable by meaning", String(meaning.encoded), ""],
      ["  waiting to be encoded", String(meaning.waiting), ""],
    ]),
    "",
    ...textTable([
      ["too few or too many chunks", String(missing.count), named(missing)],
      ["not fingerprinted in time", String(pending.count), named(pending)],
      ["chunks without a document", String(extra.count), named(extra)],
      ["compared in full", String(sampled), ""],
      ["  with faults", String(faults.length), ""],
    ]),
    ...faults.map((fault) => `    ${fault.documentId}: ${fault.faults.join("; ")}`),
    "",
    agrees ? "They agree." : "They differ.",
  ];
}
