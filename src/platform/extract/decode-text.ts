/**
 * More than this share of control characters is no text, where the bytes are not UTF-8: compressed data has 10%, and a
 * text damaged by a stray NUL here and there far below 1%.
 */
const CONTROL_SHARE_MAX = 0.02;

/**
 * Compressed data is never valid UTF-8, so what is may hold more: texts that a PDF without a usable character table gave
 * have 13%. UTF-16 without its mark has about 50%, all of them NUL.
 */
const CONTROL_SHARE_OF_UTF8_MAX = 0.3;

/** A very short text may hold this many all the same: one NUL in "ab" says nothing. */
const CONTROLS_ALWAYS_ALLOWED = 2;

/**
 * Decodes the bytes of a text file: UTF-16 when it starts with that byte-order mark, else UTF-8 when it is valid
 * UTF-8 or says so by its mark, else windows-1252, in which every byte is a character.
 * Only the mark is taken away; `undefined` means that the bytes are not text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const { text, controlShareMax } = decode(bytes);
  return controlCount(text) > Math.max(CONTROLS_ALWAYS_ALLOWED, text.length * controlShareMax)
    ? undefined
    : text;
}

function controlCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) count++;
  return count;
}

/**
 * Control characters other than white space, the old end-of-file mark and the escape of terminal colours.
 * Text has none; compressed or compiled data has them everywhere.
 */
function isControl(unit: number): boolean {
  return unit < 0x08 || (unit > 0x0d && unit < 0x1a) || (unit > 0x1b && unit < 0x20) || unit === 0x7f;
}

function decode(bytes: Uint8Array): { readonly text: string; readonly controlShareMax: number } {
  const [first, second, third] = bytes;
  const decoded = (label: string, controlShareMax: number, fatal = false) => ({
    text: new TextDecoder(label, { fatal }).decode(bytes),
    controlShareMax,
  });
  if (first === 0xff && second === 0xfe) return decoded("utf-16le", CONTROL_SHARE_MAX);
  if (first === 0xfe && second === 0xff) return decoded("utf-16be", CONTROL_SHARE_MAX);
  // A file that declares itself UTF-8 keeps its other characters when one byte is damaged.
  const declaredUtf8 = first === 0xef && second === 0xbb && third === 0xbf;
  try {
    return decoded("utf-8", CONTROL_SHARE_OF_UTF8_MAX, !declaredUtf8);
  } catch {
    return decoded("windows-1252", CONTROL_SHARE_MAX);
  }
}
