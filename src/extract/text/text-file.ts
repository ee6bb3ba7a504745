import { unreadableFile } from "../../platform/domain-error.ts";
import { detectContent } from "./detect-content.ts";
import {
  assertAccepted,
  type ExtractOptions,
  type ReadContent,
  unsupportedFileType,
} from "./extracted-text.ts";
import { legacyEncoding } from "./text-encoding.ts";

/** Whether a file's bytes are read as text, and not as a document of some format. */
export function isTextFile(bytes: Uint8Array, options: ExtractOptions): boolean {
  const { kind } = detectContent(bytes);
  if (kind === "other") return !isLatexSource(options);
  return kind === "markup" && hasTextExtension(options.filename);
}

/** Only its name says that a text is one. */
export function isLatexSource({ filename, accept }: ExtractOptions): boolean {
  return accept.includes("application/x-tex") && /\.tex$/i.test(filename);
}

/** HTML and XML are rejected, because nobody means to submit their tags, unless the extension says that they are text. */
export function hasTextExtension(filename: string): boolean {
  return hasMarkdownExtension(filename) || /\.(?:txt|text)$/i.test(filename);
}

/** The unchanged text of a text file. @throws DomainError `unsupported_file_type` when the bytes are not text. */
export function readTextFile(bytes: Uint8Array, options: ExtractOptions): ReadContent {
  // Markdown is plain text where it is not a separate accepted type.
  const isMarkdown = hasMarkdownExtension(options.filename) && options.accept.includes("text/markdown");
  const mediaType = isMarkdown ? "text/markdown" : "text/plain";
  assertAccepted(mediaType, "a text file", options.accept);
  const text = decodeText(bytes);
  if (text === undefined) {
    throw unsupportedFileType("not text nor of a known type", options.accept);
  }
  return { text, mediaType, margins: [] };
}

function hasMarkdownExtension(filename: string): boolean {
  return /\.(?:md|markdown)$/i.test(filename);
}

/** The largest share of control characters in text that is not UTF-8: compressed data has 10%, text with a stray NUL far below 1%. */
const CONTROL_SHARE_MAX = 0.02;

/** The same for UTF-8: texts of PDFs without a usable character table had 13%; UTF-16 has about 50%, see `utf16WithoutMark`. */
const CONTROL_SHARE_OF_UTF8_MAX = 0.3;

/** Control characters that a very short text may have in any case: one NUL in "ab" says nothing. */
const CONTROLS_ALWAYS_ALLOWED = 2;

/**
 * Decodes a text file: UTF-16 with that byte-order mark, UTF-8 that is valid or has that mark, else an older encoding, see
 * `legacyEncoding`, or UTF-16 without its mark. Only the mark is removed. Undefined when the bytes are not text.
 * @throws DomainError `unreadable_file` when they are text in an encoding that can't be told
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const { text, controlShareMax } = decode(bytes);
  const controlsMax = Math.max(CONTROLS_ALWAYS_ALLOWED, text.length * controlShareMax);
  return controlCount(text) > controlsMax ? utf16WithoutMark(bytes) : text;
}

/** Blanks and line ends, and the stops and commas of Chinese and Japanese: every text has some. In the other order of bytes they are rare signs. */
const DIVIDERS = /[ \n\r\u3001\u3002\uff0c]/g;
/** Data that is no text makes some of these from each twenty bytes. */
const NO_TEXT = /[[\p{Cc}\p{Cn}\p{Co}\p{Cs}]--[\t\n\f\r]]/gv;
const NO_TEXT_SHARE_MAX = 0.005;

/** The text of bytes that are UTF-16 without a byte-order mark; undefined if they are not. */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const [best, other] = ["utf-16le", "utf-16be"]
    .map((label) => new TextDecoder(label).decode(bytes))
    .map((text) => ({ text, dividers: text.match(DIVIDERS)?.length ?? 0 }))
    .toSorted((a, b) => b.dividers - a.dividers);
  if (best === undefined || best.dividers === other?.dividers) return undefined;
  const bad = best.text.match(NO_TEXT)?.length ?? 0;
  return bad > NO_TEXT_SHARE_MAX * best.text.length ? undefined : best.text;
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
  // All its bytes are those of ASCII.
  const head = Buffer.from(bytes.subarray(0, ESCAPE_BYTES)).toString("latin1");
  if (JAPANESE_ESCAPES.every((code) => head.includes(code))) return decoded("iso-2022-jp", CONTROL_SHARE_MAX);
  try {
    return decoded("utf-8", CONTROL_SHARE_OF_UTF8_MAX, !declaredUtf8);
  } catch {
    const western = decoded("windows-1252", CONTROL_SHARE_MAX);
    // Data that is no text has no encoding either.
    if (controlCount(western.text) > CONTROL_SHARE_MAX * bytes.length) return western;
    const encoding = legacyEncoding(bytes);
    if (encoding === undefined) throw unreadableFile(UNKNOWN_ENCODING);
    return encoding === "windows-1252" ? western : decoded(encoding, CONTROL_SHARE_MAX);
  }
}

/** The codes by which ISO-2022-JP begins and ends its Japanese letters, and the part of a file where they are looked for. */
const JAPANESE_ESCAPES = ["\x1b$B", "\x1b(B"];
const ESCAPE_BYTES = 65_536;

const UNKNOWN_ENCODING =
  "The encoding of the text file can't be told. Open it in the program that wrote it, save it as UTF-8, and submit that.";

function controlCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) count++;
  return count;
}

/** Control characters other than white space, the old end-of-file mark and the escape of terminal colours. */
function isControl(unit: number): boolean {
  return unit < 0x08 || (unit > 0x0d && unit < 0x1a) || (unit > 0x1b && unit < 0x20) || unit === 0x7f;
}
