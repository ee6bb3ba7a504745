import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { visibleText } from "../../platform/terminal/terminal-text.ts";

/** The limit of the service. A larger file is refused before it fills the memory. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** A file that can't be sent; the message says why. */
export class FileError extends Error {
  override readonly name = "FileError";
}

export const STANDARD_INPUT = "standard input";

/** The name of a file as it is shown. */
export function nameOf(file: string): string {
  return file === "-" ? STANDARD_INPUT : visibleText(file);
}

/** npm runs scripts in the package's directory; INIT_CWD is the directory in which the user called it. */
export function fullPath(path: string): string {
  return resolve(process.env.npm_lifecycle_event === undefined ? "" : (process.env.INIT_CWD ?? ""), path);
}

/** Reads a file as it is sent to the service, by default under its own name. @throws FileError */
export async function fileAt(path: string, name: string = basename(path)): Promise<File> {
  try {
    return new File(await upToLimit(createReadStream(path)), name);
  } catch (error) {
    throw error instanceof FileError ? error : new FileError(reasonOf(error), { cause: error });
  }
}

export async function upToLimit(
  bytes: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > FILE_BYTES_MAX)
      throw new FileError("The file is larger than 10 MiB, the limit of the service.");
    chunks.push(chunk);
  }
  return chunks;
}

/** Why a file or folder can't be read. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "There is no such file.";
  if (code === "EISDIR") return "This is a folder. Name the files in it.";
  if (code === "EACCES" || code === "EPERM") return "You have no permission to read it.";
  return error instanceof Error ? error.message : String(error);
}

/** A file or folder that can't be read, by its path as the user would write it. */
export type UnreadableFile = { readonly path: string; readonly message: string };

type GatheredFiles = {
  readonly files: readonly File[];
  readonly unreadable: readonly UnreadableFile[];
};

/** A path in full, and as the user would write it. */
type Place = { readonly full: string; readonly path: string };

/** Files of the system that folders bring along: the service skips them in archives, and the pages in folders. */
const SYSTEM_FILE = /^(?:__MACOSX|thumbs\.db|desktop\.ini)$/i;

/**
 * Reads files and those in folders, each once. Their names are paths below the only folder, or below the folder that holds all
 * `paths`, so that no two are equal and a folder among others is part of the names.
 */
export async function gatherFiles(paths: readonly string[]): Promise<GatheredFiles> {
  const places = paths.map((path): Place => ({ full: fullPath(path), path }));
  const base = await baseOf(places);
  const unreadable: UnreadableFile[] = [];
  const found = new Map<string, Place>();
  for (const place of places) {
    if (SYSTEM_FILE.test(basename(place.full))) continue;
    for await (const file of filesAt(place, unreadable)) found.set(file.full, found.get(file.full) ?? file);
  }
  const files: File[] = [];
  for (const { full, path } of found.values()) {
    try {
      files.push(await fileAt(full, relative(base, full).split(sep).join("/")));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      unreadable.push({ path, message: error.message });
    }
  }
  return { files, unreadable };
}

async function baseOf(places: readonly Place[]): Promise<string> {
  const [only, ...others] = places;
  if (only !== undefined && others.length === 0 && (await isFolder(only.full))) return only.full;
  return commonFolder(places.map(({ full }) => dirname(full)));
}

function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split(sep));
  const end = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return `${first.slice(0, end === -1 ? undefined : end).join(sep)}${sep}`;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The file itself, or the files in a folder and its folders, without hidden ones. Folders that can't be read go to `unreadable`. */
async function* filesAt(place: Place, unreadable: UnreadableFile[]): AsyncGenerator<Place> {
  if (!(await isFolder(place.full))) {
    yield place;
    return;
  }
  const entries = await readdir(place.full, { withFileTypes: true }).catch((error: unknown) => {
    unreadable.push({ path: place.path, message: reasonOf(error) });
    return [];
  });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || SYSTEM_FILE.test(entry.name)) continue;
    const below = { full: join(place.full, entry.name), path: join(place.path, entry.name) };
    if (entry.isFile()) yield below;
    else if (entry.isDirectory()) yield* filesAt(below, unreadable);
  }
}
