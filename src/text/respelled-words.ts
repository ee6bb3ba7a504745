import {
  type Finding,
  looksLikeCode,
  type Mark,
  marksIn,
  type Reader,
  wholeIf,
  wholeWords,
} from "./disguise-findings.ts";
import { FUNCTION_WORDS, functionWordsIn } from "./function-words.ts";
import { type Span, shiftedSpan } from "./span.ts";

// Words that are all spelled in another way: "ehT lleb", "Gur oryy", "TThe bbell".

/** A way to read a word back; words that it does not concern stay as they are. `hidden`: the function words as such a text spells them. */
type Reading = {
  readonly detail: string;
  readonly read: (word: string) => string;
  readonly hidden: ReadonlySet<string>;
};

export const BACKWARDS = "words spelled backwards";

const LETTERS_OF_ALPHABET = 26;
const LETTER_A = 0x61;

const READINGS: readonly Reading[] = [
  { detail: BACKWARDS, read: reversed, hidden: hiddenBy(reversed) },
  ...[13, 1, 25].map((by) => ({
    detail: "each letter replaced by another of the alphabet",
    read: (word: string) => shifted(word, by),
    hidden: hiddenBy((word) => shifted(word, LETTERS_OF_ALPHABET - by)),
  })),
  {
    detail: "first letters doubled",
    read: (word) => word.replace(/^(.)\1/iu, "$1"),
    hidden: hiddenBy((word) => `${word.charAt(0)}${word}`),
  },
];

function hiddenBy(hide: (word: string) => string): Set<string> {
  const words = [...FUNCTION_WORDS];
  return new Set(words.map(hide).filter((hidden, at) => hidden !== words[at]));
}

function reversed(word: string): string {
  return [...word].reverse().join("");
}

/** Shifts Latin letters only: ROT13 has no others. */
function shifted(word: string, by: number): string {
  return word
    .toLowerCase()
    .replace(/[a-z]/g, (letter) =>
      String.fromCharCode(LETTER_A + ((letter.charCodeAt(0) - LETTER_A + by) % LETTERS_OF_ALPHABET)),
    );
}

/** Words, without the letters of codes such as "3f9a". */
const WORDS = /(?<![\p{L}\p{M}\p{Nd}])[\p{L}\p{M}]{1,64}(?![\p{L}\p{M}\p{Nd}])/gv;

/** Shorter words turn into others too easily: "on" into "no". */
const LETTERS_MIN = 3;
/** Words judged together, and how far the next ones begin. */
const JUDGED = 30;
const STEP = 5;
/** Among 30 such words, text in a language that is known here has more function words than this. */
const OWN_MAX = 2;
/** The right reading gives so many different function words more. */
const READ_MIN = 4;
/** The right reading changes nearly all words. Double letters stand in fewer words of any language. */
const CHANGED_MIN = 0.8;

/** A text is looked at in places this far from each other, in UTF-16 units; only around a place that a reading changes is all of it read. */
const PLACES_APART = 240;
const PLACE_UNITS = 160;
const PLACE_WORDS_MIN = 12;
const PLACE_FUNCTION_WORDS_MAX = 2;
const PLACE_READ_MIN = 3;

/** Parts nearer to each other are one: a place between them may hold a function word by chance. */
const PARTS_APART = 1_000;

/** After so many places in a row that no reading changes, a text is in a language that is not known, and the next place is further away. */
const UNREAD_MAX = 20;
const UNREAD_APART = 1_000;

function* suspectParts(text: string): Generator<Span> {
  let part: Span | undefined;
  let unread = 0;
  for (let at = 0; at === 0 || at + PLACE_UNITS <= text.length; ) {
    const words = suspectWords(text.slice(at, at + PLACE_UNITS));
    const isRead = words !== undefined && isReadAnotherWay(words);
    unread = words !== undefined && !isRead ? unread + 1 : 0;
    if (isRead) {
      const start = Math.max(0, at - PLACES_APART);
      const end = at + PLACES_APART + PLACE_UNITS;
      if (part !== undefined && start <= part.end + PARTS_APART) part = { ...part, end };
      else {
        if (part !== undefined) yield wholeWords(text, part);
        part = { start, end };
      }
    }
    at += unread > UNREAD_MAX ? UNREAD_APART : PLACES_APART;
  }
  if (part !== undefined) yield wholeWords(text, part);
}

/** The long words of a place with hardly a function word; nearly all places have some soon. */
function suspectWords(place: string): readonly string[] | undefined {
  const words: string[] = [];
  let count = 0;
  let functionWords = 0;
  for (const [word] of place.matchAll(ROUGH_WORDS)) {
    count++;
    if (isLong(word)) words.push(word.toLowerCase());
    if (word.length > 1 && functionWordsIn([word]) > 0 && ++functionWords > PLACE_FUNCTION_WORDS_MAX)
      return undefined;
  }
  return count < PLACE_WORDS_MIN ? undefined : words;
}

function isReadAnotherWay(words: readonly string[]): boolean {
  const different = [...new Set(words)];
  return READINGS.some(({ hidden }) => different.filter((word) => hidden.has(word)).length >= PLACE_READ_MIN);
}

