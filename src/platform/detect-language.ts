import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { eld } from "eld/extrasmall";
import { LANGUAGE_DEFAULT, type LanguageOrigin } from "../text/languages.ts";

shareEqualScores();

/**
 * The detector has an object with the scores of each of 50,000 letter groups, and a quarter as many different ones. Sharing equal objects
 * saves 12 of 29 MB in each thread, and the collection of garbage that much to visit. The package does not export its table.
 */
function shareEqualScores(): void {
  const require = createRequire(import.meta.url);
  const table = new URL("../ngrams/extrasmall.js", import.meta.resolve("eld/extrasmall"));
  const { ngramsData }: { ngramsData: { ngrams: Record<string, object> } } = require(fileURLToPath(table));
  const known = new Map<string, object>();
  for (const [group, scores] of Object.entries(ngramsData.ngrams)) {
    const key = JSON.stringify(scores);
    const same = known.get(key);
    if (same === undefined) known.set(key, scores);
    else ngramsData.ngrams[group] = same;
  }
}

/** Languages that differ too little from a neighbour to be told apart in a passage. */
const ALIKE: ReadonlySet<string> = new Set(["ms", "id", "da", "no", "nb", "bs", "hr", "sr", "cs", "sk"]);

/** The language of a passage (ISO 639-1) by its letter groups; undefined when it is too short or too mixed to tell. */
export function detectLanguage(text: string): string | undefined {
  const result = eld.detect(text);
  return result.isReliable() && !ALIKE.has(result.language) ? result.language : undefined;
}

/** Shorter texts are too often a heading, a list of names or a quotation in another language. In bytes of UTF-8. */
const TEXT_BYTES_MIN = 200;

/** The detector reads the first 350 bytes of its input. In UTF-16 units. */
const WINDOW_UNITS = 400;

/** Windows of a long text, spread evenly; each takes 0.1 to 0.3 ms. */
const WINDOWS_MAX = 16;

/** If this many evenly spread windows agree, the others are skipped. */
const WINDOWS_FIRST = 5;

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
  const counts = new Map<string | undefined, number>();
  for (const [seen, window] of spreadFirst(windows).entries()) {
    const language = clearLanguage(text.slice(Math.round(window * step)));
    counts.set(language, (counts.get(language) ?? 0) + 1);
    if (seen + 1 === WINDOWS_FIRST && counts.size === 1) return language;
  }
  return [...counts].find(([, count]) => count >= AGREEMENT_MIN * windows)?.[0];
}

/** The numbers of the windows: first some that are spread over the text, then those between them. */
function spreadFirst(windows: number): number[] {
  const all = [...Array(windows).keys()];
  const first = new Set(
    Array.from({ length: WINDOWS_FIRST }, (_, at) => Math.round((at * (windows - 1)) / (WINDOWS_FIRST - 1))),
  );
  return [...first, ...all.filter((window) => !first.has(window))];
}

/** The language of the beginning of a text, if it is clear. */
function clearLanguage(text: string): string | undefined {
  const result = eld.detect(text.slice(0, WINDOW_UNITS).replaceAll(WITH_DIGITS, " "));
  const language = NAMED_AFTER[result.language] ?? result.language;
  const isClear = result.isReliable() && (result.getScores()[result.language] ?? 0) >= SCORE_MIN;
  return isClear && !OF_UNKNOWN_NEIGHBOURS.has(language) ? language : undefined;
}
