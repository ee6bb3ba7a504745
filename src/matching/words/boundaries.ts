import { type ReadableText, readingOrder } from "../../text/reading-order.ts";
import { type Tokens, tokenise } from "../../text/tokenise.ts";

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

/** The log-odds that a passage begins or ends at each boundary, by its type. (`Float64Array.from` with a function takes ten times as long.) */
export function boundaryPriors(types: Uint8Array, priors: readonly number[]): Float64Array {
  const ofPlaces = new Float64Array(types.length);
  for (let i = 0; i < types.length; i++) ofPlaces[i] = priors[types[i] ?? 0] ?? 0;
  return ofPlaces;
}

/** Whether a sentence, a line, a paragraph or the text ends there. */
export function endsSentence(type: number): boolean {
  return type >= LINE_LOWER;
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
const INSIDE = 0;
const CLAUSE = 1;
const LINE_LOWER = 2;
const LINE = 3;
const SENTENCE_LOWER = 4;
const SENTENCE = 5;
const PARAGRAPH = 6;
const TEXT_END = 7;

/** The type of the boundary between the word that ends at `from` and the one that starts at `to`. */
function boundaryType(text: string, from: number, to: number): number {
  let spaces = 0;
  let lines = 0;
  let mark = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === NEW_LINE) lines++;
    if (isSpace(code)) spaces++;
    const strength = code === BLANK ? 0 : (MARKS.get(code) ?? 0);
    if (strength > mark) mark = strength;
    // East Asian marks are as wide as a letter and replace the space as well.
    if (strength > 0 && code >= IDEOGRAPHIC_COMMA) spaces++;
  }
  if (spaces === 0) return INSIDE;
  if (lines > 1) return PARAGRAPH;
  const isLower = isLowerAt(text, to);
  if (mark === END_MARK) return isLower && lines === 0 ? SENTENCE_LOWER : SENTENCE;
  if (lines === 1) return isLower ? LINE_LOWER : LINE;
  return isLower && mark === 0 ? INSIDE : CLAUSE;
}

const NEW_LINE = 10;
const BLANK = 32;
const IDEOGRAPHIC_COMMA = 0x3001;

function isSpace(code: number): boolean {
  return code === BLANK || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}

const CLAUSE_MARK = 1;
const END_MARK = 2;

const MARKS: ReadonlyMap<number, number> = new Map([
  ...marks(",،、，:;：；؛", CLAUSE_MARK),
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
