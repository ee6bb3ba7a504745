/**
 * The offsets (UTF-16) of the characters of `text` that show nothing and have no business where they stand, ascending.
 * Left out are direction controls, soft hyphens, a byte-order mark at the start, emoji sequences, and what a script
 * writes with: joiners in Arabic or Indic text, variation selectors on Han, ZERO WIDTH SPACE between Khmer or Thai words.
 */
export function strayInvisibles(text: string): { at: number; character: string }[] {
  const strays: { at: number; character: string }[] = [];
  let emojiTagsEnd = -1;
  for (const { 0: character, index: at } of text.matchAll(INVISIBLE)) {
    const before = codePointBefore(text, at);
    const after = codePointAt(text, at + character.length);
    if (TAG.test(character) && (at === emojiTagsEnd || before === FLAG_BASE)) {
      emojiTagsEnd = at + character.length;
    } else if (!(at === 0 && character === "\ufeff") && !belongs(character, before, after)) {
      strays.push({ at, character });
    }
  }
  return strays;
}

const INVISIBLE = /[\p{DI}--[\xad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]]/gv;
/** The flags of England, Scotland and Wales: a black flag and tag characters. */
const FLAG_BASE = "\u{1f3f4}";
const TAG = /[\u{e0020}-\u{e007f}]/v;
const PICTOGRAPH = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/v;

const JOINER = /[\u200c\u200d\u180e]/v;
/** The scripts whose spelling uses ZWJ, ZWNJ or, in Mongolian, its own separator. */
const JOINING_SCRIPT =
  /[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mand}\p{sc=Nkoo}\p{sc=Rohg}\p{sc=Mong}\p{sc=Phag}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Thai}\p{sc=Laoo}\p{sc=Tibt}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Bali}\p{sc=Java}\p{sc=Newa}\p{sc=Gran}\p{sc=Brah}[\u064b-\u065f\u0670]]/v;

const WORD_SPACE_SCRIPT = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}]/v;

/** Marks that change the character before them; on letters of these scripts, or on nothing, they only hide. */
const MODIFIER = /[\p{Variation_Selector}\u034f]/v;
const NOTHING_TO_MODIFY = /^$|[\s\p{DI}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]/v;

const JAMO_FILLER = /[\u115f\u1160]/v;
const JAMO = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/v;

function belongs(character: string, before: string, after: string): boolean {
  if (character === "\u200b") return WORD_SPACE_SCRIPT.test(before) || WORD_SPACE_SCRIPT.test(after);
  if (JOINER.test(character)) {
    const joinsEmoji = (PICTOGRAPH.test(before) || before === "\ufe0f") && PICTOGRAPH.test(after);
    return joinsEmoji || JOINING_SCRIPT.test(before) || JOINING_SCRIPT.test(after);
  }
  if (MODIFIER.test(character)) return !NOTHING_TO_MODIFY.test(before);
  return JAMO_FILLER.test(character) && (JAMO.test(before) || JAMO.test(after));
}

function codePointAt(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

function codePointBefore(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
}
