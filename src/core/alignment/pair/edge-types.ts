import { BARRIER, type TokenisedText } from "./tokenised-text.ts";

/**
 * What stands between two words, as far as it tells whether a passage may begin or end there: a number for each place
 * in front of a word and for the text's end (so one more than words). The ends of the text, and of its parts when
 * barriers divide it, are `TEXT_EDGE`.
 */
export function edgeTypes({ text, tokens }: TokenisedText): Uint8Array {
  const { words, starts, ends } = tokens;
  const types = new Uint8Array(words.length + 1).fill(TEXT_EDGE);
  for (let i = 1; i < words.length; i++) {
    if (words[i] === BARRIER || words[i - 1] === BARRIER) continue;
    types[i] = edgeType(text, ends[i - 1] ?? 0, starts[i] ?? 0);
  }
  return types;
}

/** Edge types, in the order of the tables of `edge-priors.ts`. */
const NO_SPACE = 0;
const SPACE_LOWER = 1;
const SPACE = 2;
const COMMA = 3;
const COLON = 4;
const SENTENCE_LOWER = 5;
const SENTENCE = 6;
const WIDE_SPACE = 7;
const SENTENCE_WIDE_SPACE = 8;
const LINE_LOWER = 9;
const LINE = 10;
const SENTENCE_LINE = 11;
const PARAGRAPH = 12;
const TEXT_EDGE = 13;

/** Whether a sentence, a line or more ends there. */
export function endsSentence(type: number): boolean {
  return type >= SENTENCE_LOWER && type !== WIDE_SPACE;
}

/** Whether a line, a paragraph or the text ends there. */
export function endsLine(type: number): boolean {
  return type >= LINE_LOWER;
}

/** Whether a paragraph or the text ends there. */
export function endsParagraph(type: number): boolean {
  return type >= PARAGRAPH;
}

/** The type of the place between the word that ends at `from` and the one that starts at `to`. */
function edgeType(text: string, from: number, to: number): number {
  let spaces = 0;
  let lines = 0;
  let wide = false;
  let mark = 0;
  let before = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === NEW_LINE) lines++;
    if (isSpace(code)) spaces++;
    if (code === BLANK && before === BLANK) wide = true;
    const strength = markStrength(code);
    if (strength > mark) mark = strength;
    // East Asian marks are as wide as a letter and stand for the space as well.
    if (strength > 0 && code >= IDEOGRAPHIC_COMMA) spaces++;
    before = code;
  }
  if (spaces === 0) return NO_SPACE;
  if (lines > 1) return PARAGRAPH;
  if (lines === 1) return mark === END_MARK ? SENTENCE_LINE : isLowerAt(text, to) ? LINE_LOWER : LINE;
  if (mark === END_MARK) return wide ? SENTENCE_WIDE_SPACE : isLowerAt(text, to) ? SENTENCE_LOWER : SENTENCE;
  if (mark === COLON_MARK) return COLON;
  if (mark === COMMA_MARK) return COMMA;
  if (wide) return WIDE_SPACE;
  return isLowerAt(text, to) ? SPACE_LOWER : SPACE;
}

const NEW_LINE = 10;
const BLANK = 32;
const IDEOGRAPHIC_COMMA = 0x3001;

function isSpace(code: number): boolean {
  return code === BLANK || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}

const COMMA_MARK = 1;
const COLON_MARK = 2;
const END_MARK = 3;

const MARKS: ReadonlyMap<number, number> = new Map([
  ...marks(",،、，", COMMA_MARK),
  ...marks(":;：；؛", COLON_MARK),
  ...marks(".!?…。！？।॥؟۔։።", END_MARK),
]);

function marks(characters: string, strength: number): [number, number][] {
  return [...characters].map((character) => [character.charCodeAt(0), strength]);
}

function markStrength(code: number): number {
  if (code === BLANK) return 0;
  return MARKS.get(code) ?? 0;
}

/** Whether the letter there is a small one of a script with two cases. */
function isLowerAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code >= 97 && code <= 122;
  const letter = text.charAt(at);
  return letter !== letter.toUpperCase();
}
