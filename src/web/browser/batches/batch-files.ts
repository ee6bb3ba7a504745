import { namedBy } from "../shared/files.ts";
import { say, sayCount } from "../shared/texts.ts";
import { bytes, count } from "../shared/wording.ts";

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
  if (files.length === 0) return say("batches.chooseFirst");
  if (all.length > FORM_FILES_MAX)
    return say("batches.tooMany", { files: count(all.length), limit: count(FORM_FILES_MAX) });
  if (size > FORM_BYTES_MAX)
    return say("batches.tooLarge", { size: bytes(size), limit: bytes(FORM_BYTES_MAX) });
  return undefined;
}

/** `31 files (12 MiB)`. */
export function filesInWords(files: readonly File[]): string {
  return `${sayCount("count.files", files.length)} (${bytes(files.reduce((sum, file) => sum + file.size, 0))})`;
}
