/** A paragraph of a source and what stands beside it there and in the text that copies it, all in one language. */
export type LanguageSample = {
  /** ISO 639-1. */
  readonly language: string;
  /** 80 to 150 words, or as much in scripts that write words together. */
  readonly copied: string;
  /** The same said again, with about a third of its words replaced or moved. */
  readonly reworded?: string;
  readonly besideCopy: string;
  readonly besideSource: string;
};
