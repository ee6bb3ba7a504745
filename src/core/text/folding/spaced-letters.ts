import { IDENTITY_MAP, OffsetMapBuilder } from "../offset-map.ts";
import type { Span } from "../span.ts";
import { WORD_CHARACTER } from "../words/word-characters.ts";
import type { RewrittenText } from "./fold-characters.ts";
import { gapsIn, LETTER_CELL, type LetterCell, letterGroups } from "./letter-groups.ts";
import { readsLikeWord } from "./reads-like-word.ts";

/** Words written with something between their letters: "p l a g i a r i s m", "c.o.p.y". Offsets are UTF-16. */
export type SpacedLetters = Span & {
  /** What parts the letters inside words: ascending. Without it the words read as usual. */
  readonly gaps: readonly Span[];
  /** The letters and digits that are brought together. */
  readonly letters: number;
  /** False for what people set so without a thought of hiding it: acronyms, headings in capitals. */
  readonly isDisguise: boolean;
};

/**
 * The stretches of single letters in a folded text that spell words, by ascending start.
 *
 * A stretch is a row of letters that each stand alone. The gap that is most frequent in it parts letters; any wider one, and
 * white space where letters are parted by signs, parts words, as does the border of a number. A group of letters counts
 * when it is long enough and reads like a word; then shorter groups beside it in the stretch do too, and in a text with
 * several such words short groups anywhere. Where words are parted by the same gap as letters, nothing tells where a
 * word ends: all become one.
 */
export function spacedLetters(text: string): readonly SpacedLetters[] {
  if (!MAY_HAVE_STRETCH.test(text)) return [];
  const sure = Array.from(stretchesIn(text, STRETCHES, isSpacedWord));
  const disguises = sure.filter(({ isDisguise }) => isDisguise).length;
  return disguises < HABIT_MIN ? sure : Array.from(stretchesIn(text, SHORT_STRETCHES, mayBeSpacedWord));
}

/** A folded text with spaced letters brought together. */
export function joinSpacedLetters(text: string): RewrittenText {
  const map = new OffsetMapBuilder();
  const pieces: string[] = [];
  let done = 0;
  for (const { gaps } of spacedLetters(text)) {
    for (const { start, end } of gaps) {
      pieces.push(text.slice(done, start));
      map.replace(start, end, 0);
      done = end;
    }
  }
  if (done === 0) return { text, map: IDENTITY_MAP };
  pieces.push(text.slice(done));
  return { text: pieces.join(""), map: map.build() };
}

function* stretchesIn(
  text: string,
  pattern: RegExp,
  isWord: (group: readonly LetterCell[]) => boolean,
): Generator<SpacedLetters> {
  for (const { 0: stretch, index } of text.matchAll(pattern)) {
    const groups = letterGroups(stretch, index);
    const words = groups.filter(isWord);
    if (words.length === 0) continue;
    const joined = groups.filter((group) => group.length > 1);
    const letters = joined.reduce((sum, group) => sum + group.length, 0);
    const start = joined[0]?.[0]?.start ?? 0;
    const end = joined.at(-1)?.at(-1)?.end ?? 0;
    const isDisguise = letters >= DISGUISE_LETTERS_SURE || words.some(isPlainWord);
    yield { start, end, gaps: joined.flatMap(gapsIn), letters, isDisguise };
  }
}

/** So many disguises in a text are a habit, and "t h e" and "o f" are parts of it too. */
const HABIT_MIN = 3;

/** A stretch of fewer letters can hold no group that counts. */
const GROUP_LETTERS_MIN = 4;

/** Wide enough for punctuation and the spaces around it when a space follows every character of a text. */
const GAP_MAX = 8;

/** A longer stretch is read in parts. The bound is for the regular expression's stack. */
const STRETCH_LETTERS_MAX = 2_000;

const STRETCHES = stretchesOf(GROUP_LETTERS_MIN);
const SHORT_STRETCHES = stretchesOf(2);

