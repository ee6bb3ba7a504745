import { codePointAt, codePointBefore, codePointName } from "./code-points.ts";
import { wordsOfNoLanguage } from "./disguised-words.ts";
import { type MixedWord, mixedWords } from "./homoglyphs.ts";
import {
  INVISIBLE,
  INVISIBLE_IN_WORD,
  INVISIBLE_ON_OTHERS,
  LINE_SEPARATOR,
  OTHERS,
  SEPARATOR_IN_WORD,
} from "./invisible.ts";
import { readableWords } from "./normalise.ts";
import type { RewrittenText } from "./offset-map.ts";
import { BACKWARDS } from "./respelled-words.ts";
import { spacedLetters } from "./spaced-letters.ts";
import { RUN_LENGTH_MAX, SPACED_CHARACTER_OR_MARK } from "./word-characters.ts";

/** The kinds of flags, under their names in the contract. */
export const INTEGRITY_KINDS = [
  "homoglyphs",
  "invisible_characters",
  "bidi_controls",
  "spaced_letters",
  "garbled_text",
  "hidden_text",
] as const;
export type IntegrityKind = (typeof INTEGRITY_KINDS)[number];

/** The ways in which a file hides text from its reader, under their names in the contract. */
export const HIDING_MEANS = [
  "background_colour",
  "tiny",
  "not_drawn",
  "outside_page",
  "covered",
  "transparent",
  "layer_off",
] as const;
export type HidingMeans = (typeof HIDING_MEANS)[number];

/** A part of a text that can hide a copy from a reader or a machine; offsets are UTF-16, `detail` is for people. */
export type IntegrityFlag = {
  readonly kind: IntegrityKind;
  readonly start: number;
  readonly end: number;
  readonly detail: string;
  /** Of hidden text, which is no part of the text itself; see `HiddenText`. */
  readonly hidden?: { readonly means: HidingMeans; readonly chars: number; readonly text: string };
};

/**
 * Finds signs of a disguise, by ascending start: words that mix scripts; words with any number of stray invisible
 * characters (a mark on a whole word can be seen) and runs of these between words; runs of direction controls; rows of words
 * with something between their letters; stretches of words that are garbled.
 * Beyond `FLAGS_MAX`, one flag of each kind stands for all others and gives their number.
 * @param isNoLanguage whether a stretch of words has the letters of no language
 */
export function integrityFlags(
  text: string,
  isNoLanguage: (stretch: string) => boolean = () => false,
): IntegrityFlag[] {
  const readable = readableWords(text);
  const bidi = [...bidiFlags(text)];
  // Controls of direction may show words that are stored backwards as they are read.
  const isShownForwards = ({ detail }: IntegrityFlag) => bidi.length > 0 && detail === BACKWARDS;
  const flags = [
    ...garbledFlags(readable, isNoLanguage).filter((flag) => !isShownForwards(flag)),
    ...homoglyphFlags(readable),
    ...spacedLetterFlags(readable),
    ...invisibleFlags(text),
    ...bidi,
  ].sort(byPlace);
  return limitFlags(flags);
}

/** At most `FLAGS_MAX` flags, and one of each kind that stands for all others. @param flags ascending by start */
export function limitFlags(flags: readonly IntegrityFlag[]): IntegrityFlag[] {
  const rest = Map.groupBy(flags.slice(FLAGS_MAX), ({ kind }) => kind);
  return [...flags.slice(0, FLAGS_MAX), ...[...rest.values()].flatMap(summary)].sort(byPlace);
}

/** Nobody reads more. A text of only disguised words has 62,000, and reporting them all blocked the HTTP loop for 145 ms. */
export const FLAGS_MAX = 1_000;

function byPlace(a: IntegrityFlag, b: IntegrityFlag): number {
  return a.start - b.start || a.end - b.end;
}

/** One flag from the first to the last of many of one kind. */
function summary(flags: readonly IntegrityFlag[]): readonly IntegrityFlag[] {
  const [first] = flags;
  if (first === undefined || flags.length === 1) return flags;
  const end = flags.reduce((furthest, flag) => Math.max(furthest, flag.end), first.end);
  return [{ kind: first.kind, start: first.start, end, detail: `${flags.length} more places from here on` }];
}

