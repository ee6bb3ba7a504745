/**
 * A file's name as it may be stored and shown: without folders of the client's machine (of either separator), control
 * characters, or the bidirectional controls that let `fdp.exe` read as `exe.pdf`; at most 255 characters.
 * A name of which nothing is left is `upload`.
 */
export function uploadFilename(declared: string): string {
  const name = declared
    .slice(Math.max(declared.lastIndexOf("/"), declared.lastIndexOf("\\")) + 1)
    .toWellFormed()
    .replace(UNSHOWABLE, "")
    .trim();
  if (name === "" || name === "." || name === "..") return "upload";
  return [...name.slice(0, 2 * FILENAME_CHARS_MAX)].slice(0, FILENAME_CHARS_MAX).join("").trimEnd();
}

/** The longest name that the usual file systems take. */
const FILENAME_CHARS_MAX = 255;

const UNSHOWABLE = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
