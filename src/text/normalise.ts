import { type DisguisedPlace, undisguiseMarkup, undisguiseWords } from "./disguised-words.ts";
import { latiniseSharedWords, pairs, unmaskWords } from "./homoglyphs.ts";
import {
  INVISIBLE,
  INVISIBLE_IN_WORD,
  INVISIBLE_MAX,
  INVISIBLE_ON_OTHERS,
  OTHERS,
  SEPARATOR_IN_WORD,
} from "./invisible.ts";
import { composeMaps, IDENTITY_MAP, OffsetMapBuilder, type RewrittenText } from "./offset-map.ts";
import { readingOrder } from "./reading-order.ts";
import { joinSpacedLetters } from "./spaced-letters.ts";
import { WORD_CHARACTER } from "./word-characters.ts";

/**
 * The form that is compared: characters in reading order and folded, disguised words and spaced letters read, look-alikes replaced,
 * lower case; lone surrogates stay. The map leads to the text in reading order, which has the length of the submitted one.
 */
export function normalise(text: string): RewrittenText {
  const readable = readableWords(readingOrder(text).text);
  const joined = joinSpacedLetters(readable.text);
  const unmasked = unmaskWords(joined.text.replace(SPACES, " "));
  return {
    // Lower case keeps the length: İ has lost its dot already. The final sigma becomes a sigma, as in Unicode's case folding.
    text: latiniseSharedWords(unmasked.text.toLowerCase().replaceAll("ς", "σ")),
    map: composeMaps(unmasked.map, composeMaps(joined.map, readable.map)),
  };
}

/** The folded text without the disguises of whole stretches of words, with the places of these in `text`. */
export function readableWords(
  text: string,
): RewrittenText & { readonly disguised: readonly DisguisedPlace[] } {
  const plain = undisguiseMarkup(text);
  const folded = foldCharacters(plain.text);
  const read = undisguiseWords(folded.text);
  const map = composeMaps(folded.map, plain.map);
  const disguised = read.places.map(({ start, end, detail }) => ({
    start: map.toOriginalStart(start),
    end: map.toOriginalEnd(end),
    detail,
  }));
  return { text: read.text, map: composeMaps(read.map, map), disguised: [...plain.places, ...disguised] };
}

/**
 * Writes each character in one form and keeps its case: compatibility forms become plain; accents, vowel points, invisible and
 * direction characters are removed; words divided by a hyphen at a line end are joined. Marks that make another letter (Indic
 * and Thai vowels, kana voicing) are composed (NFC). A place inside a character with its marks maps to its edge.
 */
export function foldCharacters(text: string): RewrittenText {
  const map = new OffsetMapBuilder();
  const folds = new Map<string, string>();
  const pieces: string[] = [];
  let done = 0;
  for (const { 0: unit, 1: dropped, index } of foldedUnits(text)) {
    let folded = dropped === undefined ? folds.get(unit) : "";
    if (folded === undefined) {
      folded = foldUnit(unit);
      if (unit.length <= REMEMBERED_UNIT_MAX) folds.set(unit, folded);
    }
    const end = index + unit.length;
    pieces.push(text.slice(done, index), folded);
    map.replace(index, end, folded.length);
    done = end;
  }
  if (done === 0) return { text, map: IDENTITY_MAP };
  pieces.push(text.slice(done));
  return { text: pieces.join(""), map: map.build() };
}

/** The parts to fold. Plain ASCII, where only a line-end hyphen is folded, is skipped by a pattern in a tenth of the time. */
function* foldedUnits(text: string): Generator<RegExpExecArray> {
  for (let at = 0; ; ) {
    NO_PLAIN_ASCII.lastIndex = at;
    const near = NO_PLAIN_ASCII.exec(text);
    if (near === null) return;
    // The character before a mark is folded with it.
    FOLDED_UNITS.lastIndex = Math.max(at, near.index - 1);
    const unit = FOLDED_UNITS.exec(text);
    if (unit === null) return;
    yield unit;
    at = unit.index + unit[0].length;
  }
}