function stretchesOf(lettersMin: number): RegExp {
  const next = `[^${WORD_CHARACTER}]{1,${GAP_MAX}}${LETTER_CELL}(?!${WORD_CHARACTER})`;
  const more = `{${lettersMin - 1},${STRETCH_LETTERS_MAX}}`;
  return new RegExp(`(?<!${WORD_CHARACTER})${LETTER_CELL}(?:${next})${more}`, "gv");
}

/**
 * UTF-16 units of letters and digits: those that stand for one, and those of scripts with marks or surrogate pairs, of
 * which several make one.
 */
const WHOLE_UNIT = String.raw`A-Za-z0-9\xc0-\u02ff\u0370-\u08ff\u3040-\ud7ff`;
const PART_UNIT = String.raw`\u0300-\u036f\u0900-\u1fff\u2070-\u2fff\ud800-\uffff`;
const ROUGH_CELL = `(?:[${WHOLE_UNIT}]|[${PART_UNIT}]{1,4})`;
const ROUGH_GAP = `[^${WHOLE_UNIT}${PART_UNIT}]{1,${GAP_MAX}}`;

/**
 * What every text with a stretch has. Looking for stretches takes half as long as finding all words of a text; this, without
 * Unicode's classes, takes a tenth of that, and 8% of English articles have it.
 */
const MAY_HAVE_STRETCH = new RegExp(
  `(?<![${WHOLE_UNIT}${PART_UNIT}])(?:${ROUGH_CELL}${ROUGH_GAP}){${GROUP_LETTERS_MIN - 1}}${ROUGH_CELL}(?![${WHOLE_UNIT}${PART_UNIT}])`,
);

/** Capitals are set apart in acronyms and after names ("Smith A B C D") before they are in words. */
const CAPITALS_MIN = 5;

/** Korean has rows of words of one syllable, "두 번 더 할 수". */
const SYLLABLES_MIN = 8;

/** More letters than a heading has that is spaced out for its looks. */
const DISGUISE_LETTERS_SURE = 60;

/** Four characters are a Chinese heading ("参 考 文 献") or a Japanese name, which are often written so. */
const UNSPACED_DISGUISE_MIN = 12;

/** Capitals and small letters in any order are a whole sentence, or rubbish that was read from a picture or a program. */
const MIXED_CASE_MIN = 12;

const USUAL_CASE = /^.\P{Lu}*$/u;
const CAPITALS = /^\p{Lu}+$/u;
const LOWER_CASE_SCRIPTS = /[\p{Ll}\p{Lu}]/u;
const HANGUL = /\p{sc=Hang}/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u;

function isSpacedWord(group: readonly LetterCell[]): boolean {
  const word = spelled(group);
  if (!LETTERS_ONLY.test(word) || group.length < GROUP_LETTERS_MIN) return false;
  if (CAPITALS.test(word) && group.length < CAPITALS_MIN) return false;
  if (!CAPITALS.test(word) && !USUAL_CASE.test(word) && group.length < MIXED_CASE_MIN) return false;
  if (HANGUL.test(word) && group.length < SYLLABLES_MIN) return false;
  return readsLikeWord(word.toLowerCase());
}

/** Also two letters or three, as long as they are none that often stand so. */
function mayBeSpacedWord(group: readonly LetterCell[]): boolean {
  const word = spelled(group);
  if (group.length >= GROUP_LETTERS_MIN) return isSpacedWord(group);
  return (
    group.length > 1 && LETTERS_ONLY.test(word) && LOWER_CASE_SCRIPTS.test(word) && USUAL_CASE.test(word)
  );
}

function isPlainWord(group: readonly LetterCell[]): boolean {
  const word = spelled(group);
  return UNSPACED.test(word) ? group.length >= UNSPACED_DISGUISE_MIN : !CAPITALS.test(word);
}

function spelled(group: readonly LetterCell[]): string {
  return group.map(({ character }) => character).join("");
}