function* garbledFlags(
  { text, map, disguised }: ReturnType<typeof readableWords>,
  isNoLanguage: (stretch: string) => boolean,
): Generator<IntegrityFlag> {
  for (const place of disguised) yield { kind: "garbled_text", ...place };
  for (const { start, end, detail } of wordsOfNoLanguage(text, isNoLanguage))
    yield { kind: "garbled_text", start: map.toOriginalStart(start), end: map.toOriginalEnd(end), detail };
}

/** The most characters that a detail names. */
const NAMED_MAX = 3;

/** Words that mix scripts only after their letters are joined are `spaced_letters` already. */
function* homoglyphFlags({ text, map }: RewrittenText): Generator<IntegrityFlag> {
  for (const { at, word, reading } of mixedWords(text)) {
    if (reading.strangers.length === 0 || !isDisguise(word, reading)) continue;
    const start = map.toOriginalStart(at);
    const end = map.toOriginalEnd(at + word.length);
    yield { kind: "homoglyphs", start, end, detail: describeStrangers(reading) };
  }
}

function* spacedLetterFlags({ text, map }: RewrittenText): Generator<IntegrityFlag> {
  for (const { start, end, letters, isDisguise } of spacedLetters(text)) {
    if (!isDisguise) continue;
    yield {
      kind: "spaced_letters",
      start: map.toOriginalStart(start),
      end: map.toOriginalEnd(end),
      detail: `${letters} spaced-out letters that spell words`,
    };
  }
}

/** Greek letters are symbols in Latin words. A shorter mixture is more often a unit or a formula: µPa, ρgh. */
const GREEK_LATIN_LETTERS_MIN = 4;

/** One Greek letter with at most three Latin ones after it is a symbol with its index: νmax, κcat. */
const SYMBOL = /^\p{sc=Grek}\p{sc=Latn}{1,3}$/v;

/** An acronym with a Cyrillic ending ("SMSка") or two words run into one ("Яндексmap"). */
const ACRONYM_WITH_ENDING = /^\p{Lu}{2,20}\p{Ll}{1,20}$/v;
const TWO_BLOCKS = /^(?:\p{sc=Latn}+\p{sc=Cyrl}+|\p{sc=Cyrl}+\p{sc=Latn}+)$/v;

function isDisguise(word: string, { alphabet, strangers, own, disguised }: MixedWord): boolean {
  const letters = word.replace(/\P{L}/gv, "");
  const scripts = new Set([alphabet, ...strangers.map(({ script }) => script)]);
  if (scripts.has("Latin") && scripts.has("Cyrillic")) {
    const hasEnding = ACRONYM_WITH_ENDING.test(letters) && /^\p{sc=Latn}{2}.*\p{sc=Cyrl}$/v.test(letters);
    return !hasEnding && (disguised || !TWO_BLOCKS.test(letters));
  }
  if (!scripts.has("Greek")) return disguised;
  return (
    disguised &&
    letters.length >= GREEK_LATIN_LETTERS_MIN &&
    own * 2 >= letters.length &&
    !SYMBOL.test(letters)
  );
}

function describeStrangers({ alphabet, strangers }: MixedWord): string {
  const named = strangers.slice(0, NAMED_MAX).map(({ letter, script }) => `${script} ${letter}`);
  const more = strangers.length > NAMED_MAX ? " and others" : "";
  return `${named.join(", ")}${more} in a ${alphabet} word`;
}

/** Every character that may be a stray, the wide fillers included. */
const MAY_BE_STRAY = `[${INVISIBLE}${INVISIBLE_IN_WORD}${INVISIBLE_ON_OTHERS}${LINE_SEPARATOR}\u3164\uffa0]`;
const STRETCHES = new RegExp(`[${SPACED_CHARACTER_OR_MARK}${MAY_BE_STRAY}]{1,${RUN_LENGTH_MAX}}`, "gv");

function* invisibleFlags(text: string): Generator<IntegrityFlag> {
  const strays = strayInvisibles(text);
  if (strays.length === 0) return;
  let next = 0;
  for (const { 0: stretch, index: start } of text.matchAll(STRETCHES)) {
    const end = start + stretch.length;
    const first = next;
    while ((strays[next]?.at ?? end) < end) next++;
    if (next === first) continue;
    const characters = strays.slice(first, next).map(({ character }) => character);
    yield { kind: "invisible_characters", start, end, detail: describeInvisibles(characters) };
  }
}

/**
 * The invisible characters of `text` without a function, ascending. Direction controls, soft hyphens, a byte-order mark at the
 * start, emoji sequences and characters that a script needs (joiners in Arabic or Indic, variation selectors on Han, ZERO WIDTH SPACE
 * between Khmer or Thai words) are left out.
 */