/** Spaces keep their width until spaced letters are joined, since words may be divided by wider ones. */
const SPACE = /^\p{Zs}$/u;
const SPACES = /[\p{Zs}--\x20]/gv;

/** Longer units are rare. Remembering each would double the memory for a hostile text. */
const REMEMBERED_UNIT_MAX = 8;

/** Bounds for the regular expression engine's stack (64 MB). UAX #15's stream-safe format allows 30 marks. */
const MARKS_MAX = 32;
const INDENT_MAX = 200;

/** Characters that fold to themselves are skipped. Decomposing Thai and Lao AM would hide words from the segmenter. */
const PLAIN = [
  String.raw`[\t-\r\x20-\x7e\u0391-\u03a1\u03a3-\u03a9\u03b1-\u03c9`,
  String.raw`\u0402\u0404-\u0406\u0408-\u040b\u040f-\u0418\u041a-\u0438\u043a-\u044f\u0452\u0454-\u0456\u0458-\u045b\u045f`,
  String.raw`\u05d0-\u05ea\u0621\u0627\u0628\u062a-\u063a\u0641-\u0648\u064a\u0660-\u0669\u0e00-\u0eff`,
  String.raw`\u3001-\u3003\u3008-\u3011\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]`,
].join("");

/** Characters that join the one before: marks, Hangul vowels and finals, half-width kana signs. */
const MARK = String.raw`[[\p{M}\u1160-\u11ff\ud7b0-\ud7fb\uff9e\uff9f]--[\u0e00-\u0eff]]`;

/** Marks on a character, also with something invisible in between. */
const MARKS = `(?:[${INVISIBLE}--${MARK}]{0,${MARKS_MAX}}${MARK})`;

/** A line-end hyphen inside a word. Before a capital or a digit it belongs to a compound: "Jean-\nPaul". */
const DIVISION = String.raw`(?<=[\p{L}\p{M}])[\-\u2010\xad][ \t]{0,${INDENT_MAX}}(?:\r\n|[\n\r\x85\u2028\u2029])[ \t]{0,${INDENT_MAX}}(?=[\p{Ll}\p{Lo}\p{Lm}])`;

/** Finds the line-end hyphens that divide a word, with the line end and the indent after it. */
export const WORD_DIVISION = new RegExp(DIVISION, "gv");

/** Almost invisible characters inside a word. */
const INSIDE = String.raw`(?<=[\p{L}\p{M}${INVISIBLE}])${INVISIBLE_IN_WORD}{1,${INVISIBLE_MAX}}(?=[\p{L}${INVISIBLE}])|${SEPARATOR_IN_WORD}`;

const UNIT = [
  `(${DIVISION}|${INSIDE})`,
  `${INVISIBLE}{1,${INVISIBLE_MAX}}`,
  `${PLAIN}${MARKS}{1,${MARKS_MAX}}`,
  `[^${PLAIN}]${MARKS}{0,${MARKS_MAX}}`,
].join("|");
const FOLDED_UNITS = new RegExp(UNIT, "gv");
const NO_PLAIN_ASCII = new RegExp(
  String.raw`[^\t\n\r\x20-\x7e]|-[ \t]{0,${INDENT_MAX}}[\n\r\x85\u2028\u2029]`,
  "g",
);

/** Invisible characters, diacritics of any script but kana voicing, Arabic and Hebrew points, Cyrillic titlos, the tatweel. */
const DROPPED = new RegExp(
  String.raw`[${INVISIBLE}\u0640[[\p{M}&&[\p{sc=Zinh}\p{sc=Arab}\p{sc=Hebr}\p{sc=Cyrl}]]--[\u3099\u309a]]]`,
  "gv",
);
const NUMBER_SIGN = /^\p{No}/v;
const SUBSCRIPT = /^[\u2080-\u2089]/v;
const WORD_CHARACTER_ANYWHERE = new RegExp(WORD_CHARACTER, "v");
const NO_WORD_CHARACTERS = new RegExp(`[^${WORD_CHARACTER}]`, "gv");

