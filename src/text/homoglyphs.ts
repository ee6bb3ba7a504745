import confusables from "./confusables.json" with { type: "json" };
import { IDENTITY_MAP, OffsetMapBuilder, type RewrittenText } from "./offset-map.ts";
import { isAsciiBorder, RUN_LENGTH_MAX, SPACED_CHARACTER_OR_MARK } from "./word-characters.ts";

/** A character that is not of its word's alphabet, with its script or, for signs and other scripts, "look-alike". */
type Stranger = { readonly letter: string; readonly script: string };

/** A word with characters of other alphabets, read as one of a single alphabet. */
export type MixedWord = {
  /** For each character of the word, the one it stands for. */
  readonly unmasked: readonly string[];
  readonly alphabet: Alphabet;
  /** The characters of other scripts, each once, in their order; none if the word has only rare letters of its own script. */
  readonly strangers: readonly Stranger[];
  /** The number of letters of `alphabet`. */
  readonly own: number;
  /** Whether every stranger is a look-alike, so that the unmasked word is in one script. */
  readonly disguised: boolean;
};

type FoundWord = { readonly at: number; readonly word: string; readonly reading: MixedWord };

/** Words that mix alphabets, ascending. Words with signs, ASCII digits or capitals count if there are several: not "sha1sum". */
export function mixedWords(text: string): readonly FoundWord[] {
  const borrowed = borrowedScripts(text);
  const found: FoundWord[] = [];
  const doubtful = new Set<FoundWord>();
  for (const { 0: word, index: at } of wordsWithStrangers(text)) {
    const reading = readMixedWord(word, borrowed);
    if (reading === undefined) continue;
    const one = { at, word, reading };
    found.push(one);
    if (DOUBTFUL.test(word)) doubtful.add(one);
  }
  return doubtful.size >= HABIT_MIN ? found : found.filter((one) => !doubtful.has(one));
}

/** From this many doubtful words on, a text has the habit. */
const HABIT_MIN = 3;

/** Replaces look-alikes in words that mix scripts ("сору" with a Latin y becomes "copy"). `text` is folded but keeps its case. */
export function unmaskWords(text: string): RewrittenText {
  const map = new OffsetMapBuilder();
  const pieces: string[] = [];
  let done = 0;
  for (const { at, word, reading } of mixedWords(text)) {
    const unmasked = reading.unmasked.join("");
    pieces.push(text.slice(done, at), unmasked);
    done = at + word.length;
    if (unmasked.length === word.length) continue;
    // A look-alike of two UTF-16 units stands for a letter of one.
    let start = at;
    for (const [index, letter] of Array.from(word).entries()) {
      map.replace(start, start + letter.length, reading.unmasked[index]?.length ?? 0);
      start += letter.length;
    }
  }
  if (done === 0) return { text, map: IDENTITY_MAP };
  pieces.push(text.slice(done));
  return { text: pieces.join(""), map: map.build() };
}

/** The words of a text that contain a stranger. The other words are skipped. */
function* wordsWithStrangers(text: string): Generator<RegExpExecArray> {
  for (let at = 0; ; ) {
    STRANGERS.lastIndex = at;
    const stranger = STRANGERS.exec(text);
    if (stranger === null) return;
    // The search begins behind an ASCII sign or space, so that it finds the word from its first letter.
    let border = stranger.index;
    while (border > at && !isAsciiBorder(text.charCodeAt(border - 1))) border--;
    WORDS.lastIndex = border;
    let word = WORDS.exec(text);
    while (word !== null && word.index + word[0].length <= stranger.index) word = WORDS.exec(text);
    if (word === null) return;
    yield word;
    at = WORDS.lastIndex = word.index + word[0].length;
  }
}

/** Words whose letters all look Latin become Latin in every text: "со" in English looks like Russian. The form is never shown. */
export function latiniseSharedWords(text: string): string {
  return text.replace(SHARED_WORDS, (word) =>
    Array.from(word, (letter) => SHARED_LETTERS.get(letter) ?? letter).join(""),
  );
}