/** Letters of the scripts whose function words are known, after folding. */
const ROUGH_WORDS = /[A-Za-z\xc0-\u06ff]{1,64}/g;

function isLong(word: string): boolean {
  return word.length >= LETTERS_MIN;
}

/**
 * Finds rows of words with hardly a function word, among which one reading makes several appear. Languages that are not known here do
 * not, while a rule on the share of function words or on unusual letters would accuse Xhosa and Welsh.
 */
function* respelledWords(text: string): Generator<Finding> {
  for (const part of suspectParts(text)) {
    const own = text.slice(part.start, part.end);
    if (looksLikeCode(own)) continue;
    for (const { reading, words } of respelledRows(own)) {
      const place = placeOf(words, reading);
      const read = Array.from(marksIn(own.slice(place.start, place.end), WORDS), (mark) => ({
        ...shiftedSpan(mark, part.start + place.start),
        text: READINGS[reading]?.read(mark.text) ?? mark.text,
      }));
      const detail = READINGS[reading]?.detail;
      yield { place: shiftedSpan(place, part.start), detail, edits: read };
    }
  }
}

/**
 * A word, whether it is a function word as it stands, and what each reading makes of it: a function word, another word ("") or the
 * word itself (undefined).
 */
type JudgedWord = Mark & { readonly isOwn: boolean; readonly read: readonly (string | undefined)[] };

/** Rows of words, with the number of the reading that makes function words appear. */
function* respelledRows(
  text: string,
): Generator<{ readonly reading: number; readonly words: readonly JudgedWord[] }> {
  const marks = Array.from(marksIn(text, WORDS)).filter(
    (mark) => isLong(mark.text) && mark.text !== mark.text.toUpperCase(),
  );
  const different = new Set(marks.map((mark) => mark.text.toLowerCase()));
  const judged = new Map(Array.from(different, (word) => [word, judgedWord(word)]));
  const words = marks.flatMap((mark): JudgedWord[] => {
    const known = judged.get(mark.text.toLowerCase());
    return known === undefined ? [] : [{ ...mark, ...known }];
  });
  let row: { readonly reading: number; readonly first: number; readonly end: number } | undefined;
  let done = 0;
  // Rows are looked for in steps, so some words more at both ends are looked at.
  const around = ({ reading, first, end }: NonNullable<typeof row>) => {
    const from = Math.max(done, first - STEP);
    done = Math.min(words.length, end + STEP);
    return { reading, words: words.slice(from, done) };
  };
  for (let at = 0; at + JUDGED < words.length + STEP; at += STEP) {
    const first = Math.min(at, words.length - JUDGED);
    const end = first + JUDGED;
    const reading = first < done ? undefined : readingOf(words.slice(first, end));
    if (reading === undefined) continue;
    if (row?.reading === reading && first <= row.end) row = { ...row, end };
    else if (row === undefined) row = { reading, first, end };
    else if (first > row.end) {
      yield around(row);
      row = { reading, first, end };
    }
  }
  if (row !== undefined) yield around(row);
}

function judgedWord(word: string): Omit<JudgedWord, keyof Mark> {
  const read = READINGS.map((reading) => {
    const changed = reading.read(word);
    if (changed === word) return undefined;
    return functionWordsIn([changed]) > 0 ? changed : "";
  });
  return { isOwn: functionWordsIn([word]) > 0, read };
}

/** The reading that makes the most different function words appear, of those that change nearly all words. */
function readingOf(words: readonly JudgedWord[]): number | undefined {
  const own = words.filter(({ isOwn }) => isOwn).length;
  if (own > OWN_MAX) return undefined;
  const counts = READINGS.map((_, at) => {
    const changed = words.flatMap(({ read }) => read[at] ?? []);
    if (changed.length < CHANGED_MIN * words.length) return 0;
    return new Set(changed.filter((word) => word !== "")).size;
  });
  const most = Math.max(...counts);
  return most >= own + READ_MIN ? counts.indexOf(most) : undefined;
}

/** Where words are disguised: a row at either end with more function words than would be read there is the writer's own. */
function placeOf(words: readonly JudgedWord[], reading: number): Span {
  const isRead = words.map(({ read }) => (read[reading] ?? "") !== "");
  const first = ownBefore(words, isRead);
  const behind = ownBefore(words.toReversed(), isRead.toReversed());
  const last = words.length - 1 - behind;
  return { start: words[first]?.start ?? 0, end: words[last]?.end ?? 0 };
}

/** How many words from the first are the writer's own; 0 if no function word is among them. */
function ownBefore(words: readonly JudgedWord[], isRead: readonly boolean[]): number {
  let surplus = 0;
  let most = 0;
  let own = 0;
  for (const [at, word] of words.entries()) {
    surplus += Number(word.isOwn) - Number(isRead[at]);
    if (surplus > most) {
      most = surplus;
      own = at + 1;
    }
  }
  return own === 0 ? 0 : Math.max(own, isRead.indexOf(true, own));
}

/** Looks for its places itself, which costs as little as a test before it. */
export const RESPELLED: Reader = { partsOf: wholeIf(() => true), find: respelledWords };
