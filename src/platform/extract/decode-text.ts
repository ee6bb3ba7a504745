/**
 * Control characters other than white space, the old end-of-file mark and the escape of terminal colours.
 * Text has none; compressed or compiled data has them everywhere.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\x00-\x07\x0e-\x19\x1c-\x1f\x7f]/g;

/**
 * More than this share of control characters is no text. Compressed data has 10%, UTF-16 without its mark about
 * 50%, and a text damaged by a stray NUL here and there far below 1%.
 */
const CONTROL_SHARE_MAX = 0.02;

/** A very short text may hold this many all the same: one NUL in "ab" says nothing. */
const CONTROLS_ALWAYS_ALLOWED = 2;

/**
 * Decodes the bytes of a text file: UTF-16 when it starts with that byte-order mark, else UTF-8 when it is valid
 * UTF-8 or says so by its mark, else windows-1252, in which every byte is a character.
 * Only the mark is taken away; `undefined` means that the bytes are not text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = decode(bytes);
  const controls = text.match(CONTROL_CHARACTERS)?.length ?? 0;
  return controls > Math.max(CONTROLS_ALWAYS_ALLOWED, text.length * CONTROL_SHARE_MAX) ? undefined : text;
}

function decode(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  // A file that declares itself UTF-8 keeps its other characters when one byte is damaged.
  const declaredUtf8 = first === 0xef && second === 0xbb && third === 0xbf;
  try {
    return new TextDecoder("utf-8", { fatal: !declaredUtf8 }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
