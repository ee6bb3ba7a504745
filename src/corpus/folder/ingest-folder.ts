import { availableParallelism } from "node:os";
import { DomainError } from "../../core/domain-error.ts";
import { createExtractor } from "../../platform/extract/extractor.ts";
import { mapConcurrently } from "../../platform/flow/concurrency.ts";
import {
  createRetryPolicy,
  isStoreUnavailable,
  type RetryPolicy,
  STORE_WAIT_MS,
} from "../../platform/flow/retry-policy.ts";
import { CollectionSession } from "./collection-session.ts";
import { folderCollection, realFolder } from "./folder-root.ts";
import { countFolder, FolderSurvey } from "./folder-survey.ts";
import { type FolderIngest, type IngestProgress, IngestTally } from "./ingest-tally.ts";
import { KeptLanguages } from "./kept-languages.ts";
import { createPrepareFile, type FreshSource, type PreparedFile } from "./prepare-file.ts";
import { assertMayBeEmptied, pruneUnseen } from "./prune-unseen.ts";
import { createReadSourceFile } from "./read-source-file.ts";
import { inBatches, SourceWriter, type StoreParts } from "./store-sources.ts";

/** Files that are read beside those whose text is being extracted, so that no process waits for the disk. */
const READ_AHEAD = 2;

/** One batch is written while the next is prepared; more would only take memory. */
const BATCHES_IN_FLIGHT = 2;

/** What a person has to know of an ingest that was cut off. */
export const GOES_ON = "The same command goes on where this one stopped.";

export type IngestFolderInput = {
  readonly folder: string;
  /** Names the collection; without it the folder's real path does. See `folderCollection`. */
  readonly collection?: string | undefined;
  /** ISO 639-1 code of the documents' language. */
  readonly language: string;
  /** Whether documents of the collection whose file is gone are removed. */
  readonly prune: boolean;
  /** Whether that is also done when the folder holds no file at all. */
  readonly allowEmpty?: boolean | undefined;
  /** Is told, in one line each, what a person should know. */
  readonly say: (line: string) => void;
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Brings the corpus into line with a folder: when it returns, every document of the folder that could be read is
 * matchable. What could not be read is in the result. It may be cut off at any moment and run again.
 * @throws DomainError `invalid_input` for a folder that can't be read, and for one without files that would be pruned of all
 *   its documents; `store_unavailable` when a store stays away for minutes; the signal's reason.
 */
export type IngestFolder = (input: IngestFolderInput) => Promise<FolderIngest>;

type Parts = StoreParts & {
  readonly databaseUrl: string;
  /** How long a store may be away, in milliseconds. */
  readonly storeWaitMs?: number;
};

export function createIngestFolder(parts: Parts): IngestFolder {
  return async (input) => {
    const tally = new IngestTally(input.onProgress);
    const root = await realFolder(input.folder);
    const collection = folderCollection(root, input.collection);
    const withPatience = createRetryPolicy({ ...input, waitMs: parts.storeWaitMs ?? STORE_WAIT_MS });
    try {
      const session = await withPatience(() =>
        CollectionSession.open({
          ...input,
          databaseUrl: parts.databaseUrl,
          collection,
          keepsSeen: input.prune,
        }),
      );
      try {
        return await ingest({ ...parts, ...input, tally, root, collection, session, withPatience });
      } finally {
        await session.close();
      }
    } catch (error) {
      input.signal?.throwIfAborted();
      if (!isStoreUnavailable(error)) throw error;
      throw new DomainError(error.code, `${error.message} ${GOES_ON}`, { cause: error.cause });
    }
  };
}

type Run = Parts &
  IngestFolderInput & {
    readonly tally: IngestTally;
    /** The folder's real path. */
    readonly root: string;
    readonly collection: string;
    readonly session: CollectionSession;
    readonly withPatience: RetryPolicy;
  };

async function ingest(run: Run): Promise<FolderIngest> {
  const { collection, language, prune, documents, session, tally, say, signal } = run;
  const processes = availableParallelism();
  const extractor = createExtractor({ processes });
  const counting = new AbortController();
  const counted = countFolder(run.root, (total, isFinal) => tally.expect(total, isFinal), counting.signal);
  try {
    const survey = new FolderSurvey(run);
    const writer = new SourceWriter(run);
    const prepareFile = createPrepareFile({ ...run, extractor, readSourceFile: createReadSourceFile() });

    const prepared = mapConcurrently(survey.files(), processes + READ_AHEAD, prepareFile);
    const kept = new KeptLanguages();
    const batches = inBatches(freshOf(prepared, tally, kept));
    const written = mapConcurrently(batches, BATCHES_IN_FLIGHT, (batch) => writer.write(batch));
    for await (const _ of written) signal?.throwIfAborted();
    await writer.flush();
    await writer.finishPending(collection);

    if (survey.outsideLinks > 0) say(notFollowed(survey.outsideLinks));
    const otherLanguages = kept.told(language, collection);
    if (otherLanguages !== undefined) say(otherLanguages);
    if (prune && survey.isEmpty) await assertMayBeEmptied(run);
    if (prune && survey.hidesFiles) say("Nothing is removed, as a directory could not be read.");
    else if (prune) await pruneUnseen({ documents, session, tally });
    return tally.result();
  } finally {
    counting.abort();
    await counted;
    await extractor.close();
  }
}

/** Counts what needs no writing, and gives the rest. */
async function* freshOf(
  prepared: AsyncIterable<PreparedFile>,
  tally: IngestTally,
  kept: KeptLanguages,
): AsyncGenerator<FreshSource> {
  for await (const file of prepared) {
    if (file.outcome === "unchanged") {
      tally.count("unchanged");
      kept.note(file.known.language);
    } else if (file.outcome === "failed") tally.fail(file.path, file.reason);
    else yield file;
  }
}

function notFollowed(links: number): string {
  return links === 1
    ? "1 symbolic link leads out of the folder and was not followed."
    : `${links} symbolic links lead out of the folder and were not followed.`;
}
