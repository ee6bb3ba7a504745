/**
 * Foldings that Unicode's own compatibility decomposition lacks, by the decomposed character.
 * Letters with a stroke and ligatures follow the ASCII folding that search engines use; small capitals are letters of
 * "fancy text"; the Arabic pairs are spellings that writers and keyboards mix (as in Lucene's Arabic and Persian
 * normalisers). Apostrophe-like letters become apostrophes, so that tokens treat them as such.
 */
export const CHARACTER_FOLDS: ReadonlyMap<string, string> = new Map([
  ...pairs("ßss ẞSS æae ÆAE œoe ŒOE þth ÞTH"),
  ...pairs("øo ØO đd ĐD ðd ÐD łl ŁL ħh ĦH ŧt ŦT ıi ɑa ɡg"),
  ...pairs("ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz"),
  ...pairs("ىي یي ېي کك ةه ہه ھه ەه"),
  ...pairs("‘' ’' ‚' ‛' ′' ´' ʹ' ʻ' ʼ' ʽ' ʾ' ʿ' ˈ' ׳' ꞌ' “\" ”\" „\" ‟\" «\" »\" ″\" ״\""),
  ...pairs("‐- ‑- ‒- –- —- ―- −- ⁃- ﹣- －- ־-"),
  ["\u3164", " "],
  ["\uffa0", " "],
  // Letters of click languages, tone letters and length marks that pass for punctuation at a word's end.
  ...pairs("ǃ! ǀ| ǁ| ː: ꓸ. ꓹ, ꓽ: ꓼ; ꓺ."),
  // A trade mark sign stands at a word's end and is no part of it.
  ["™", " "],
  ["℠", " "],
]);

/** Circled and squared white letters on black have no decomposition: A to Z from each of these code points. */
export const DARK_ALPHABETS = [0x1f150, 0x1f170] as const;

function pairs(list: string): [string, string][] {
  return list.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]);
}
