import { realpath, stat } from "node:fs/promises";
import { DomainError } from "../../core/domain-error.ts";
import { errorCode, fileFault } from "./file-fault.ts";

/** Documents of a folder belong to a collection whose name begins so; others, as the sample corpus, don't. */
const COLLECTION_PREFIX = "folder:";

/** With a path of `PATH_BYTES_MAX` it fits into an entry of PostgreSQL's index, 2,704 bytes. */
const COLLECTION_BYTES_MAX = 600;

/** A name that a person gives a collection. */
const COLLECTION_NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The real path of a folder: symbolic links on the way there are resolved.
 * @throws DomainError `invalid_input` when there is none, or it is no directory.
 */
export async function realFolder(folder: string): Promise<string> {
  const refuse = (reason: string) =>
    new DomainError("invalid_input", `The folder ${folder} can't be read. ${reason}`);
  const found = await realpath(folder).catch((error: unknown) => {
    throw refuse(errorCode(error) === "ENOENT" ? "There is none at this path." : fileFault(error));
  });
  if (!(await stat(found)).isDirectory()) throw refuse("It is a file, not a folder.");
  return found;
}

/**
 * The collection that a folder's documents belong to: the folder's real path, or the name that is given, by which the
 * documents of a folder that was moved are found again. A path can't be mistaken for a name: it begins with a slash
 * or a drive.
 * @throws DomainError `invalid_input` for a name with other characters, or a path that is too long.
 */
export function folderCollection(root: string, name: string | undefined): string {
  if (name !== undefined && !COLLECTION_NAME.test(name)) {
    throw new DomainError(
      "invalid_input",
      "The name of a collection consists of letters (a to z), digits, `.`, `_` and `-`, at most 100.",
    );
  }
  const collection = `${COLLECTION_PREFIX}${name ?? root}`;
  if (Buffer.byteLength(collection) > COLLECTION_BYTES_MAX) {
    throw new DomainError(
      "invalid_input",
      "The path of the folder is too long to name its documents by; give them a name with --collection.",
    );
  }
  return collection;
}
