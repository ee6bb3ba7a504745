import { DomainError } from "../../core/domain-error.ts";

/** Turns what the file system says about the data folder into what to do; any other error stays as it is. */
export function explainDataFolderError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || error instanceof DomainError) return error;
  const advice = ADVICE.get(String(error.code));
  if (advice === undefined) return error;
  const message = `The data folder ${dataDir} cannot be used (${error.message}). ${advice}`;
  return new DomainError("store_unavailable", message, { cause: error });
}

const OTHER_USER =
  "Start as the user who started before, or give this user the folder, or set DATA_DIR to another.";

const ADVICE: ReadonlyMap<string, string> = new Map([
  ["EACCES", OTHER_USER],
  ["EPERM", OTHER_USER],
  ["EROFS", "Set DATA_DIR to a folder that can be written to."],
  ["ENOTDIR", "A file is in its way: set DATA_DIR to a folder."],
  ["EEXIST", "A file is in its way: set DATA_DIR to a folder."],
  ["ENOSPC", "The disk is full: free some space, or set DATA_DIR to a folder on another disk."],
]);