function strayInvisibles(text: string): { at: number; character: string }[] {
  const strays: { at: number; character: string }[] = [];
  const separators = separatorsInWords(text);
  let emojiTagsEnd = -1;
  for (const { 0: character, index: at } of text.matchAll(STRAY)) {
    const before = codePointBefore(text, at);
    const after = codePointAt(text, at + character.length);
    if (TAG.test(character) && (at === emojiTagsEnd || before === FLAG_BASE)) {
      emojiTagsEnd = at + character.length;
    } else if (SEPARATOR.test(character)) {
      if (separators.has(at)) strays.push({ at, character });
    } else if (!(at === 0 && character === "\ufeff") && !belongs(character, before, after)) {
      strays.push({ at, character });
    }
  }
  return strays;
}

const STRAY = new RegExp(
  String.raw`[${MAY_BE_STRAY}--[\xad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]]`,
  "gv",
);
const SEPARATOR = new RegExp(LINE_SEPARATOR, "v");
const SEPARATORS_IN_WORDS = new RegExp(SEPARATOR_IN_WORD, "gv");

/** The places of line separators inside words. */
function separatorsInWords(text: string): ReadonlySet<number> {
  if (!SEPARATOR.test(text)) return new Set();
  const found = text.matchAll(SEPARATORS_IN_WORDS);
  return new Set([...found].flatMap(({ 0: run, index }) => Array.from(run, (_, at) => index + at)));
}

/** The flags of England, Scotland and Wales: a black flag and tag characters. */
const FLAG_BASE = "\u{1f3f4}";
const TAG = /[\u{e0020}-\u{e007f}]/v;
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/v;

const JOINER = /[\u200c\u200d\u180e]/v;
/** The scripts whose spelling uses ZWJ, ZWNJ or, in Mongolian, its own separator. */
const JOINING_SCRIPT =
  /[[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mand}\p{sc=Nkoo}\p{sc=Rohg}\p{sc=Mong}\p{sc=Phag}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Thai}\p{sc=Laoo}\p{sc=Tibt}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Bali}\p{sc=Java}\p{sc=Newa}\p{sc=Gran}\p{sc=Brah}[\u064b-\u065f\u0670]]--[\p{DI}\p{Cf}]]/v;

const WORD_SPACE_SCRIPT = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}]/v;

/** Marks that change the character before them. On letters of these scripts, or on nothing, they only hide. */
const MODIFIER = /[\p{Variation_Selector}\u034f]/v;
const NOTHING_TO_MODIFY = /^$|[\s\p{DI}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]/v;

const MARK_ON_OTHERS = new RegExp(INVISIBLE_ON_OTHERS, "v");
const OTHER_LETTER = new RegExp(OTHERS, "v");
/** Only number signs are visible format characters; Syriac has one inside words. */
const FORMAT = /\p{Cf}/v;
const IN_WORD = new RegExp(INVISIBLE_IN_WORD, "v");
const INSIDE_BEFORE = new RegExp(`[\\p{L}\\p{M}${INVISIBLE}${INVISIBLE_IN_WORD}]`, "v");
const INSIDE_AFTER = new RegExp(`[\\p{L}${INVISIBLE}${INVISIBLE_IN_WORD}]`, "v");

const HIEROGLYPH_CONTROL = /[\u{13430}-\u{1343f}]/v;
const HIEROGLYPH = /[\p{sc=Egyp}--\p{Cf}]/v;

const JAMO_FILLER = /[\u115f\u1160]/v;
const JAMO = /[[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]--\p{DI}]/v;

function belongs(character: string, before: string, after: string): boolean {
  if (character === "\u200b") return WORD_SPACE_SCRIPT.test(before) || WORD_SPACE_SCRIPT.test(after);
  if (JOINER.test(character)) {
    const joinsEmoji = (PICTOGRAPH.test(before) || before === "\ufe0f") && PICTOGRAPH.test(after);
    return joinsEmoji || JOINING_SCRIPT.test(before) || JOINING_SCRIPT.test(after);
  }
  if (MODIFIER.test(character)) return !NOTHING_TO_MODIFY.test(before);
  if (MARK_ON_OTHERS.test(character)) return !OTHER_LETTER.test(before);
  if (IN_WORD.test(character) && FORMAT.test(character) && JOINING_SCRIPT.test(before)) return true;
  if (IN_WORD.test(character)) return !INSIDE_BEFORE.test(before) || !INSIDE_AFTER.test(after);
  if (HIEROGLYPH_CONTROL.test(character)) return HIEROGLYPH.test(before) || HIEROGLYPH.test(after);
  return JAMO_FILLER.test(character) && (JAMO.test(before) || JAMO.test(after));
}

