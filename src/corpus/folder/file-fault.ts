/** The code of an error of the file system, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why a file or directory could not be read, in a sentence. */
export function fileFault(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  return REASONS.get(code) ?? `The file system says ${code}.`;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "You have no permission to read it."],
  ["EPERM", "You have no permission to read it."],
  ["ENOENT", "It went away while the folder was read."],
  ["ENOTDIR", "It was replaced by a file while the folder was read."],
  ["EISDIR", "It was replaced by a directory while the folder was read."],
  ["ELOOP", "It was replaced by a symbolic link while the folder was read."],
  ["ENAMETOOLONG", "Its path is longer than the system takes."],
  ["EIO", "The disk could not read it (EIO)."],
  ["ESTALE", "The network folder that it lies in has changed (ESTALE)."],
  ["EMFILE", "Too many files are open; raise the limit (ulimit -n)."],
  ["ENFILE", "Too many files are open on this machine."],
]);

export const NOT_A_FILE = "It is not a file that has contents, but a device, a pipe or a socket.";
