import type { Dirent } from "node:fs";
import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { DomainError } from "../../../platform/domain-error.ts";
import { errorCode, errorMessage } from "../../../platform/error-code.ts";
import { namedCollection } from "../collection-ingest.ts";

/** A file of the tree that may become a document. */
export type FolderFile = {
  readonly kind: "file";
  /** Relative to the root, with "/" as separator. */
  readonly path: string;
  /** The location of its bytes; for a symbolic link, its target. */
  readonly absolutePath: string;
};

/** An unreadable file that looks like a document, or an unreadable directory. */
type FolderFault = {
  readonly kind: "fault";
  readonly path: string;
  readonly reason: string;
  /** True for a directory, whose files are then unknown, not gone. */
  readonly hides: boolean;
};

/** A symbolic link that leads out of the tree and is not followed. */
type OutsideLink = { readonly kind: "outside"; readonly path: string };

export type FolderEntry = FolderFile | FolderFault | OutsideLink;

/** Directory entries read at once: with the default of 32, a directory of a million takes twice as long. */
const ENTRIES_AT_ONCE = 512;

/** Entries of PostgreSQL's index have at most 2,704 bytes, including the name of the collection. */
export const PATH_BYTES_MAX = 2_000;

type Directory = {
  readonly path: string;
  readonly realPath: string;
  /** Whether it, or a directory above it, was reached through a symbolic link. */
  readonly byLink: boolean;
};

/**
 * Walks the documents of a tree: files that end in .txt, .md, .pdf or .docx, except hidden ones and Word's owner files
 * (`~$x.docx`).
 * A link to a file inside the tree counts as a file. A link to a directory inside the tree is followed if the walk would not
 * reach it by its own name: every directory is visited once, under the same name on every file system.
 * @param root the real path of a directory, see `realFolder`.
 */
export async function* walkFolder(root: string): AsyncGenerator<FolderEntry> {
  const visitedByLink = new Set<string>();
  const waiting: Directory[] = [{ path: "", realPath: root, byLink: false }];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (directory.byLink) {
      if (visitedByLink.has(directory.realPath)) continue;
      visitedByLink.add(directory.realPath);
    }
    const below: Directory[] = [];
    try {
      for await (const entry of await opendir(directory.realPath, { bufferSize: ENTRIES_AT_ONCE })) {
        const found = await examine(root, directory, entry);
        if (found === undefined) continue;
        if ("byLink" in found) below.push(found);
        else yield found;
      }
    } catch (error) {
      // A directory that was deleted since it was listed contains nothing.
      const isGone = directory.path !== "" && errorCode(error) === "ENOENT";
      if (!isGone)
        yield { kind: "fault", path: directory.path || ".", reason: fileFault(error), hides: true };
    }
    // In reverse, as the next one is taken from the end.
    waiting.push(...below.toSorted(byName).toReversed());
  }
}

/** Undefined for an entry that is irrelevant to the corpus. */
async function examine(
  root: string,
  directory: Directory,
  entry: Dirent,
): Promise<FolderEntry | Directory | undefined> {
  const { name } = entry;
  if (name.startsWith(".")) return undefined;
  const isDocument = hasDocumentName(name);
  if (!isDocument && !entry.isDirectory() && !entry.isSymbolicLink()) return undefined;

  const path = directory.path === "" ? name : `${directory.path}/${name}`;
  const absolutePath = join(directory.realPath, name);
  const fault = (reason: string): FolderFault => ({ kind: "fault", path, reason, hides: false });
  if (name.includes("\uFFFD") && !(await exists(absolutePath))) {
    return isDocument || entry.isDirectory() ? fault("The name is not valid UTF-8; rename it.") : undefined;
  }
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) {
    return fault(`The path is longer than ${PATH_BYTES_MAX} bytes; ingest a subfolder on its own.`);
  }
  if (entry.isSymbolicLink()) return followLink(root, { path, absolutePath, isDocument });
  if (entry.isDirectory()) return { path, realPath: absolutePath, byLink: directory.byLink };
  return entry.isFile() ? { kind: "file", path, absolutePath } : fault(NOT_A_FILE);
}