/** The alphabets whose letters stand in for each other's. */
const ALPHABETS = ["Latin", "Greek", "Cyrillic"] as const;
type Alphabet = (typeof ALPHABETS)[number];

const SCRIPTS = [
  ["Latin", /^\p{sc=Latn}/v],
  ["Greek", /^\p{sc=Grek}/v],
  ["Cyrillic", /^\p{sc=Cyrl}/v],
  ["Armenian", /^\p{sc=Armn}/v],
  ["Coptic", /^\p{sc=Copt}/v],
  ["Cherokee", /^\p{sc=Cher}/v],
  ["Lisu", /^\p{sc=Lisu}/v],
] as const;

const LOOK_ALIKE = "look-alike";

const CAPITAL = /^\p{Lu}/u;
const SMALL = /^\p{Ll}/u;
/** Letters and numbers without case stand for a capital and for a small letter. */
const UNCASED = /^[\p{Lo}\p{Nl}]/u;

/** The letters of an alphabet that replace their look-alikes. Cyrillic has an l in few languages only. */
const LETTERS: Readonly<Record<Alphabet, RegExp>> = {
  Latin: /[A-Za-z]/g,
  Greek: /[Α-Ωα-ω]/g,
  Cyrillic: /[[\u0400-\u052f]--[\u04c0\u04cf]]/gv,
};

/** Further look-alikes: Cyrillic and Greek letters that look like small capitals or differ in a tail. Lisu has only capitals. */
const MORE = {
  Latin: "вb ьb нh кk мm тt ԀD εe ηn κk τt χx ωw ⲁa ⲭx ⲀA ꓲI Il",
  Greek: "kκ nη xχ",
} as const;

/** The small letters of these scripts are small capitals. Unicode's list has them as such, or not at all. */
const CAPITAL_OF_SMALL_CAPITALS = /[[\p{sc=Cher}\p{sc=Copt}]&&\p{Lu}]/v;

/** By look-alike, the letter of an alphabet that it can be taken for. */
const STANDS_FOR: Readonly<Record<Alphabet, ReadonlyMap<string, string>>> = {
  Latin: new Map([...standsFor("Latin"), ...pairs(MORE.Latin)]),
  Greek: new Map([...standsFor("Greek"), ...pairs(MORE.Greek)]),
  Cyrillic: new Map(standsFor("Cyrillic")),
};

/** Pairs of look-alike and letter of the same case. Latin also has an I that looks like an l. */
function standsFor(alphabet: Alphabet): [string, string][] {
  return confusables.classes.flatMap((all) => {
    const letters = all.match(LETTERS[alphabet]) ?? [];
    const capital = letters.find((letter) => CAPITAL.test(letter));
    const small = letters.find((letter) => !CAPITAL.test(letter));
    return withSmallCapitals(all).flatMap((one): [string, string][] => {
      const like = CAPITAL.test(one) ? capital : SMALL.test(one) ? small : (small ?? capital);
      const letter = like ?? (alphabet === "Latin" ? letters[0] : undefined);
      return letter === undefined ? [] : [[one, letter]];
    });
  });
}

/** A class with the small capitals of its capitals; in the class of a small letter, each is that letter. */
function withSmallCapitals(lookAlikes: string): string[] {
  return Array.from(lookAlikes).flatMap((one) =>
    CAPITAL_OF_SMALL_CAPITALS.test(one) ? [one, one.toLowerCase()] : [one],
  );
}

/** The letter of `alphabet` that `letter`, of another script, can be taken for. */
function lookAlike(letter: string, alphabet: Alphabet): string | undefined {
  const direct = STANDS_FOR[alphabet].get(letter);
  return direct ?? STANDS_FOR[alphabet].get(STANDS_FOR.Latin.get(letter) ?? letter);
}

/** The look-alikes of other scripts than Greek and Cyrillic, rare Latin letters and signs among them. */
const STRANGE = `[${[...new Set(confusables.classes.join(""))].filter((one) => !/[[\0-\x7f][[\p{sc=Grek}\p{sc=Cyrl}]&&\p{L}]]/v.test(one)).join("")}]`;

