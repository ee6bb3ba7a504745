import { endsSentence } from "./edge-types.ts";
import type { TokenisedText } from "./tokenised-text.ts";

/**
 * 1 for each word that begins with a figure, or with a capital letter inside a sentence: names, titles, dates and numbers. Two
 * texts on one matter share them without reuse. Scripts without capitals have only the figures.
 * @param edges the text's edge types.
 */
export function nameMarks({ text, tokens }: TokenisedText, edges: Uint8Array): Uint8Array {
  const marks = new Uint8Array(tokens.words.length);
  for (let i = 0; i < marks.length; i++) {
    const at = tokens.starts[i] ?? 0;
    if (isFigure(text, at) || (isCapital(text, at) && !endsSentence(edges[i] ?? 0))) marks[i] = 1;
  }
  return marks;
}

function isFigure(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function isCapital(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code >= 65 && code <= 90;
  const letter = text.charAt(at);
  return letter !== letter.toLowerCase();
}
