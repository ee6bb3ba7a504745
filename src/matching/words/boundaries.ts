import { type ReadableText, readingOrder } from "../../text/reading-order.ts";
import { type Tokens, tokenise } from "../../text/tokenise.ts";
import { BOUNDARY_WEIGHT, QUERY_BOUNDARY_PRIORS, SOURCE_BOUNDARY_PRIORS } from "./model.ts";

/** A text in reading order with its words; the offsets in `tokens` are UTF-16 offsets into `text`. */
export type TokenisedText = Pick<ReadableText, "text"> &
  Partial<Pick<ReadableText, "toSubmitted">> & { readonly tokens: Tokens };

/** The words of a text as it was submitted. */
export function tokenisedText(submitted: string, language: string): TokenisedText {
  const readable = readingOrder(submitted);
  return { ...readable, tokens: tokenise(readable.text, language) };
}

/** A source word that no passage crosses: it separates parts of a document that do not follow each other. */
export const BARRIER = "\u0000";

/** The type of the place before each word and at the end. Both ends of the text and both sides of a barrier are `TEXT_END`. */
export function boundaryTypes({ text, tokens }: TokenisedText): Uint8Array {
  const { words, starts, ends } = tokens;
  const types = new Uint8Array(words.length + 1).fill(TEXT_END);
  for (let i = 1; i < words.length; i++) {
    if (words[i] === BARRIER || words[i - 1] === BARRIER) continue;
    types[i] = boundaryType(text, ends[i - 1] ?? 0, starts[i] ?? 0);
  }
  return types;
}

/** The log-odds, by boundary, that a passage of the query begins or ends there. */
export function queryBoundaryPriors(types: Uint8Array): Float64Array {
  return priorsOf(types, QUERY_BOUNDARY_PRIORS);
}

/** The same for a source. */
export function sourceBoundaryPriors(types: Uint8Array): Float64Array {
  return priorsOf(types, SOURCE_BOUNDARY_PRIORS);
}

/** The weighted prior of each boundary, by its type. (`Float64Array.from` with a function takes ten times as long.) */
function priorsOf(types: Uint8Array, priors: readonly number[]): Float64Array {
  const weighted = new Float64Array(types.length);
  for (let i = 0; i < types.length; i++) weighted[i] = BOUNDARY_WEIGHT * (priors[types[i] ?? 0] ?? 0);
  return weighted;
}

/** Whether a sentence, a line, a paragraph or the text ends there. */
export function endsSentence(type: number): boolean {
  return type >= SENTENCE_LOWER && type !== WIDE_SPACE;
}

/** Whether a paragraph or the text ends there. */
export function endsParagraph(type: number): boolean {
  return type >= PARAGRAPH;
}

/** Marks figures and words with a capital inside a sentence with 1: texts on one subject share them without reuse. */
export function nameMarks({ text, tokens }: TokenisedText, boundaries: Uint8Array): Uint8Array {
  const marks = new Uint8Array(tokens.words.length);
  for (let i = 0; i < marks.length; i++) {
    const at = tokens.starts[i] ?? 0;
    if (isDigitAt(text, at) || (isCapitalAt(text, at) && !endsSentence(boundaries[i] ?? 0))) marks[i] = 1;
  }
  return marks;
}

/** Boundary types, in the order of the priors in `model.ts`. */
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
const TEXT_END = 13;

/** The type of the boundary between the word that ends at `from` and the one that starts at `to`. */
function boundaryType(text: string, from: number, to: number): number {
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
    const strength = code === BLANK ? 0 : (MARKS.get(code) ?? 0);
    if (strength > mark) mark = strength;
    // East Asian marks are as wide as a letter and replace the space as well.
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

/** Whether a small letter of a script with two cases begins there. */
function isLowerAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code >= 97 && code <= 122;
  const letter = text.charAt(at);
  return letter !== letter.toUpperCase();
}

function isCapitalAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code >= 65 && code <= 90;
  const letter = text.charAt(at);
  return letter !== letter.toLowerCase();
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
