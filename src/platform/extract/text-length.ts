import { DomainError } from "../../core/domain-error.ts";

/** Counts the characters (Unicode code points) of a string; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let trailing = 0;
  for (let i = 1; i < text.length; i++) {
    if (isTrailSurrogate(text.charCodeAt(i)) && isLeadSurrogate(text.charCodeAt(i - 1))) trailing++;
  }
  return text.length - trailing;
}

/** Throws `text_too_long` when `text` holds more than `textCharsMax` code points. */
export function assertTextFits(text: string, textCharsMax: number): void {
  // No code point takes more than two code units, nor fewer than one: most texts need no counting.
  if (text.length <= textCharsMax) return;
  if (text.length <= textCharsMax * 2 && countCodePoints(text) <= textCharsMax) return;
  throw new DomainError(
    "text_too_long",
    `The file holds more than ${textCharsMax.toLocaleString("en")} characters of text, which is the limit. Split it and submit the parts.`,
  );
}

function isLeadSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTrailSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
