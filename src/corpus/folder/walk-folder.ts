import type { Dirent } from "node:fs";
import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

import { errorCode, fileFault, NOT_A_FILE } from "./file-fault.ts";

/** A file of the tree that may become a document. */
export type FolderFile = {
  readonly kind: "file";
  /** Below the root, its parts separated by "/". */
  readonly path: string;
  /** Where its bytes lie; for a symbolic link, where that leads. */
  readonly absolutePath: string;
};

/** Something that looks like a document, or may hold some, and can't be read. */
export type FolderFault = {
  readonly kind: "fault";
  readonly path: string;
  /** A sentence. */
  readonly reason: string;
  /** True for a directory: what lies in it is unknown, not gone. */
  readonly hides: boolean;
};

/** A symbolic link that leads out of the tree; it is not followed. */
export type OutsideLink = { readonly kind: "outside"; readonly path: string };

export type FolderEntry = FolderFile | FolderFault | OutsideLink;

/** Entries that are read of a directory at once: with the default of 32, a directory of a million takes twice as long. */
const ENTRIES_AT_ONCE = 512;

/**
 * The longest path below the root, in UTF-8 bytes. Paths stand in an index of PostgreSQL, whose entries end at 2,704
 * bytes, the collection's name included.
 */
export const PATH_BYTES_MAX = 2_000;

type Directory = {
  readonly path: string;
  readonly realPath: string;
  /** Reached through a symbolic link, itself or a directory above it. */
  readonly byLink: boolean;
};

/**
 * Walks over the documents of a tree: files that end in .txt, .md, .pdf or .docx, in any letter case. Left out, with all
 * that lies below: names that begin with a dot; also the owner files that Word leaves beside open documents (`~$x.docx`).
 *
 * A symbolic link to a file is a file where its target lies inside the tree. One to a directory is followed where the
 * target lies inside the tree and would not be met by its own name, as below a hidden directory: so a directory is
 * visited once, under a name that does not depend on the order in which the file system lists it, and there are no cycles.
 *
 * Memory does not grow with the tree, but by the subdirectories of the directories on the way to the present one.
 * @param root a directory's real path, see `realFolder`.
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
      // A directory that went away since it was listed holds nothing any more.
      const isGone = directory.path !== "" && errorCode(error) === "ENOENT";
      if (!isGone)
        yield { kind: "fault", path: directory.path || ".", reason: fileFault(error), hides: true };
    }
    // The next one is taken from the end.
    waiting.push(...below.toSorted(byName).toReversed());
  }
}

/** What an entry of a directory is to the corpus; undefined: nothing. */
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
    return fault(`The path is longer than ${PATH_BYTES_MAX} bytes; ingest a folder further down by itself.`);
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
    const leadsNowhere = ["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "");
    if (!leadsNowhere) return { kind: "fault", path, reason: fileFault(error), hides: !isDocument };
    if (!isDocument) return undefined;
    return { kind: "fault", path, reason: "It is a symbolic link that leads to nothing.", hides: false };
  }
}

function leadsOut(below: string): boolean {
  return below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
}

/** Whether the walk meets this directory by its own name. */
function isVisitedAnyway(below: string): boolean {
  return !below.split(sep).some((part) => part.startsWith("."));
}

function hasDocumentName(name: string): boolean {
  return /\.(?:txt|md|pdf|docx)$/i.test(name) && !name.startsWith("~$");
}

/** False for a name that Node.js could not decode: the replacement characters in it are no bytes of the real one. */
async function exists(absolutePath: string): Promise<boolean> {
  return lstat(absolutePath).then(
    () => true,
    () => false,
  );
}

function byName(a: Directory, b: Directory): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}
