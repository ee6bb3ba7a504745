import { DomainError, unreadableFile } from "../../platform/domain-error.ts";
import { codePointLength } from "../../text/code-points.ts";
import { type HiddenText, joinHiddenText } from "../../text/hidden-text.ts";
import type { PageNote } from "../../text/page-notes.ts";
import type { Span } from "../../text/span.ts";
import type { DocumentProperties } from "./document-properties.ts";
import type { ScannedPage } from "./scanned-page.ts";

export const MEDIA_TYPES = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/plain",
  "text/markdown",
] as const;

/** The types that are read in bulk loads. The types of uploads are a part of the contract. */
export const BULK_MEDIA_TYPES = [
  ...MEDIA_TYPES,
  "text/html",
  "application/xml",
  "application/rtf",
  "application/x-tex",
  "application/vnd.oasis.opendocument.text",
  "application/epub+zip",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
] as const;

export type MediaType = (typeof BULK_MEDIA_TYPES)[number];
export type UploadMediaType = (typeof MEDIA_TYPES)[number];

export type ExtractOptions = {
  /** As uploaded. Only its extension counts, and only between kinds of text. */
  readonly filename: string;
  readonly accept: readonly MediaType[];
  /** The longest accepted text, in code points. */
  readonly textCharsMax: number;
};

export type ExtractedText = {
  readonly text: string;
  readonly mediaType: MediaType;
  /** Headers, footers and page numbers of a PDF in the text: UTF-16, ascending, disjoint. */
  readonly margins: readonly Span[];
  /** Text of the file that its reader does not see; it is not in `text`. */
  readonly hidden: readonly HiddenText[];
  /** Pages of a PDF whose text was not read as usual. */
  readonly pageNotes: readonly PageNote[];
  /** The lines of the pages of a PDF that were read by OCR. */
  readonly scanned?: readonly ScannedPage[] | undefined;
  /** Of a PDF or a Word document. */
  readonly properties?: DocumentProperties | undefined;
};

/** What a reader of one kind of file returns. */
export type ReadContent = Omit<ExtractedText, "hidden" | "pageNotes"> &
  Partial<Pick<ExtractedText, "hidden" | "pageNotes">>;

/** A file's text with U+FFFD for U+0000 and lone surrogates. @throws DomainError `no_extractable_text`, `text_too_long`. */
export function storableText(
  { text, hidden = [], pageNotes = [], ...rest }: ReadContent,
  textCharsMax: number,
): ExtractedText {
  const storable = text.replaceAll("\0", "\uFFFD").toWellFormed();
  assertTextFits(storable, textCharsMax);
  // White space, control characters and invisible format characters alone are not text.
  if (!/[^\s\p{Cc}\p{Cf}]/u.test(storable))
    throw new DomainError("no_extractable_text", rest.mediaType === "application/pdf" ? SCANNED : NO_TEXT);
  return { text: storable, hidden: joinHiddenText(hidden), pageNotes, ...rest };
}

/** @throws DomainError `text_too_long` when `text` has more than `textCharsMax` code points. */
export function assertTextFits(text: string, textCharsMax: number): void {
  // A code point takes one or two code units, so most texts need no counting.
  if (text.length <= textCharsMax) return;
  if (text.length <= textCharsMax * 2 && codePointLength(text) <= textCharsMax) return;
  throw textTooLong(textCharsMax);
}

export function textTooLong(textCharsMax: number): DomainError {
  return new DomainError(
    "text_too_long",
    `The file holds more than ${textCharsMax.toLocaleString("en")} characters of text, which is the limit. Split it and submit the parts.`,
  );
}

const NO_TEXT = "The file holds no text.";
const SCANNED =
  "The PDF holds no text. It may be a scan without a text layer: run text recognition (OCR) over it first.";

/** @throws DomainError `unsupported_file_type` unless `type` is accepted; `found` as in `unsupportedFileType`. */
export function assertAccepted(type: MediaType, found: string, accept: readonly MediaType[]): void {
  if (!accept.includes(type)) throw unsupportedFileType(found, accept);
}

const DISPLAY_NAMES = {
  "application/pdf": "PDF",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
  "text/plain": "plain text (TXT)",
  "text/markdown": "Markdown",
  "text/html": "HTML",
  "application/xml": "JATS or TEI (XML)",
  "application/rtf": "RTF",
  "application/x-tex": "LaTeX",
  "application/vnd.oasis.opendocument.text": "OpenDocument (ODT)",
  "application/epub+zip": "EPUB",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PPTX",
} as const satisfies Record<MediaType, string>;

/** `found` completes the sentence "The file is …"; the message also lists the accepted types. */
export function unsupportedFileType(found: string, accept: readonly MediaType[]): DomainError {
  const accepted = accept.map((type) => DISPLAY_NAMES[type]);
  const list = new Intl.ListFormat("en", { type: "conjunction" }).format(accepted);
  return new DomainError("unsupported_file_type", `The file is ${found}. Types that can be read: ${list}.`);
}

export function passwordProtected(): DomainError {
  return unreadableFile("The file is protected by a password. Remove the password and submit it again.");
}
