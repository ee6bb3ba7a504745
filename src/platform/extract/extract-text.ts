import { DomainError } from "../../core/domain-error.ts";
import { decodeText } from "./decode-text.ts";
import { detectContent } from "./detect-content.ts";
import { type MediaType, unsupportedFileType } from "./media-type.ts";
import { readPdfText } from "./pdf/pdf-text.ts";
import { assertTextFits } from "./text-length.ts";
import { readDocxText } from "./word/docx-text.ts";
import { openWordPackage, passwordProtected } from "./word/word-package.ts";

export type { MediaType } from "./media-type.ts";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

export type ExtractOptions = {
  /** As uploaded; only its ending is looked at, and only to tell kinds of text apart. */
  readonly filename: string;
  /** The types the caller takes. */
  readonly accept: readonly MediaType[];
  /** The most text that is taken, in code points. */
  readonly textCharsMax: number;
};

export type ExtractedText = { readonly text: string; readonly mediaType: MediaType };

/**
 * Reads the text of a file from its bytes; the content decides the type, not the name.
 * The text is as the file has it, line ends included; U+0000 and lone surrogates, which can't be stored, become
 * U+FFFD.
 *
 * @throws DomainError `unsupported_file_type`, `unreadable_file` (damaged, or protected by a password),
 *   `no_extractable_text`, `text_too_long`.
 */
export async function extractText(bytes: Uint8Array, options: ExtractOptions): Promise<ExtractedText> {
  if (bytes.length === 0) {
    throw new DomainError("no_extractable_text", "The file is empty (0 bytes).");
  }
  const { text, mediaType } = await readContent(bytes, options);
  const storable = text.replaceAll("\0", "\uFFFD").toWellFormed();
  assertTextFits(storable, options.textCharsMax);
  assertHasText(storable, mediaType);
  return { text: storable, mediaType };
}

async function readContent(bytes: Uint8Array, options: ExtractOptions): Promise<ExtractedText> {
  const content = detectContent(bytes);
  switch (content.kind) {
    case "pdf":
      assertAccepted(PDF, "a PDF", options.accept);
      return { text: await readPdfText(bytes, options.textCharsMax), mediaType: PDF };
    case "zip": {
      const archive = openWordPackage(bytes, options.accept);
      assertAccepted(DOCX, "a Word document (DOCX)", options.accept);
      return { text: await readDocxText(archive), mediaType: DOCX };
    }
    case "encrypted_office":
      throw passwordProtected();
    case "foreign":
      throw unsupportedFileType(content.name, options.accept);
    case "markup":
      // A page whose tags nobody meant to submit, unless the name says that this is text to be read as it stands.
      if (!isNamedText(options.filename)) throw unsupportedFileType(content.name, options.accept);
      return readTextFile(bytes, options);
    case "other":
      return readTextFile(bytes, options);
    default:
      return content satisfies never;
  }
}

function readTextFile(bytes: Uint8Array, options: ExtractOptions): ExtractedText {
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

function isNamedText(filename: string): boolean {
  return isNamedMarkdown(filename) || /\.(?:txt|text)$/i.test(filename);
}

function assertAccepted(type: MediaType, found: string, accept: readonly MediaType[]): void {
  if (!accept.includes(type)) throw unsupportedFileType(found, accept);
}

/** White space, control and invisible format characters alone are no text. */
function assertHasText(text: string, mediaType: MediaType): void {
  if (/[^\s\p{Cc}\p{Cf}]/u.test(text)) return;
  throw new DomainError(
    "no_extractable_text",
    mediaType === PDF
      ? "The PDF holds no text. It may be a scan without a text layer: run text recognition (OCR) over it first."
      : "The file holds no text.",
  );
}
