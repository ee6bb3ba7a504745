import { eld } from "eld/extrasmall";

/** Languages that differ too little from a neighbour to be told apart by their letters. */
const ALIKE: ReadonlySet<string> = new Set(["ms", "id", "da", "no", "nb", "bs", "hr", "sr", "cs", "sk"]);

/** The language of a text (ISO 639-1) by its letter groups; undefined when the text is too short or too mixed to tell. */
export function detectLanguage(text: string): string | undefined {
  const result = eld.detect(text);
  return result.isReliable() && !ALIKE.has(result.language) ? result.language : undefined;
}
