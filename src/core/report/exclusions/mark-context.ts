/**
 * The two characters beside a quotation mark decide what the mark can be, as Unicode gives most marks more than one
 * role: “ opens in English and closes in German, ” opens and closes in Swedish, ' and " do everything.
 */
export type MarkContext = {
  /** The code point before the mark; empty at the text's start. */
  readonly before: string;
  /** The code point after the mark; empty at the text's end. */
  readonly after: string;
  /** Nothing, white space or an opening bracket stands before: whatever stands here does not close. */
  readonly startsHere: boolean;
  /** Something that a quotation can begin with follows: neither white space nor the punctuation that ends a phrase. */
  readonly leadsOn: boolean;
  /** Letters or digits that run on without spaces stand on both sides: an apostrophe or an abbreviation, not a border. */
  readonly insideWord: boolean;
};

/** Letters and digits of scripts that put spaces between words, or in which nothing follows a quotation directly. */
const SPACED_WORD =
  /[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]/v;
const NOT_CLOSING_AFTER = /[\s\p{Ps}\p{Pi}]/u;
const PHRASE_END = /[\s,;:!?)\]}»”’、。，；：！？）」』]/u;

/** Describes the surroundings of the one-unit mark at `offset` (UTF-16). */
export function markContext(text: string, offset: number): MarkContext {
  const before = codePointBefore(text, offset);
  const after = codePointAt(text, offset + 1);
  // One full stop ends a phrase; two begin one that starts with an ellipsis.
  const endsPhrase = PHRASE_END.test(after) || (after === "." && text[offset + 2] !== ".");
  return {
    before,
    after,
    startsHere: before === "" || NOT_CLOSING_AFTER.test(before),
    leadsOn: after !== "" && !endsPhrase,
    insideWord: isSpacedWord(before) && isSpacedWord(after),
  };
}

/** Whether a code point is a letter, digit or mark of a script that writes spaces between words. */
export function isSpacedWord(codePoint: string): boolean {
  return SPACED_WORD.test(codePoint);
}

function codePointBefore(text: string, offset: number): string {
  const unit = text.charCodeAt(offset - 1);
  const isLowSurrogate = unit >= 0xdc00 && unit <= 0xdfff;
  return isLowSurrogate ? codePointAt(text, offset - 2) : text.slice(Math.max(0, offset - 1), offset);
}

function codePointAt(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}
