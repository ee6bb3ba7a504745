/**
 * A name for a file to be saved under, from a title that people gave: without what file systems and shells take as their
 * own, without characters that are not seen, and short enough for all of them.
 * @param fallback where nothing of the title is left
 * @param ending what the file is, such as ` - passages.csv`; also keeps a title from being a device of Windows (`CON`)
 */
export function downloadName(title: string, fallback: string, ending: string): string {
  const plain = title.toWellFormed().normalize("NFC").replace(UNSAFE, " ").replace(/\s+/gu, " ");
  const short = [...plain].slice(0, TITLE_CHARS_MAX).join("");
  const name = short.replace(/^[\s.]+|[\s.]+$/gu, "");
  return `${name === "" ? fallback : name}${ending}`;
}

/** File systems take 255 bytes; a character takes up to 4 of them, and the ending needs some. */
const TITLE_CHARS_MAX = 50;

const UNSAFE = /[\p{C}"*/:<>?\\|]/gu;
