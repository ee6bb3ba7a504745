import { groupItems } from "../../../platform/flow/concurrency.ts";
import type { Document } from "../../documents/document.ts";
import type { CorpusStores } from "../../index/corpus-stores.ts";
import type { CollectionIngest } from "../collection-ingest.ts";
import { type FolderFile, walkFolder } from "./walk-folder.ts";

/** Paths looked up in one statement: as many as the files of a batch. */
const GROUP = { countMax: 200, sizeMax: Number.POSITIVE_INFINITY, sizeOf: () => 0 } as const;

/** How often the count of the folder is reported, in entries. */
const COUNTED_AT_ONCE = 1_000;

type SurveyRun = CorpusStores &
  CollectionIngest & { readonly root: string; readonly collection: string; readonly prune: boolean };

export type FoundFile = { readonly file: FolderFile; readonly known: Document | undefined };

export type FolderSurvey = {
  /** Whether a directory could not be read, so that its files are unknown. */
  hidesFiles: boolean;
  /** Whether nothing was found that is or might be a document. */
  isEmpty: boolean;
  /** The number of symbolic links that lead out of the folder. */
  outsideLinks: number;
};

/** Yields the files of a folder with their documents in the corpus; notes faults, links and, for pruning, every path. */
export async function* surveyFolder(run: SurveyRun, survey: FolderSurvey): AsyncGenerator<FoundFile> {
  const { root, collection, prune, database, documents, session, tally, withRetries } = run;
  for await (const group of groupItems(walkFolder(root), GROUP)) {
    for (const entry of group) {
      if (entry.kind === "outside") survey.outsideLinks++;
      else survey.isEmpty = false;
      if (entry.kind !== "fault") continue;
      tally.fail(entry.path, entry.reason);
      survey.hidesFiles ||= entry.hides;
    }
    const files = group.filter((entry) => entry.kind === "file");
    const paths = files.map(({ path }) => path);
    const [known] = await Promise.all([
      withRetries(() => documents.findByPaths(database, collection, paths)),
      // An unreadable file still exists; a link that leads out is not part of the folder.
      prune && session.see(group.filter(({ kind }) => kind !== "outside").map(({ path }) => path)),
    ]);
    for (const file of files) yield { file, known: known.get(file.path) };
  }
}

/** Counts the entries that an ingest of the folder will process, and reports the count on the way. */
export async function countFolder(
  root: string,
  tell: (total: number, isFinal: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let total = 0;
  for await (const { kind } of walkFolder(root)) {
    if (signal.aborted) return;
    if (kind !== "outside" && ++total % COUNTED_AT_ONCE === 0) tell(total, false);
  }
  tell(total, true);
}