function describeInvisibles(characters: readonly string[]): string {
  const kinds = [...new Set(characters)];
  const named = kinds.slice(0, NAMED_MAX).map(describeCharacter).join(", ");
  const more = kinds.length > NAMED_MAX ? " and others" : "";
  return characters.length === 1 ? named : `${named}${more} (${characters.length} characters)`;
}

const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,1000}/g;

/** Marks that only set the direction of neutral characters beside them; right-to-left text uses them. */
const ONLY_MARKS = /^[\u061c\u200e\u200f]*$/;
const RIGHT_TO_LEFT = /[[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}]--\p{Cf}]/v;
const MARK_REACH = 10;

function* bidiFlags(text: string): Generator<IntegrityFlag> {
  for (const { 0: run, index: start } of text.matchAll(BIDI_CONTROLS)) {
    const end = start + run.length;
    const around = text.slice(Math.max(0, start - MARK_REACH), start) + text.slice(end, end + MARK_REACH);
    if (ONLY_MARKS.test(run) && RIGHT_TO_LEFT.test(around)) continue;
    yield { kind: "bidi_controls", start, end, detail: describeInvisibles(Array.from(run)) };
  }
}

/** "U+200B ZERO WIDTH SPACE": the code point of `character`, with its Unicode name if it is one that readers meet. */
function describeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `${codePointName(character)} ${NAMES.get(codePoint) ?? rangeName(codePoint)}`;
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x007f, "DELETE"],
  [0x0085, "NEXT LINE"],
  [0x034f, "COMBINING GRAPHEME JOINER"],
  [0x061c, "ARABIC LETTER MARK"],
  [0x115f, "HANGUL CHOSEONG FILLER"],
  [0x1160, "HANGUL JUNGSEONG FILLER"],
  [0x180e, "MONGOLIAN VOWEL SEPARATOR"],
  [0x200a, "HAIR SPACE"],
  [0x200b, "ZERO WIDTH SPACE"],
  [0x200c, "ZERO WIDTH NON-JOINER"],
  [0x200d, "ZERO WIDTH JOINER"],
  [0x200e, "LEFT-TO-RIGHT MARK"],
  [0x200f, "RIGHT-TO-LEFT MARK"],
  [0x202a, "LEFT-TO-RIGHT EMBEDDING"],
  [0x202b, "RIGHT-TO-LEFT EMBEDDING"],
  [0x202c, "POP DIRECTIONAL FORMATTING"],
  [0x202d, "LEFT-TO-RIGHT OVERRIDE"],
  [0x202e, "RIGHT-TO-LEFT OVERRIDE"],
  [0x2060, "WORD JOINER"],
  [0x2061, "FUNCTION APPLICATION"],
  [0x2062, "INVISIBLE TIMES"],
  [0x2063, "INVISIBLE SEPARATOR"],
  [0x2064, "INVISIBLE PLUS"],
  [0x2066, "LEFT-TO-RIGHT ISOLATE"],
  [0x2067, "RIGHT-TO-LEFT ISOLATE"],
  [0x2068, "FIRST STRONG ISOLATE"],
  [0x2069, "POP DIRECTIONAL ISOLATE"],
  [0x3164, "HANGUL FILLER"],
  [0xfeff, "ZERO WIDTH NO-BREAK SPACE"],
  [0xffa0, "HALFWIDTH HANGUL FILLER"],
  [0xfff9, "INTERLINEAR ANNOTATION ANCHOR"],
  [0xfffa, "INTERLINEAR ANNOTATION SEPARATOR"],
  [0xfffb, "INTERLINEAR ANNOTATION TERMINATOR"],
  [0xfffc, "OBJECT REPLACEMENT CHARACTER"],
]);

function rangeName(codePoint: number): string {
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) return `VARIATION SELECTOR-${codePoint - 0xfe00 + 1}`;
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return `VARIATION SELECTOR-${codePoint - 0xe0100 + 17}`;
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) return "TAG CHARACTER";
  return codePoint < 0xa0 ? "CONTROL CHARACTER" : "INVISIBLE CHARACTER";
}
