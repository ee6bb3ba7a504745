/**
 * Tells a word from what else is written letter by letter: lists ("a b c d"), variables ("x y z w"), rhyme schemes
 * ("a b a b c b"), rows of one or two letters. `word` in lower case, four letters or more.
 */
export function readsLikeWord(word: string): boolean {
  const letters = Array.from(word.replace(/\p{M}/gu, ""), (letter) => letter.codePointAt(0) ?? 0);
  const different = new Set(letters);
  if (different.size < DIFFERENT_LETTERS_MIN) return false;
  const stepMax = LATIN.test(word) ? 1 : OTHER_STEP_MAX;
  const nextSteps = letters.filter((letter, at) => {
    const step = letter - (letters[at - 1] ?? letter);
    return step >= 1 && step <= stepMax;
  });
  if (nextSteps.length >= ALPHABET_STEPS * (letters.length - 1)) return false;
  if (PHONETIC.test(word)) return false;
  if (!LATIN.test(word)) return true;
  const reach = Math.max(...different) - A + 1;
  if (reach <= ANSWERS_MAX || (reach <= LABELS_MAX && reach === different.size)) return false;
  const vowels = word.match(word.length < Y_VOWEL_FROM ? VOWELS : VOWELS_AND_Y)?.length ?? 0;
  return vowels >= VOWEL_SHARE_MIN * letters.length && vowels <= VOWEL_SHARE_MAX * letters.length;
}

/** Rows of the first few letters are answers and grades: "b a d a c". Words of them, such as "face", are few. */
const ANSWERS_MAX = 6;

/** What uses exactly the first letters of the alphabet, up to so many, names lines or items. */
const LABELS_MAX = 12;
const A = 0x61;

/** Rows of phonetic letters are tables of sounds. */
const PHONETIC = /[\u0250-\u02af]/;
const LATIN = /^\p{sc=Latn}+$/u;
const VOWELS = /[aeiou]/g;
const VOWELS_AND_Y = /[aeiouy]/g;
/** In fewer letters a y is more often a variable (x y z w) than the only vowel. */
const Y_VOWEL_FROM = 5;
const VOWEL_SHARE_MIN = 0.1;
const VOWEL_SHARE_MAX = 0.8;
const DIFFERENT_LETTERS_MIN = 3;

/** Of the steps from letter to letter, the share that lead to the next one of the alphabet in a list: "i j k l". */
const ALPHABET_STEPS = 0.75;

/** Code points from one letter of a list to the next where it leaves letters out: "أ ب ج د", "ก ข ค ง". */
const OTHER_STEP_MAX = 8;