/** The marks that show nothing on letters of other scripts. */
const DROPPED_ON_OTHERS = new RegExp(INVISIBLE_ON_OTHERS, "gv");
const ON_OTHERS = new RegExp(`^${OTHERS}`, "v");

/**
 * Letters that a character with its marks may become. The index keeps as many of a word, and only U+FDFA (a phrase of 15 letters) and
 * U+FDFB (7) have more: so the normalised text, which all work is proportional to, is at most six times as long.
 */
const EXPANSION_MAX = 6;

function foldUnit(unit: string): string {
  if (SPACE.test(unit)) return unit;
  const marked = unit.replace(DROPPED, "");
  const bare = ON_OTHERS.test(marked) ? marked.replace(DROPPED_ON_OTHERS, "") : marked;
  // Superscript and circled numbers are marks on the text; the numbers of formulas (H₂O) are set below the line.
  if (NUMBER_SIGN.test(bare) && !SUBSCRIPT.test(bare)) return " ";
  const known = CHARACTER_FOLDS.get(bare);
  if (known !== undefined) return known;
  const decomposed = bare.normalize("NFKD").replace(DROPPED, "");
  const folded = Array.from(decomposed, foldCharacter).join("").normalize("NFC");
  // A unit is never cut, so one like "㏂" (a.m.) or a whole Arabic phrase is one word.
  if (!WORD_CHARACTER_ANYWHERE.test(folded)) return folded;
  return folded.replace(NO_WORD_CHARACTERS, "").slice(0, Math.max(unit.length, EXPANSION_MAX));
}

function foldCharacter(character: string): string {
  const known = CHARACTER_FOLDS.get(character);
  if (known !== undefined) return known;
  const codePoint = character.codePointAt(0) ?? 0;
  for (const first of DARK_ALPHABETS) {
    const letter = codePoint - first;
    if (letter >= 0 && letter < 26) return String.fromCharCode(65 + letter);
  }
  return character;
}

/**
 * Foldings that Unicode lacks: strokes and ligatures as in the ASCII folding of search engines, small capitals of "fancy text",
 * Arabic spellings that writers mix (as in Lucene's Arabic and Persian normalisers), apostrophe-like letters.
 */
const CHARACTER_FOLDS: ReadonlyMap<string, string> = new Map([
  ...pairs("ßss ẞSS æae ÆAE œoe ŒOE þth ÞTH"),
  ...pairs("øo ØO đd ĐD ðd ÐD łl ŁL ħh ĦH ŧt ŦT ıi ɑa ɡg"),
  ...pairs("ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz"),
  ...pairs("ىي یي ېي کك ةه ہه ھه ەه"),
  ...pairs("‘' ’' ‚' ‛' ′' ´' ʹ' ʻ' ʼ' ʽ' ʾ' ʿ' ˈ' ׳' ꞌ' “\" ”\" „\" ‟\" «\" »\" ″\" ״\""),
  ...pairs("‐- ‑- ‒- –- —- ―- −- ⁃- ﹣- －- ־-"),
  ["\u3164", " "],
  ["\uffa0", " "],
  // Blank braille and hieroglyphs.
  ["\u2800", " "],
  ["\u{13441}", " "],
  ["\u{13442}", " "],
  // Letters of click languages, tone letters and length marks that pass for punctuation at a word's end.
  ...pairs("ǃ! ǀ| ǁ| ː: ꓸ. ꓹ, ꓽ: ꓼ; ꓺ."),
  // A trade mark sign stands at a word's end but does not belong to it.
  ["™", " "],
  ["℠", " "],
]);

/** Circled and squared white letters on black have no decomposition: A to Z from each of these code points. */
const DARK_ALPHABETS = [0x1f150, 0x1f170] as const;
