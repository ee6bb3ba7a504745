/** The narrow form, of which the index makes sampled shingles, and the words in it. */
export const FORM = "fingerprint";
export const WORDS = "fingerprint.words";
