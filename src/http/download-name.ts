/**
 * A file name from a title by a person: short, and without characters that are invisible or special in file systems and shells.
 * @param fallback replaces a title without usable characters.
 * @param ending such as ` - passages.csv`. It also keeps a title from naming a device of Windows (`CON`).
 */
export function downloadName(title: string, fallback: string, ending: string): string {
  const plain = title.toWellFormed().normalize("NFC").replace(UNSAFE, " ").replace(/\s+/gu, " ");
  const short = [...plain].slice(0, NAME_CHARS_MAX).join("");
  const name = short.replace(/^[\s.]+|[\s.…]+$/gu, "");
  return `${name === "" ? fallback : name}${ending}`;
}

/** File systems allow 255 bytes; a character takes up to 4, and the ending needs some. */
const NAME_CHARS_MAX = 50;

const UNSAFE = /[\p{C}"*/:<>?\\|]/gu;
