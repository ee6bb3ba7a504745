import { decodeText } from "./decode-text.ts";
import { detectContent } from "./detect-content.ts";
import type { ExtractedText, ExtractOptions } from "./extracted-text.ts";
import { assertAccepted, type MediaType, unsupportedFileType } from "./media-type.ts";

/** Whether a file's bytes are read as text, and not as a document of some format. */
export function isTextFile(bytes: Uint8Array, filename: string): boolean {
  const { kind } = detectContent(bytes);
  return kind === "other" || (kind === "markup" && isNamedText(filename));
}

/** By the ending of its name: HTML and XML are tags that nobody meant to submit, unless that says that they are text. */
export function isNamedText(filename: string): boolean {
  return isNamedMarkdown(filename) || /\.(?:txt|text)$/i.test(filename);
}

/** The text of a text file as its bytes have it. @throws DomainError `unsupported_file_type` when the bytes are none. */
export function readTextFile(bytes: Uint8Array, options: ExtractOptions): ExtractedText {
  const mediaType = textType(options);
  assertAccepted(mediaType, "a text file", options.accept);
  const text = decodeText(bytes);
  if (text === undefined) {
    throw unsupportedFileType(
      "not text (or UTF-16 text without a byte-order mark) nor of a known type",
      options.accept,
    );
  }
  return { text, mediaType };
}

/** Markdown is text too: where it is not a type of its own, it is read as plain text. */
function textType({ filename, accept }: ExtractOptions): MediaType {
  return isNamedMarkdown(filename) && accept.includes("text/markdown") ? "text/markdown" : "text/plain";
}

function isNamedMarkdown(filename: string): boolean {
  return /\.(?:md|markdown)$/i.test(filename);
}
