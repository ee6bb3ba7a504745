import { namedBy } from "../shared/files.ts";
import { bytes, count, counted } from "../shared/wording.ts";

/** The engine's limits on the files of one request. */
const FORM_BYTES_MAX = 100 * 1024 * 1024;
const FORM_FILES_MAX = 10_000;

/** Files of the system that folders bring along: nobody wrote them, and archives are read without them as well. */
const SYSTEM_FILE = /(?:^|\/)(?:\.[^/]*|__MACOSX\/.*|thumbs\.db|desktop\.ini)(?:\/|$)/i;

const PATHS = new Intl.Collator(undefined, { numeric: true });

/**
 * Further files beside chosen ones: by their paths, each once, without system files. Another file of the same name, as
 * from another folder, gets a number.
 */
export function addedFiles(chosen: readonly File[], more: readonly File[]): File[] {
  const byPath = new Map(chosen.map((file) => [file.name, file]));
  for (const file of more) {
    if (SYSTEM_FILE.test(file.name)) continue;
    let name = file.name;
    for (let number = 2; isOther(byPath.get(name), file); number++) name = numbered(file.name, number);
    byPath.set(name, name === file.name ? file : namedBy(file, name));
  }
  return [...byPath.values()].toSorted((one, other) => PATHS.compare(one.name, other.name));
}

/** Whether a file is known by this name that is not the same one, chosen again. */
function isOther(known: File | undefined, file: File): boolean {
  return known !== undefined && (known.size !== file.size || known.lastModified !== file.lastModified);
}

/** `essay (2).txt`. */
function numbered(name: string, number: number): string {
  return name.replace(/(\.[^./]*)?$/, (extension) => ` (${number})${extension}`);
}

/** Why the service would refuse these files, known before they are sent. */
export function filesFault(files: readonly File[], templates: readonly File[] = []): string | undefined {
  const all = [...files, ...templates];
  const size = all.reduce((sum, file) => sum + file.size, 0);
  if (files.length === 0) return "Choose the texts first: a folder, several files or a ZIP archive.";
  if (all.length > FORM_FILES_MAX)
    return `These are ${count(all.length)} files, over the limit of ${count(FORM_FILES_MAX)} for one request. Send a ZIP archive, or add some of them later.`;
  if (size > FORM_BYTES_MAX)
    return `These files take ${bytes(size)}, over the limit of ${bytes(FORM_BYTES_MAX)} for one request. Leave some out and add them once the batch is there.`;
  return undefined;
}

/** `31 files, 12 MiB`. */
export function filesInWords(files: readonly File[]): string {
  return `${counted(files.length, "file")}, ${bytes(files.reduce((sum, file) => sum + file.size, 0))}`;
}
