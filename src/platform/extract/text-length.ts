import { DomainError } from "../../core/domain-error.ts";
import { codePointLength } from "../../core/text/code-points.ts";

/** Throws `text_too_long` when `text` holds more than `textCharsMax` code points. */
export function assertTextFits(text: string, textCharsMax: number): void {
  // No code point takes more than two code units, nor fewer than one: most texts need no counting.
  if (text.length <= textCharsMax) return;
  if (text.length <= textCharsMax * 2 && codePointLength(text) <= textCharsMax) return;
  throw new DomainError(
    "text_too_long",
    `The file holds more than ${textCharsMax.toLocaleString("en")} characters of text, which is the limit. Split it and submit the parts.`,
  );
}
