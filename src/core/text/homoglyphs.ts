import { isAsciiBorder, SPACED_CHARACTER_OR_MARK, SPACED_RUN } from "./word-characters.ts";

/** A letter of another script than its word's. */
type StrangeLetter = { readonly letter: string; readonly script: LookAlikeScript };

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

/** The alphabets whose letters stand in for each other's. */
const ALPHABETS = ["Latin", "Greek", "Cyrillic"] as const;
type Alphabet = (typeof ALPHABETS)[number];

/**
 * Letters that can be taken for a Latin one, by script: a selection from Unicode's confusables (UTS #39) of what readers
 * really mistake, with the small Cyrillic letters that look like small capitals, which disguises also use.
 */
const AS_LATIN = {
  Cyrillic:
    "аa вb ьb сc ԁd еe һh нh іi јj кk ӏl мm оo рp ԛq гr ѕs тt ѵv ԝw хx уy үy АA ВB ЬB СC ԀD ЕE ԌG НH ІI ӀI ЈJ КK МM ОO РP ԚQ ЅS ТT ѴV ԜW ХX УY ҮY",
  Greek: "αa εe ηn ιi κk νv οo ρp τt υu χx γy ωw ϳj ΑA ΒB ΕE ΖZ ΗH ΙI ͿJ ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX",
  Armenian: "օo ոn սu հh զq ցg յj ՕO ՍU ՏS",
  Coptic: "ⲟo ⲣp ⲥc ⲁa ⲭx ⲞO ⲢP ⲤC ⲀA ⲬX ⲎH ⲔK ⲘM ⲚN ⲦT",
  Cherokee: "ᎠD ᎡR ᎢT ᎪA ᎫJ ᎬE ᎳW ᎷM ᎻH ᏀG ᏃZ ᏙV ᏚS ᏞL ᏟC ᏢP ᏦK ᏴB",
  Lisu: "ꓮA ꓐB ꓚC ꓓD ꓰE ꓝF ꓖG ꓧH ꓲI ꓙJ ꓗK ꓡL ꓟM ꓠN ꓳO ꓑP ꓣR ꓢS ꓔT ꓴU ꓦV ꓪW ꓫX ꓬY ꓜZ",
} as const;

/** What a Latin letter passes for in another alphabet: only letters that look the same in the same case. */
const FROM_LATIN = {
  Cyrillic: "aа cс eе iі jј oо pр sѕ xх yу AА BВ CС EЕ HН IІ JЈ KК MМ OО PР SЅ TТ XХ YУ",
  Greek: "aα iι kκ nη oο pρ uυ vν xχ AΑ BΒ EΕ ZΖ HΗ IΙ KΚ MΜ NΝ OΟ PΡ TΤ YΥ XΧ",
} as const;

const TO_LATIN: ReadonlyMap<string, string> = new Map(Object.values(AS_LATIN).flatMap(pairs));
const TO_CYRILLIC: ReadonlyMap<string, string> = new Map(pairs(FROM_LATIN.Cyrillic));
const TO_GREEK: ReadonlyMap<string, string> = new Map(pairs(FROM_LATIN.Greek));

/** The letter of `alphabet` that `letter`, of another script, can be taken for; as long in UTF-16 units. */
function lookAlike(letter: string, alphabet: Alphabet): string | undefined {
  const latin = TO_LATIN.get(letter);
  if (alphabet === "Latin") return latin;
  return (alphabet === "Greek" ? TO_GREEK : TO_CYRILLIC).get(latin ?? letter);
}

/**
 * Small letters that look Latin in both cases, with their Latin letters: a word of nothing else ("а", "со", "оса") can't be told
 * from a Latin one by its letters.
 */
const SHARED_LETTERS: ReadonlyMap<string, string> = new Map(
  pairs("аa сc еe оo рp хx уy іi јj ѕs αa ιi οo ρp"),
);

/** Words of these few letters are short; the bound is for the regular expression's sake. */
const SHARED_WORD_MAX = 64;
const SHARED = [...SHARED_LETTERS.keys()].join("");
/** What is looked for stands first: most places of most texts are then passed over at a glance. */
const SHARED_WORDS = new RegExp(
  `(?=[${SHARED}])(?<!${SPACED_CHARACTER_OR_MARK})[${SHARED}]{1,${SHARED_WORD_MAX}}(?!${SPACED_CHARACTER_OR_MARK})`,
  "gv",
);

const SCRIPTS = [
  ["Latin", /^\p{sc=Latn}/v],
  ["Greek", /^\p{sc=Grek}/v],
  ["Cyrillic", /^\p{sc=Cyrl}/v],
  ["Armenian", /^\p{sc=Armn}/v],
  ["Coptic", /^\p{sc=Copt}/v],
  ["Cherokee", /^\p{sc=Cher}/v],
  ["Lisu", /^\p{sc=Lisu}/v],
] as const;
type LookAlikeScript = (typeof SCRIPTS)[number][0];

/** The script of a letter, of those that have look-alikes; else undefined (digits, marks, all other scripts). */
function scriptOf(letter: string): LookAlikeScript | undefined {
  return SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0];
}

function pairs(list: string): [string, string][] {
  return list.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]);
}
