import type { Tokens } from "../../text/tokenise.ts";
import type { Model } from "./model.ts";

/** A text with its words; the offsets in `tokens` are UTF-16 offsets into `text`. */
export type TokenisedText = { readonly text: string; readonly tokens: Tokens };

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

/** The log-odds, by boundary, that a passage begins or ends there. */
export function boundaryPriors(types: Uint8Array, priors: Model["queryBoundaries"]): Float64Array {
  const { inside, capital, pause, line, paragraph, end } = priors;
  const ofTypes = [inside, capital, pause, line, 0, paragraph, end];
  // `Float64Array.from` with a function takes ten times as long.
  const ofBoundaries = new Float64Array(types.length);
  for (let i = 0; i < types.length; i++) ofBoundaries[i] = ofTypes[types[i] ?? 0] ?? 0;
  return ofBoundaries;
}

/** Whether a sentence, a line, a paragraph or the text ends there. */
export function endsSentence(type: number): boolean {
  return type >= LINE;
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

/** Boundary types, the weakest first: between two words of a clause; before a capital; at a comma or colon; and so on. */
const INSIDE = 0;
const CAPITAL = 1;
const PAUSE = 2;
const LINE = 3;
const SENTENCE = 4;
const PARAGRAPH = 5;
const TEXT_END = 6;

/** The type of the boundary between the word that ends at `from` and the one that starts at `to`. */
function boundaryType(text: string, from: number, to: number): number {
  let hasSpace = false;
  let lines = 0;
  let type = INSIDE;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === NEW_LINE) lines++;
    const mark = code === BLANK ? INSIDE : (MARKS.get(code) ?? INSIDE);
    if (mark > type) type = mark;
    // East Asian marks are as wide as a letter and replace the space as well.
    if (isSpace(code) || (mark > INSIDE && code >= IDEOGRAPHIC_COMMA)) hasSpace = true;
  }
  if (!hasSpace) return INSIDE;
  if (lines > 1) return PARAGRAPH;
  if (lines === 1) return Math.max(type, LINE);
  return type === INSIDE && isCapitalAt(text, to) ? CAPITAL : type;
}

const NEW_LINE = 10;
const BLANK = 32;
const IDEOGRAPHIC_COMMA = 0x3001;

function isSpace(code: number): boolean {
  return code === BLANK || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}

const MARKS: ReadonlyMap<number, number> = new Map([
  ...marks(",،、，:;：；؛", PAUSE),
  ...marks(".!?…。！？।॥؟۔։።", SENTENCE),
]);

function marks(characters: string, type: number): [number, number][] {
  return [...characters].map((character) => [character.charCodeAt(0), type]);
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
