/**
 * How a passage was reused. `identical`: equal after case folding and leaving out all that is no letter or digit;
 * `minor_changes`: the same words in the same order but for a few; `paraphrased`: said in other words.
 */
export type MatchType = "identical" | "minor_changes" | "paraphrased";

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu;

/**
 * How closely two texts agree that hold the same words but for a few: `identical` or `minor_changes`.
 * Reworded text (`paraphrased`) will come from a stage of its own, not from here.
 */
export function classify(query: string, source: string): MatchType {
  return query === source || bareLetters(query) === bareLetters(source) ? "identical" : "minor_changes";
}

/** Upper case rather than lower, because it folds what lower case leaves apart: ß and ss, the two small sigmas. */
function bareLetters(text: string): string {
  return text.normalize("NFC").toUpperCase().replace(NO_LETTER_OR_DIGIT, "");
}
