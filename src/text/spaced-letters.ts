import { nearSeveral } from "./disguise-findings.ts";
import { IDENTITY_MAP, OffsetMapBuilder, type RewrittenText } from "./offset-map.ts";
import type { Span } from "./span.ts";
import { WORD_CHARACTER } from "./word-characters.ts";

/** Words with something between their letters: "p l a g i a r i s m", "c.o.p.y". Offsets are UTF-16. */
type SpacedLetters = Span & {
  /** The gaps between letters of one word, ascending. Without them the words read as usual. */
  readonly gaps: readonly Span[];
  /** The letters and digits that are brought together. */
  readonly letters: number;
  /** False for acronyms and headings in capitals, which people space out for looks. */
  readonly isDisguise: boolean;
};

/**
 * The rows of single letters in a folded text that spell words, ascending. The most frequent gap separates letters; wider gaps,
 * white space beside signs, and the border of a number separate words. A group counts if it is long and reads like a word.
 * Shorter groups count beside one, or anywhere in a text with several. If both gaps are equal, all becomes one word.
 */
export function spacedLetters(text: string): readonly SpacedLetters[] {
  const sure: SpacedLetters[] = [];
  for (const part of partsWithStretches(text)) sure.push(...stretchesIn(text, part, STRETCHES, isSpacedWord));
  const disguises = sure.filter(({ isDisguise }) => isDisguise).length;
  if (disguises < HABIT_MIN) return sure;
  return Array.from(stretchesIn(text, { start: 0, end: text.length }, SHORT_STRETCHES, mayBeSpacedWord));
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
  part: Span,
  pattern: RegExp,
  isWord: (group: readonly LetterCell[]) => boolean,
): Generator<SpacedLetters> {
  for (const { 0: stretch, index } of text.slice(part.start, part.end).matchAll(pattern)) {
    const groups = groupsOf(readCells(stretch, part.start + index));
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

/** From this many disguises on, "t h e" and "o f" count as well. */
const HABIT_MIN = 3;

/** A row of fewer letters holds no group that counts. */
const GROUP_LETTERS_MIN = 4;

/** Wide enough for punctuation and its spaces if a space follows every character. */
const GAP_MAX = 8;

/** A longer row is read in parts. The bound is for the regular expression's stack. */
const STRETCH_LETTERS_MAX = 2_000;

/** A letter or digit with its marks, as a part of regular expressions with the `v` flag. */
const LETTER_CELL = String.raw`[\p{L}\p{Nd}]\p{M}{0,8}`;

const STRETCHES = stretchesOf(GROUP_LETTERS_MIN);
const SHORT_STRETCHES = stretchesOf(2);

function stretchesOf(lettersMin: number): RegExp {
  const next = `[^${WORD_CHARACTER}]{1,${GAP_MAX}}${LETTER_CELL}(?!${WORD_CHARACTER})`;
  const more = `{${lettersMin - 1},${STRETCH_LETTERS_MAX}}`;
  return new RegExp(`(?<!${WORD_CHARACTER})${LETTER_CELL}(?:${next})${more}`, "gv");
}

/** UTF-16 units of letters and digits: whole letters, and parts of letters in scripts with marks or surrogate pairs. */
const WHOLE_UNIT = String.raw`A-Za-z0-9\xc0-\u02ff\u0370-\u08ff\u3040-\ud7ff`;
const PART_UNIT = String.raw`\u0300-\u036f\u0900-\u167f\u1681-\u1fff\u2070-\u2fff\ud800-\uffff`;
const ROUGH_CELL = `(?:[${WHOLE_UNIT}]|[${PART_UNIT}]{1,4})`;
const ROUGH_GAP = `[^${WHOLE_UNIT}${PART_UNIT}]{1,${GAP_MAX}}`;

/** Each such row has this, as do 8% of English articles, in a tenth of the full search's time. */
const partsWithStretches = nearSeveral(
  new RegExp(
    `(?<![${WHOLE_UNIT}${PART_UNIT}])(?:${ROUGH_CELL}${ROUGH_GAP}){${GROUP_LETTERS_MIN - 1}}${ROUGH_CELL}(?![${WHOLE_UNIT}${PART_UNIT}])`,
    "g",
  ),
  1,
);

/** Capitals are usually spaced in acronyms and after names ("Smith A B C D"). */
const CAPITALS_MIN = 5;

/** Korean has rows of one-syllable words: "두 번 더 할 수". */
const SYLLABLES_MIN = 8;

/** A heading that is spaced out for its looks has fewer letters. */
const DISGUISE_LETTERS_SURE = 60;

/** Shorter groups are often Chinese headings ("参 考 文 献") or Japanese names, which are usually spaced. */
const UNSPACED_DISGUISE_MIN = 12;

/** Shorter groups of mixed case are rubbish from a picture or a program; longer ones are a whole sentence. */
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

/** Two or three letters count too, unless such words often stand alone. */
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

/** One letter or digit with its marks, and the characters before it. */
type LetterCell = Span & { readonly character: string; readonly gapBefore: string };

function gapsIn(group: readonly LetterCell[]): Span[] {
  return group.slice(1).map(({ start, gapBefore }) => ({ start: start - gapBefore.length, end: start }));
}

const CELLS = new RegExp(`([^${WORD_CHARACTER}]*)(${LETTER_CELL})`, "gv");

function readCells(stretch: string, offset: number): LetterCell[] {
  return Array.from(stretch.matchAll(CELLS), ({ 1: gapBefore = "", 2: character = "", index }) => {
    const start = offset + index + gapBefore.length;
    return { start, end: start + character.length, character, gapBefore };
  });
}

/** Fewer single letters are words of one letter. */
const LEFT_OVER_MIN = 4;

/** Groups the letters by the most frequent gap, and the single letters that remain by the most frequent gap among them. */
function groupsOf(cells: readonly LetterCell[]): LetterCell[][] {
  const groups: LetterCell[][] = [];
  let singles: LetterCell[] = [];
  const endSingles = () => {
    const isLeftOver = singles.length >= LEFT_OVER_MIN && singles.length < cells.length;
    groups.push(...(isLeftOver ? groupsOf(singles) : singles.map((cell) => [cell])));
    singles = [];
  };
  for (const group of groupsByUsualGap(cells)) {
    if (group.length === 1) singles.push(...group);
    else {
      endSingles();
      groups.push(group);
    }
  }
  endSingles();
  return groups;
}

function groupsByUsualGap(cells: readonly LetterCell[]): LetterCell[][] {
  const partsLetters = letterGap(cells);
  const groups: LetterCell[][] = [];
  for (const cell of cells) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const goesOn = before !== undefined && isDigit(before) === isDigit(cell) && partsLetters(cell.gapBefore);
    if (goesOn) group?.push(cell);
    else groups.push([cell]);
  }
  return groups;
}

function isDigit({ character }: LetterCell): boolean {
  return /\p{Nd}/u.test(character);
}

function letterGap(cells: readonly LetterCell[]): (gap: string) => boolean {
  const counts = new Map<string, number>();
  for (const { gapBefore } of cells.slice(1)) counts.set(gapBefore, (counts.get(gapBefore) ?? 0) + 1);
  let usual = "";
  for (const [gap, count] of counts) {
    if ((SPACES.test(gap) || SIGNS.test(gap)) && count > (counts.get(usual) ?? 0)) usual = gap;
  }
  const kind = SPACES.test(usual) ? SPACES : SIGNS;
  // Where other spaces divide letters, a plain one divides words.
  const wordGap = usual.length === 1 && usual !== " " && kind === SPACES ? " " : "";
  return (gap) =>
    gap !== wordGap && gap.length <= usual.length
      ? kind.test(gap)
      : gap.length <= usual.length * 2 + 1 && APOSTROPHE.test(gap);
}

/** Signs that hide a word between its letters. Commas, slashes, plus and equals signs list or calculate. */
const SIGNS = /^[-._*|~·•:#^]+$/;
const SPACES = /^[^\S\n\r\x85\u2028\u2029]+$/;

/** An apostrophe stays in its word even if the letters' gap stands on both sides. */
const APOSTROPHE = /^\s*['`]\s*$/;

/** Tells a lower-case word of four or more letters from lists ("a b c d"), variables, rhyme schemes and rows of a letter or two. */
function readsLikeWord(word: string): boolean {
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

/** Rows of the first few letters are answers and grades: "b a d a c". Few words consist of them. */
const ANSWERS_MAX = 6;

/** A row of exactly the first letters of the alphabet, up to this many, names lines or items. */
const LABELS_MAX = 12;
const A = 0x61;

/** Rows of phonetic letters are tables of sounds. */
const PHONETIC = /[\u0250-\u02af]/;
const LATIN = /^\p{sc=Latn}+$/u;
const VOWELS = /[aeiou]/g;
const VOWELS_AND_Y = /[aeiouy]/g;
/** In shorter words a y is more often a variable (x y z w) than a vowel. */
const Y_VOWEL_FROM = 5;
const VOWEL_SHARE_MIN = 0.1;
const VOWEL_SHARE_MAX = 0.8;
const DIFFERENT_LETTERS_MIN = 3;

/** The share of steps to the next letter of the alphabet that makes a list: "i j k l". */
const ALPHABET_STEPS = 0.75;

/** The most code points between two letters of a list that skips some: "أ ب ج د", "ก ข ค ง". */
const OTHER_STEP_MAX = 8;
