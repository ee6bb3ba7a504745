import { foldCharacters, type RewrittenText } from "./folding/fold-characters.ts";
import { latiniseSharedWords, unmaskWords } from "./folding/homoglyphs.ts";
import { joinSpacedLetters } from "./folding/spaced-letters.ts";
import { composeMaps } from "./offset-map.ts";

/**
 * The form of `text` that is compared: folded characters (see `foldCharacters`), words that are spaced out letter by letter
 * brought together, look-alike letters of other scripts replaced, lower case. The map leads back into `text`, in UTF-16 units. Lone surrogates stay as they are.
 */
export function normalise(text: string): RewrittenText {
  const folded = foldCharacters(text);
  const joined = joinSpacedLetters(folded.text);
  return {
    text: latiniseSharedWords(lowerCase(unmaskWords(joined.text))),
    map: composeMaps(joined.map, folded.map),
  };
}

/**
 * Lower case that keeps the length: İ, the one letter with a longer lower case, has lost its dot before. The final sigma
 * becomes a sigma, as in Unicode's case folding.
 */
function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
