import { isAsciiBorder } from "../words/ascii.ts";
import { SPACED_CHARACTER_OR_MARK, SPACED_RUN } from "../words/word-characters.ts";
import {
  ALPHABETS,
  type Alphabet,
  type LookAlikeScript,
  lookAlike,
  SHARED_LETTERS,
  scriptOf,
} from "./look-alikes.ts";

/** A letter of another script than its word's. */
export type StrangeLetter = { readonly letter: string; readonly script: LookAlikeScript };

/** A word of mixed scripts, read as one of a single script. */
export type MixedWord = {
  /** The word with the look-alikes replaced; as long as before, in UTF-16 units. */
  readonly unmasked: string;
  readonly alphabet: Alphabet;
  /** The letters of other scripts, each once, in their order. */
  readonly strangers: readonly StrangeLetter[];
  /** How many letters are of `alphabet`. */
  readonly own: number;
  /** Whether every stranger is a look-alike, so that the unmasked word is of one script. */
  readonly disguised: boolean;
};

/** Every word of mixed scripts in a folded text, with its offset. */
export function* mixedWords(text: string): Generator<{ at: number; word: string; reading: MixedWord }> {
  for (const { 0: word, index } of wordsWithStrangers(text)) {
    const reading = readMixedWord(word);
    if (reading !== undefined) yield { at: index, word, reading };
  }
}

/**
 * Replaces look-alikes of other scripts in words that mix scripts ("сору" with a Latin y becomes "copy").
 * The length, in UTF-16 units, stays; `text` is folded, but keeps its case, which decides what a letter looks like.
 */
export function unmaskWords(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { at, word, reading } of mixedWords(text)) {
    pieces.push(text.slice(done, at), reading.unmasked);
    done = at + word.length;
  }
  return done === 0 ? text : pieces.join("") + text.slice(done);
}

/** The words of a text that hold a letter of another script than Latin, without looking at all the others. */
function* wordsWithStrangers(text: string): Generator<RegExpExecArray> {
  for (let at = 0; ; ) {
    STRANGERS.lastIndex = at;
    const stranger = STRANGERS.exec(text);
    if (stranger === null) return;
    // A word is cut where it begins, so it is looked for from what can't be part of one.
    WORDS.lastIndex = wordBorderBefore(text, stranger.index, at);
    let word = WORDS.exec(text);
    while (word !== null && word.index + word[0].length <= stranger.index) word = WORDS.exec(text);
    if (word === null) return;
    yield word;
    at = WORDS.lastIndex = word.index + word[0].length;
  }
}

/** The place behind the last ASCII sign or space before `index`, `from` at least. */
function wordBorderBefore(text: string, index: number, from: number): number {
  let at = index;
  while (at > from && !isAsciiBorder(text.charCodeAt(at - 1))) at--;
  return at;
}

/**
 * Writes in Latin letters each word whose letters all look Latin in both cases. Such a word is of one script and no disguise by
 * itself, but "а" or "со" amid English is one, and nothing in the word tells. So the Russian words get Latin letters too,
 * in every text alike and whatever its language is said to be: the form is only compared, never shown.
 */
export function latiniseSharedWords(text: string): string {
  return text.replace(SHARED_WORDS, (word) =>
    Array.from(word, (letter) => SHARED_LETTERS.get(letter) ?? letter).join(""),
  );
}

const STRANGER = /[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Copt}\p{sc=Cher}\p{sc=Lisu}]/v;
const STRANGERS = new RegExp(STRANGER, "gv");
const WORDS = new RegExp(SPACED_RUN, "gv");

/** Words of these few letters are short; the bound is for the regular expression's sake. */
const SHARED_WORD_MAX = 64;
const SHARED = [...SHARED_LETTERS.keys()].join("");
/** What is looked for stands first: most places of most texts are then passed over at a glance. */
const SHARED_WORDS = new RegExp(
  `(?=[${SHARED}])(?<!${SPACED_CHARACTER_OR_MARK})[${SHARED}]{1,${SHARED_WORD_MAX}}(?!${SPACED_CHARACTER_OR_MARK})`,
  "gv",
);

/**
 * The reading of `word`, a run of letters, marks and digits, as one of a single script; undefined when its letters are of one
 * script already. The script is the one that leaves the fewest letters unexplained (a Latin l in "раураl" can be nothing
 * else, while р, а, у all pass for Latin); then the one with the most letters; then Latin.
 */
function readMixedWord(word: string): MixedWord | undefined {
  if (!STRANGER.test(word)) return undefined;
  const letters = Array.from(word);
  const scripts = letters.map(scriptOf);
  if (new Set(scripts.filter((script) => script !== undefined)).size < 2) return undefined;
  const [best] = ALPHABETS.filter((alphabet) => scripts.includes(alphabet))
    .map((alphabet) => read(letters, scripts, alphabet))
    .sort((a, b) => a.unexplained - b.unexplained || b.own - a.own);
  if (best === undefined) return undefined;
  const { unexplained, ...reading } = best;
  return { ...reading, disguised: unexplained === 0 };
}

type Reading = Omit<MixedWord, "disguised"> & { readonly unexplained: number };

function read(
  letters: readonly string[],
  scripts: readonly (LookAlikeScript | undefined)[],
  alphabet: Alphabet,
): Reading {
  const strangers = new Map<string, StrangeLetter>();
  let unmasked = "";
  let own = 0;
  let unexplained = 0;
  for (const [at, letter] of letters.entries()) {
    const script = scripts[at];
    if (script === alphabet) own++;
    if (script === undefined || script === alphabet) {
      unmasked += letter;
      continue;
    }
    const like = lookAlike(letter, alphabet);
    if (like === undefined) unexplained++;
    unmasked += like ?? letter;
    strangers.set(letter, { letter, script });
  }
  return { unmasked, alphabet, strangers: [...strangers.values()], own, unexplained };
}
