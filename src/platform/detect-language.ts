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

/** Whether a stretch of words has the letters of no language. See docs/decisions/detection.md for how often it is wrong. */
export function isNoLanguage(stretch: string): boolean {
  const result = eld.detect(stretch.replaceAll(/\s+/g, " ").slice(0, DETECTED_UNITS));
  return (result.getScores()[result.language] ?? 0) < NO_LANGUAGE_SCORE_MAX;
}

/** Below this score, the letters are those of no language. It never decides alone; the decisions have the measured errors of the whole rule. */
const NO_LANGUAGE_SCORE_MAX = 0.5;

/** Shorter texts are too often a heading, a list of names or a quotation in another language. In bytes of UTF-8. */
const TEXT_BYTES_MIN = 200;

/** For a text whose script alone tells its language: some twenty Chinese signs. */
const SCRIPT_BYTES_MIN = 60;

/** The part of a window that is detected: the detector reads the first 350 bytes of its input. In UTF-16 units. */
const DETECTED_UNITS = 400;

/** A window of a text: without code and the indentation of tables, enough must be left of it to be detected. In UTF-16 units. */
const WINDOW_UNITS = 800;

/** Windows of a long text, spread evenly; each takes 0.1 to 0.3 ms. */
const WINDOWS_MAX = 16;

/** If this many evenly spread windows agree, the others are skipped. */
const WINDOWS_FIRST = 5;

/** Below this share of the windows with a clear language in one language, a text is mixed. */
const AGREEMENT_MIN = 0.75;

/** Windows of code, tables and names have no clear language. With fewer clear ones than this share, the text has none. */
const CLEAR_MIN = 0.5;

/** Random letters, syllables and made-up words score up to .58, real texts of this length .66 or more. */
const SCORE_MIN = 0.62;

/** Words of code belong to no language, and their letters look like one: `3f9a`, `--help`, `/etc/passwd`, `printf(3)`. */
const CODE = /^[-[<]*-|\d|[_/\\@=<>{}|$*]|\w[.:(]\w/;

/** From this share of the letters of a window, in bytes, other scripts than Latin decide: code and foreign names are in Latin letters. */
const OTHER_SCRIPTS_MIN = 0.5;

/** Below this share of Japanese syllables among Chinese signs, a text is Chinese: it may quote a Japanese name. */
const KANA_MIN = 0.05;

/** Scripts that are used for one language nearly always. */
const SCRIPT_LANGUAGES: readonly (readonly [script: RegExp, language: string])[] = [
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Greek}/gu, "el"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Armenian}/gu, "hy"],
  [/\p{Script=Georgian}/gu, "ka"],
];

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
  if (Buffer.byteLength(text.slice(0, TEXT_BYTES_MIN)) < TEXT_BYTES_MIN)
    return scriptLanguage(otherScripts(text) ?? "");
  const windows = Math.min(WINDOWS_MAX, Math.ceil(text.length / DETECTED_UNITS));
  const step = windows === 1 ? 0 : Math.max(0, text.length - WINDOW_UNITS) / (windows - 1);
  const counts = new Map<string, number>();
  let clear = 0;
  for (const [seen, window] of spreadFirst(windows).entries()) {
    const start = Math.round(window * step);
    const language = clearLanguage(text.slice(start, start + WINDOW_UNITS));
    if (language !== undefined) {
      clear++;
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
    if (seen + 1 === WINDOWS_FIRST && counts.size === 1 && clear === WINDOWS_FIRST) return language;
  }
  if (clear < CLEAR_MIN * windows) return undefined;
  return [...counts].find(([, count]) => count >= AGREEMENT_MIN * clear)?.[0];
}

/** The numbers of the windows: first some that are spread over the text, then those between them. */
function spreadFirst(windows: number): number[] {
  const all = [...Array(windows).keys()];
  const first = new Set(
    Array.from({ length: WINDOWS_FIRST }, (_, at) => Math.round((at * (windows - 1)) / (WINDOWS_FIRST - 1))),
  );
  return [...first, ...all.filter((window) => !first.has(window))];
}

/** The language of a window, if it is clear. */
function clearLanguage(window: string): string | undefined {
  const words = withoutCode(window);
  const other = otherScripts(words);
  const bySigns = other && scriptLanguage(other);
  if (bySigns !== undefined) return bySigns;
  const result = eld.detect((other ?? words).replaceAll(/\s+/g, " ").slice(0, DETECTED_UNITS));
  const language = NAMED_AFTER[result.language] ?? result.language;
  const isClear = result.isReliable() && (result.getScores()[result.language] ?? 0) >= SCORE_MIN;
  return isClear && !OF_UNKNOWN_NEIGHBOURS.has(language) ? language : undefined;
}

function withoutCode(text: string): string {
  return text.replaceAll(/[!-~]+/g, (word) => (CODE.test(word) ? " " : word));
}

/** The words of a text in other scripts than Latin; undefined when they do not decide. */
function otherScripts(text: string): string | undefined {
  const other = text.replaceAll(/[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+/gu, " ").trim();
  const bytes = Buffer.byteLength(other);
  return bytes >= SCRIPT_BYTES_MIN && bytes >= OTHER_SCRIPTS_MIN * (bytes + count(text, /\p{Script=Latin}/gu))
    ? other
    : undefined;
}

/** The language that the script of most letters tells; undefined for a script of many languages. */
function scriptLanguage(letters: string): string | undefined {
  const half = letters.replaceAll(" ", "").length / 2;
  const kana = count(letters, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const chinese = count(letters, /\p{Script=Han}/gu);
  if (kana + chinese > half) return kana > KANA_MIN * (kana + chinese) ? "ja" : "zh";
  return SCRIPT_LANGUAGES.find(([script]) => count(letters, script) > half)?.[1];
}

function count(text: string, signs: RegExp): number {
  return text.match(signs)?.length ?? 0;
}
