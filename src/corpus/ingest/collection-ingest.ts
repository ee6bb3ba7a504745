import { DomainError } from "../../platform/domain-error.ts";
import {
  createRetryPolicy,
  isStoreUnavailable,
  type RetryPolicy,
  STORE_WAIT_MS,
} from "../../platform/flow/retry-policy.ts";
import type { CommandOutput } from "../index/corpus-stores.ts";
import { CollectionSession } from "./collection-session.ts";
import { type IngestProgress, type IngestResult, IngestTally } from "./ingest-tally.ts";
import type { WritableCorpus } from "./source-writer.ts";

/** Documents deleted in one statement, with their texts and their rows in reports. */
const DELETED_AT_ONCE = 500;

export const GOES_ON = "Run the same command again to continue where it stopped.";

type CollectionOptions = CommandOutput & {
  readonly collection: string;
  /** Whether the seen paths are kept, for `pruneUnseen`. */
  readonly keepsSeen: boolean;
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
};

export type CollectionIngest = {
  readonly session: CollectionSession;
  readonly tally: IngestTally;
  readonly withRetries: RetryPolicy;
};

/** Runs `work` while no other ingest works on the collection. @throws as `work`; `store_unavailable` says how to continue. */
export async function ingestCollection(
  { databaseUrl, storeWaitMs = STORE_WAIT_MS }: WritableCorpus,
  options: CollectionOptions,
  work: (ingest: CollectionIngest) => Promise<void>,
): Promise<IngestResult> {
  const tally = new IngestTally(options.onProgress);
  const withRetries = createRetryPolicy({ ...options, waitMs: storeWaitMs });
  try {
    const session = await withRetries(() => CollectionSession.open({ ...options, databaseUrl }));
    try {
      await work({ session, tally, withRetries });
      return tally.result();
    } finally {
      await session.close();
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isStoreUnavailable(error)) throw error;
    throw new DomainError(error.code, `${error.message} ${GOES_ON}`, { cause: error.cause });
  }
}

/**
 * Deletes the documents of the collection whose path was not seen. A lost session, which no longer knows, counts as a failure.
 * @param gone names them: "whose file is gone".
 */
export async function pruneUnseen(
  { documents }: WritableCorpus,
  { session, tally }: CollectionIngest,
  gone: string,
): Promise<void> {
  try {
    if (session.isLost) return failed();
    for await (const unseen of session.unseen()) {
      for (let from = 0; from < unseen.length; from += DELETED_AT_ONCE) {
        const ids = unseen.slice(from, from + DELETED_AT_ONCE);
        tally.count("removed", await documents.deletePlatform(session, ids));
      }
    }
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    failed();
  }

  function failed(): void {
    tally.fail(".", `The connection to the database was lost: documents ${gone} remain until the next run.`);
  }
}

/** With a path of `PATH_BYTES_MAX`, it fits into an entry of PostgreSQL's index (2,704 bytes). */
const COLLECTION_BYTES_MAX = 600;

const COLLECTION_NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The name of a collection, with its kind before it, which sets it apart from others such as the sample corpus.
 * @param own used when no name is given. @throws DomainError `invalid_input`
 */
export function namedCollection(
  kind: "folder" | "index" | "oai" | "sql",
  own: string,
  name: string | undefined,
): string {
  if (name !== undefined && !COLLECTION_NAME.test(name)) {
    throw new DomainError(
      "invalid_input",
      "A collection name consists of up to 100 letters (a to z), digits, `.`, `_` and `-`.",
    );
  }
  const collection = name === undefined ? own : `${kind}:${name}`;
  if (Buffer.byteLength(collection) > COLLECTION_BYTES_MAX) {
    throw new DomainError(
      "invalid_input",
      `${own} is too long for a collection name; set one with --collection.`,
    );
  }
  return collection;
}
