import { DomainError } from "../../core/domain-error.ts";

/** The kinds of file whose text can be read, by their registered names. */
export const MEDIA_TYPES = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/plain",
  "text/markdown",
] as const;

export type MediaType = (typeof MEDIA_TYPES)[number];

/** What people call each type in a sentence. */
const SPOKEN_NAMES = {
  "application/pdf": "PDF",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
  "text/plain": "plain text (TXT)",
  "text/markdown": "Markdown",
} as const satisfies Record<MediaType, string>;

/**
 * The error for a file of a kind that is not taken.
 * `found` completes the sentence "The file is …"; the message goes on to name the types that are taken.
 */
export function unsupportedFileType(found: string, accept: readonly MediaType[]): DomainError {
  const taken = accept.map((type) => SPOKEN_NAMES[type]);
  const list = new Intl.ListFormat("en", { type: "conjunction" }).format(taken);
  return new DomainError("unsupported_file_type", `The file is ${found}. Types that can be read: ${list}.`);
}

/** @throws DomainError `unsupported_file_type` unless `type` is taken; `found` as in `unsupportedFileType`. */
export function assertAccepted(type: MediaType, found: string, accept: readonly MediaType[]): void {
  if (!accept.includes(type)) throw unsupportedFileType(found, accept);
}