/** ASCII characters in place of letters: a digit between small letters, an I between a small letter and a vowel. */
const ASCII_STRANGE = String.raw`(?<=\p{Ll})(?:[01](?=\p{Ll})|I(?=I?[aeiouy])|(?<=\p{Ll}I)I(?=[aeiouy]))`;

const OTHER_ALPHABET = String.raw`[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Copt}\p{sc=Cher}\p{sc=Lisu}]`;
/** Where a stranger can begin. The slower pattern behind it is tried only there, which takes a third of the time. */
const MAY_BE_STRANGE = String.raw`(?=[01I\x80-\u{10ffff}])`;
const STRANGERS = new RegExp(`${MAY_BE_STRANGE}(?:${OTHER_ALPHABET}|${STRANGE}|${ASCII_STRANGE})`, "gv");
const WORDS = new RegExp(`(?:${SPACED_CHARACTER_OR_MARK}|${STRANGE}){1,${RUN_LENGTH_MAX}}`, "gv");
const ASCII_STRANGERS = new RegExp(ASCII_STRANGE, "gv");

/** Characters that may be no disguise: signs, scripts without spaces, rare Latin letters, ASCII characters in place of letters. */
const DOUBTFUL = new RegExp(
  `[${STRANGE}--${SPACED_CHARACTER_OR_MARK}]|[${STRANGE}&&\\p{sc=Latn}]|${ASCII_STRANGE}`,
  "v",
);

/** Latin letters of transcriptions and African languages that look like plain ones. They are replaced but are no disguise. */
const RARE_LATIN = new RegExp(`[${STRANGE}&&\\p{sc=Latn}]`, "v");

/** Letters that have no other reason to be in a Latin word. Hebrew and Arabic put prefixes in front of foreign words. */
const SURE_LETTER = new RegExp(
  `^[${SPACED_CHARACTER_OR_MARK}--[\\0-\\x7f\\p{Nd}\\p{sc=Hebr}\\p{sc=Arab}]]`,
  "v",
);

/** Words of fewer plain letters may be formulas or transcriptions. */
const PLAIN_LETTERS_MIN = 4;
const PLAIN = /[A-Za-z]/g;

/**
 * Reads `word` as one of a single script; undefined if it is one already. The script that explains most letters wins (Latin l in
 * "раураl" can be nothing else), then that with most letters, then Latin. `borrowed`: scripts whose words are Latin in disguise.
 */
function readMixedWord(word: string, borrowed: ReadonlySet<string>): MixedWord | undefined {
  const letters = Array.from(word);
  const scripts = scriptsOf(word, letters);
  const present = new Set(scripts.filter((script) => script !== undefined));
  const isBorrowed = present.size === 1 && [...present].every((script) => borrowed.has(script));
  if (present.size < 2 && !isBorrowed && !RARE_LATIN.test(word)) return undefined;
  const readings = (isBorrowed ? (["Latin"] as const) : ALPHABETS)
    .filter((alphabet) => isBorrowed || present.has(alphabet))
    .map((alphabet) => read(letters, scripts, alphabet));
  const [best] = readings.sort((a, b) => a.unexplained - b.unexplained || b.own - a.own);
  if (best === undefined) return undefined;
  if (best.strangers.length === 0 && best.unmasked.join("") === word) return undefined;
  const { unexplained, ...reading } = best;
  const isSound = (script: string | undefined, at: number) =>
    script !== LOOK_ALIKE || isPlausible(letters, at, best);
  if (present.has(LOOK_ALIKE) && (unexplained > 0 || !scripts.every(isSound))) return undefined;
  return { ...reading, disguised: unexplained === 0 };
}

/** The script of each letter: undefined for digits and marks, `LOOK_ALIKE` for other scripts and signs that look like a letter. */
function scriptsOf(word: string, letters: readonly string[]): (string | undefined)[] {
  const ascii = new Set(Array.from(word.matchAll(ASCII_STRANGERS), ({ index }) => index));
  let offset = 0;
  return letters.map((letter) => {
    const isAscii = ascii.has(offset);
    offset += letter.length;
    const script = isAscii ? undefined : SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0];
    return script ?? (isAscii || OTHER_LETTER.test(letter) ? LOOK_ALIKE : undefined);
  });
}

