import { foldCharacters, type RewrittenText } from "./folding/fold-characters.ts";
import { latiniseSharedWords, unmaskWords } from "./folding/homoglyphs.ts";

/**
 * The form of `text` that is compared: folded characters (see `foldCharacters`), look-alike letters of other scripts
 * replaced, lower case. The map leads back into `text`, in UTF-16 units. Lone surrogates stay as they are.
 */
export function normalise(text: string): RewrittenText {
  const { text: folded, map } = foldCharacters(text);
  return { text: latiniseSharedWords(lowerCase(unmaskWords(folded))), map };
}

/**
 * Lower case that keeps the length: İ, the one letter with a longer lower case, has lost its dot before. The final sigma
 * becomes a sigma, as in Unicode's case folding.
 */
function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
