import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { FileError, fileAt, fullPath, reasonOf } from "./read-file.ts";

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