const OTHER_LETTER = new RegExp(String.raw`^[\p{L}${STRANGE}]`, "v");

/** Whether a look-alike that could be more than a letter stands between two letters like the one that it stands for. */
function isPlausible(letters: readonly string[], at: number, { unmasked, own }: Reading): boolean {
  if (SURE_LETTER.test(letters[at] ?? "")) return true;
  const isCapital = CAPITAL.test((UNCASED.test(letters[at] ?? "") ? unmasked[at - 1] : unmasked[at]) ?? "");
  const isLike = (letter = "") => /^\p{L}/u.test(letter) && CAPITAL.test(letter) === isCapital;
  return own >= PLAIN_LETTERS_MIN && isLike(unmasked[at - 1]) && isLike(unmasked[at + 1]);
}

type Reading = Omit<MixedWord, "disguised"> & { readonly unexplained: number };

function read(
  letters: readonly string[],
  scripts: readonly (string | undefined)[],
  alphabet: Alphabet,
): Reading {
  const hasPlain = (letters.join("").match(PLAIN)?.length ?? 0) >= PLAIN_LETTERS_MIN;
  const strangers = new Map<string, Stranger>();
  let own = 0;
  let unexplained = 0;
  const unmasked = letters.map((letter, at) => {
    const script = scripts[at];
    if (script === alphabet) own++;
    if (script === undefined) return letter;
    if (script === alphabet)
      return hasPlain && RARE_LATIN.test(letter) ? (lookAlike(letter, alphabet) ?? letter) : letter;
    strangers.set(letter, { letter, script });
    const like = lookAlike(letter, alphabet);
    if (like === undefined) unexplained++;
    return like ?? letter;
  });
  return { unmasked, alphabet, strangers: [...strangers.values()], own, unexplained };
}

/** Scripts used only as Latin look-alikes. In real texts a third of the letters in Lisu and two thirds in Cherokee are others. */
function borrowedScripts(text: string): ReadonlySet<string> {
  if (!BORROWED.test(text)) return new Set();
  const all = text.match(EVERY_BORROWED) ?? [];
  const borrowed = SCRIPTS.filter(([, pattern]) => {
    const letters = all.filter((letter) => pattern.test(letter));
    const explained = letters.filter((letter) => STANDS_FOR.Latin.has(letter)).length;
    return letters.length >= BORROWED_LETTERS_MIN && explained >= BORROWED_SHARE_MIN * letters.length;
  });
  return new Set(borrowed.map(([script]) => script));
}

const BORROWED = /[\p{sc=Armn}\p{sc=Copt}\p{sc=Cher}\p{sc=Lisu}]/v;
const EVERY_BORROWED = new RegExp(BORROWED, "gv");

/** Fewer may be a name: the Lisu write theirs with four look-alikes. */
const BORROWED_LETTERS_MIN = 20;
const BORROWED_SHARE_MIN = 0.95;

/** Small letters that look Latin in both cases. The letters of a word of only these do not tell its script. */
const SHARED_LETTERS: ReadonlyMap<string, string> = new Map(
  pairs("аa сc еe оo рp хx уy іi јj ѕs αa ιi οo ρp"),
);

/** Words of these few letters are short; the bound is for the regular expression engine. */
const SHARED_WORD_MAX = 64;
const SHARED = [...SHARED_LETTERS.keys()].join("");
/** The lookahead stands first: it rules out most places at once. */
const SHARED_WORDS = new RegExp(
  `(?=[${SHARED}])(?<!${SPACED_CHARACTER_OR_MARK})[${SHARED}]{1,${SHARED_WORD_MAX}}(?!${SPACED_CHARACTER_OR_MARK})`,
  "gv",
);

/** Splits a list such as "ßss æae" into single characters and their replacements. */
export function pairs(list: string): [string, string][] {
  return list.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]);
}
