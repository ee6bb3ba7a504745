import { availableParallelism } from "node:os";
import { createExtractor } from "../../../extract/extractor.ts";
import { DomainError } from "../../../platform/domain-error.ts";
import { mapConcurrently } from "../../../platform/flow/concurrency.ts";
import type { CommandOutput } from "../../index/corpus-stores.ts";
import { type CollectionIngest, ingestCollection, pruneUnseen } from "../collection-ingest.ts";
import type { IngestProgress, IngestResult, IngestTally } from "../ingest-tally.ts";
import {
  BATCHES_IN_FLIGHT,
  type FreshSource,
  inBatches,
  SourceWriter,
  type WritableCorpus,
} from "../source-writer.ts";
import { countFolder, type FolderSurvey, surveyFolder } from "./folder-survey.ts";
import { createReadSource, type ReadResult } from "./read-source.ts";
import { folderCollection, realFolder } from "./walk-folder.ts";

/** Files that are read ahead of the extraction, so that no process waits for the disk. */
const READ_AHEAD = 2;

export type IngestFolderInput = CommandOutput & {
  readonly folder: string;
  /** Names the collection; by default the folder's real path does. See `folderCollection`. */
  readonly collection?: string | undefined;
  /** The language of new and changed files; detected when it is undefined. */
  readonly language: string | undefined;
  /** Whether documents of the collection whose file is gone are deleted. */
  readonly prune: boolean;
  /** Whether that is also done when the folder contains no file at all. */
  readonly allowEmpty?: boolean | undefined;
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
};

/** Brings the corpus into line with a folder; may be interrupted and run again. @throws DomainError `invalid_input` */
export function createIngestFolder(corpus: WritableCorpus) {
  return async (input: IngestFolderInput): Promise<IngestResult> => {
    const root = await realFolder(input.folder);
    const collection = folderCollection(root, input.collection);
    return ingestCollection(corpus, { ...input, collection, keepsSeen: input.prune }, (held) =>
      ingest({ ...corpus, ...input, ...held, root, collection }),
    );
  };
}

type Run = WritableCorpus &
  IngestFolderInput &
  CollectionIngest & { readonly root: string; readonly collection: string };

async function ingest(run: Run): Promise<void> {
  const { collection, language, prune, tally, say, signal } = run;
  const processes = availableParallelism();
  const extractor = createExtractor({ processes, ocr: run.ocr });
  const counting = new AbortController();
  const counted = countFolder(run.root, (total, isFinal) => tally.expect(total, isFinal), counting.signal);
  try {
    const survey: FolderSurvey = { hidesFiles: false, isEmpty: true, outsideLinks: 0 };
    const writer = new SourceWriter(run);
    const readSource = createReadSource({ ...run, extractor });

    const read = mapConcurrently(surveyFolder(run, survey), processes + READ_AHEAD, readSource);
    const keptLanguages = new Map<string, number>();
    const batches = inBatches(freshSources(read, tally, keptLanguages));
    const written = mapConcurrently(batches, BATCHES_IN_FLIGHT, (batch) => writer.write(batch));
    for await (const _ of written) signal?.throwIfAborted();
    await writer.flush();
    await writer.finishPending(collection);

    if (survey.outsideLinks > 0) say(notFollowed(survey.outsideLinks));
    const otherLanguages = keptLanguagesNotice(keptLanguages, language, collection);
    if (otherLanguages !== undefined) say(otherLanguages);
    if (prune && survey.isEmpty) await assertMayBeEmptied(run);
    if (prune && survey.hidesFiles) say("No document was deleted, because a directory could not be read.");
    else if (prune) await pruneUnseen(run, run, "whose file is gone");
  } finally {
    counting.abort();
    await counted;
    await extractor.close();
  }
}

async function* freshSources(
  read: AsyncIterable<ReadResult>,
  tally: IngestTally,
  keptLanguages: Map<string, number>,
): AsyncGenerator<FreshSource> {
  for await (const file of read) {
    if (file.outcome === "unchanged") {
      const { language } = file.known;
      tally.count("unchanged");
      keptLanguages.set(language, (keptLanguages.get(language) ?? 0) + 1);
    } else if (file.outcome === "failed") tally.fail(file.path, file.reason);
    else yield file;
  }
}

function notFollowed(links: number): string {
  return links === 1
    ? "1 symbolic link leads out of the folder and was not followed."
    : `${links} symbolic links lead out of the folder and were not followed.`;
}

/** Unchanged documents keep their language; undefined when it is the requested one for all of them, or none was requested. */
function keptLanguagesNotice(
  kept: ReadonlyMap<string, number>,
  requested: string | undefined,
  collection: string,
): string | undefined {
  if (requested === undefined) return undefined;
  const others = [...kept].filter(([language]) => language !== requested).toSorted((a, b) => b[1] - a[1]);
  const total = others.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return undefined;
  const documents =
    total === 1 ? "1 unchanged document keeps its" : `${total} unchanged documents keep their`;
  const languages = others.map(([language, count]) => `${count} ${language}`).join(", ");
  const codes = others.map(([language]) => language).join(",");
  return [
    `${documents} language (${languages}); new and changed files get ${requested}.`,
    "To change it, remove the documents and ingest the folder again:",
    `npm run corpus:remove -- --collection '${collection.replaceAll("'", "'\\''")}' --language ${codes}`,
  ].join(" ");
}

/** An empty folder is more often an unmounted drive than a library that was given up. @throws DomainError `invalid_input` */
async function assertMayBeEmptied(run: Run): Promise<void> {
  const { root, collection, allowEmpty, database, documents, withRetries } = run;
  if (allowEmpty === true) return;
  if (!(await withRetries(() => documents.hasPlatform(database, collection)))) return;
  throw new DomainError(
    "invalid_input",
    `${root} contains no files, but the corpus has documents of this folder. No document was deleted: is the folder mounted? To delete all of them, add --allow-empty.`,
  );
}
