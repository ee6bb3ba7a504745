import { DomainError } from "../../core/domain-error.ts";
import type { MediaType } from "./media-type.ts";
import { assertTextFits } from "./text-length.ts";

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
 * A file's text as it is taken: U+0000 and lone surrogates, which can't be stored, become U+FFFD.
 * @throws DomainError `no_extractable_text`, `text_too_long`.
 */
export function takenText({ text, mediaType }: ExtractedText, textCharsMax: number): ExtractedText {
  const storable = text.replaceAll("\0", "\uFFFD").toWellFormed();
  assertTextFits(storable, textCharsMax);
  assertHasText(storable, mediaType);
  return { text: storable, mediaType };
}

/** White space, control and invisible format characters alone are no text. */
function assertHasText(text: string, mediaType: MediaType): void {
  if (/[^\s\p{Cc}\p{Cf}]/u.test(text)) return;
  throw new DomainError(
    "no_extractable_text",
    mediaType === "application/pdf"
      ? "The PDF holds no text. It may be a scan without a text layer: run text recognition (OCR) over it first."
      : "The file holds no text.",
  );
}
