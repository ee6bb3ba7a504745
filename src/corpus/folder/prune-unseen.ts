import { DomainError } from "../../core/domain-error.ts";
import { isStoreUnavailable, type RetryPolicy } from "../../platform/flow/retry-policy.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { DocumentStore } from "../document-store.ts";
import type { CollectionSession } from "./collection-session.ts";
import type { IngestTally } from "./ingest-tally.ts";

/** Documents that are removed in one statement, with their texts and their rows in reports. */
const REMOVED_AT_ONCE = 500;

type Parts = {
  readonly documents: DocumentStore;
  readonly session: CollectionSession;
  readonly tally: IngestTally;
};

/**
 * Removes the documents of the collection whose path was not seen. It stops where that is not known for sure: when the
 * session is lost, which then counts as a failure.
 */
export async function pruneUnseen({ documents, session, tally }: Parts): Promise<void> {
  const isDone = await removeAll();
  if (!isDone) {
    tally.fail(
      ".",
      "The connection to the database was lost: documents whose file is gone remain until the next run.",
    );
  }

  async function removeAll(): Promise<boolean> {
    if (session.isLost) return false;
    try {
      for await (const unseen of session.unseen()) {
        for (let from = 0; from < unseen.length; from += REMOVED_AT_ONCE) {
          const ids = unseen.slice(from, from + REMOVED_AT_ONCE);
          tally.count("removed", await documents.deletePlatform(session, ids));
        }
      }
      return true;
    } catch (error) {
      if (isStoreUnavailable(error)) return false;
      throw error;
    }
  }
}

type Emptied = {
  readonly root: string;
  readonly collection: string;
  readonly allowEmpty?: boolean | undefined;
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly withPatience: RetryPolicy;
};

/**
 * A folder without files is more often a mount that is missing, or a wrong name, than a library that was given up.
 * @throws DomainError `invalid_input` when pruning would remove documents, and that was not asked for.
 */
export async function assertMayBeEmptied(run: Emptied): Promise<void> {
  const { root, collection, allowEmpty, database, documents, withPatience } = run;
  if (allowEmpty === true) return;
  if (!(await withPatience(() => documents.hasPlatform(database, collection)))) return;
  throw new DomainError(
    "invalid_input",
    `There is no file in ${root}, and the corpus has documents of it. Nothing is removed: is the folder mounted? If all of them are to go, add --allow-empty.`,
  );
}
