import fc from "fast-check";
import { fingerprintForm } from "../../src/text/fingerprint-form.ts";

/** Words of any letters and lengths: often few and alike, so that shingles repeat. */
export const anyWord = fc.oneof(
  fc.constantFrom("the", "of", "a", "_"),
  fc.stringMatching(/^[\p{L}\p{M}\p{Nd}\p{Nl}]{1,8}$/u),
  fc.stringMatching(/^[a-z]{60,70}$/),
  fc.constantFrom("𠮷".repeat(40), "𝔘𐐷", "한국어", "नमस्ते"),
);

/** Fingerprint forms of chunks of 1 to 250 words. */
export const anyForm = fc.oneof(
  fc.array(anyWord, { minLength: 1, maxLength: 6 }).map(fingerprintForm),
  fc.array(anyWord, { minLength: 5, maxLength: 250 }).map(fingerprintForm),
);
