import process from "node:process";
import { parseArgs } from "node:util";
import {
  type BulkCollection,
  type BulkSelection,
  listBulkCollections,
  pagesOfBulkDocuments,
} from "../../src/corpus/upkeep/bulk-documents.ts";
import { printResult, readCommand } from "../../src/platform/terminal/command.ts";
import { visibleText } from "../../src/platform/terminal/terminal-text.ts";
import type { Corpus } from "../../src/service/connect-corpus.ts";
import {
  collectionLines,
  readSelection,
  SELECTION_OPTIONS,
  SELECTION_USAGE,
} from "../../tools/commands/bulk-selection.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";

const USAGE = `Usage: npm run corpus:list -- [OPTION…]

Lists the collections of the corpus: folders, indices, queries, the sample corpus, and what programs have loaded, with the
numbers of their documents and chunks. With options, only documents that meet all of them count. Uploaded documents are
not among them.

${SELECTION_USAGE}
  --documents          list the documents instead: when they were added, their language, path and address
  --json               print JSON on the standard output: the list in one line, or each document in a line of its own`;

type Request = {
  readonly selection: BulkSelection;
  readonly documents: boolean;
  readonly json: boolean;
};

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runList(request);

async function readRequest(args: string[]): Promise<Request> {
  const { values } = parseArgs({
    args,
    options: {
      ...SELECTION_OPTIONS,
      documents: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  return { selection: await readSelection(values), documents: values.documents, json: values.json };
}

function runList({ selection, documents, json }: Request): Promise<void> {
  return runCorpusCommand(async (corpus, { signal }) => {
    const collections = await listBulkCollections(corpus, selection, signal);
    if (documents) await printDocuments(corpus, selection, collections, json, signal);
    else {
      const lines = collections.length === 0 ? ["There are none."] : collectionLines(collections);
      printResult(lines, json ? { collections: collections.map(presentJson) } : undefined);
    }
    return 0;
  });
}

async function printDocuments(
  { database }: Corpus,
  selection: BulkSelection,
  collections: readonly BulkCollection[],
  json: boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const { collection } of collections) {
    if (!json) process.stdout.write(`${visibleText(collection)}\n`);
    for await (const page of pagesOfBulkDocuments(database, selection, collection)) {
      signal.throwIfAborted();
      for (const { documentId, path, title, language, sourceUrl, createdAt } of page) {
        const line = json
          ? JSON.stringify({
              document_id: documentId,
              ...{ collection, path, title, language },
              source_url: sourceUrl,
              created_at: new Date(createdAt).toISOString(),
            })
          : `  ${createdAt.slice(0, 10)}  ${language}  ${visibleText(sourceUrl === null ? path : `${path}  ${sourceUrl}`)}`;
        process.stdout.write(`${line}\n`);
      }
    }
  }
}

function presentJson({ collection, documents, chunks, firstAdded, lastAdded }: BulkCollection) {
  return { collection, documents, chunks, first_added: firstAdded, last_added: lastAdded };
}