type Link = { readonly path: string; readonly absolutePath: string; readonly isDocument: boolean };

async function followLink(
  root: string,
  { path, absolutePath, isDocument }: Link,
): Promise<FolderEntry | Directory | undefined> {
  try {
    const target = await realpath(absolutePath);
    const found = await stat(target);
    if (!found.isDirectory() && !isDocument) return undefined;
    const below = relative(root, target);
    if (leadsOut(below)) return { kind: "outside", path };
    if (found.isDirectory()) {
      return isVisitedAnyway(below) ? undefined : { path, realPath: target, byLink: true };
    }
    if (!found.isFile()) return { kind: "fault", path, reason: NOT_A_FILE, hides: false };
    return { kind: "file", path, absolutePath: target };
  } catch (error) {
    const leadsNowhere = ["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error));
    if (!leadsNowhere) return { kind: "fault", path, reason: fileFault(error), hides: !isDocument };
    if (!isDocument) return undefined;
    return { kind: "fault", path, reason: "It is a broken symbolic link.", hides: false };
  }
}

function leadsOut(below: string): boolean {
  return below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
}

/** Whether the walk reaches this directory by its own name. */
function isVisitedAnyway(below: string): boolean {
  return !below.split(sep).some((part) => part.startsWith("."));
}

function hasDocumentName(name: string): boolean {
  return (
    /\.(?:txt|md|pdf|docx|html?|xhtml|odt|epub|rtf|pptx|xml|nxml|tex)$/i.test(name) && !name.startsWith("~$")
  );
}

/** False for a name that Node.js could not decode: its replacement characters are not in the real name. */
async function exists(absolutePath: string): Promise<boolean> {
  return lstat(absolutePath).then(
    () => true,
    () => false,
  );
}

function byName(a: Directory, b: Directory): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

/** The reason why a file or directory could not be read, in a sentence. */
export function fileFault(error: unknown): string {
  const code = errorCode(error);
  if (code === "") return errorMessage(error);
  return REASONS.get(code) ?? `The file system reports ${code}.`;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "You have no permission to read it."],
  ["EPERM", "You have no permission to read it."],
  ["ENOENT", "It was deleted while the folder was read."],
  ["ENOTDIR", "It was replaced by a file while the folder was read."],
  ["EISDIR", "It was replaced by a directory while the folder was read."],
  ["ELOOP", "It was replaced by a symbolic link while the folder was read."],
  ["ENAMETOOLONG", "Its path is too long for the system."],
  ["EIO", "The disk could not read it (EIO)."],
  ["ESTALE", "Its network folder has changed (ESTALE)."],
  ["EMFILE", "Too many files are open; raise the limit (ulimit -n)."],
  ["ENFILE", "Too many files are open on this machine."],
]);

export const NOT_A_FILE = "It is a device, a pipe or a socket, not a regular file.";

/** The real path of a folder. @throws DomainError `invalid_input` when it does not exist or is not a directory. */
export async function realFolder(folder: string): Promise<string> {
  const refuse = (reason: string) =>
    new DomainError("invalid_input", `The folder ${folder} can't be read. ${reason}`);
  const found = await realpath(folder).catch((error: unknown) => {
    throw refuse(errorCode(error) === "ENOENT" ? "It does not exist." : fileFault(error));
  });
  if (!(await stat(found)).isDirectory()) throw refuse("It is a file, not a folder.");
  return found;
}

/** The collection of a folder: its real path, or the given name, which survives a move. @throws DomainError `invalid_input` */
export function folderCollection(root: string, name: string | undefined): string {
  return namedCollection("folder", `folder:${root}`, name);
}
