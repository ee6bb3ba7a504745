import { eld } from "eld/extrasmall";
import { LANGUAGE_DEFAULT, type LanguageOrigin } from "../core/text/languages.ts";

/** Languages that differ too little from a neighbour to be told apart in a passage. */
const ALIKE: ReadonlySet<string> = new Set(["ms", "id", "da", "no", "nb", "bs", "hr", "sr", "cs", "sk"]);

/** The language of a passage (ISO 639-1) by its letter groups; undefined when it is too short or too mixed to tell. */
export function detectLanguage(text: string): string | undefined {
  const result = eld.detect(text);
  return result.isReliable() && !ALIKE.has(result.language) ? result.language : undefined;
}

/** Shorter texts are too often a heading, a list of names or a quotation in another language. In bytes of UTF-8. */
const TEXT_BYTES_MIN = 200;

/** The detector reads the first 350 bytes of what it is given. In UTF-16 units. */
const WINDOW_UNITS = 400;

/** Windows of a long text, spread evenly; they take 1.5 ms. */
const WINDOWS_MAX = 16;

/** Below this share of windows in one language, a text is mixed. */
const AGREEMENT_MIN = 0.75;

/** Random letters, syllables and made-up words score up to .58, real texts of this length .66 or more. */
const SCORE_MIN = 0.62;

/** Codes such as `3f9a` belong to no language, and their letters look like one. */
const WITH_DIGITS = /\b[a-z]*\d[a-z\d]*/gi;

/** Languages with neighbours that the detector does not know: Macedonian, Bosnian and Serbian in Latin letters. */
const OF_UNKNOWN_NEIGHBOURS: ReadonlySet<string> = new Set(["sr", "hr"]);

/** The detector takes Indonesian for Malay. Both inflect alike, and far more texts are Indonesian. */
const NAMED_AFTER: Readonly<Record<string, string>> = { ms: "id" };

/** The language of a text and where it comes from. A stated language wins; a text that does not tell has the default. */
export type TextLanguage = { readonly language: string; readonly languageOrigin: LanguageOrigin };

/** See docs/decisions/meaning.md for how often it is right. Its time does not grow with the text. */
export function languageOf(text: string, stated: string | undefined): TextLanguage {
  if (stated !== undefined) return { language: stated, languageOrigin: "stated" };
  const detected = mainLanguage(text);
  if (detected === undefined) return { language: LANGUAGE_DEFAULT, languageOrigin: "default" };
  return { language: detected, languageOrigin: "detected" };
}

/** The language of nearly the whole text. */
function mainLanguage(text: string): string | undefined {
  if (Buffer.byteLength(text.slice(0, TEXT_BYTES_MIN)) < TEXT_BYTES_MIN) return undefined;
  const windows = Math.min(WINDOWS_MAX, Math.ceil(text.length / WINDOW_UNITS));
  const step = windows === 1 ? 0 : (text.length - WINDOW_UNITS) / (windows - 1);
  const counts = new Map<string, number>();
  for (let window = 0; window < windows; window++) {
    const start = Math.round(window * step);
    const result = eld.detect(text.slice(start, start + WINDOW_UNITS).replaceAll(WITH_DIGITS, " "));
    const language = NAMED_AFTER[result.language] ?? result.language;
    const isClear = result.isReliable() && (result.getScores()[result.language] ?? 0) >= SCORE_MIN;
    if (!isClear || OF_UNKNOWN_NEIGHBOURS.has(language)) continue;
    const count = (counts.get(language) ?? 0) + 1;
    if (count >= AGREEMENT_MIN * windows) return language;
    counts.set(language, count);
  }
  return undefined;
}
