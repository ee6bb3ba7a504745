/** How the words of our text differ from those of another reader's. */
export type WordDifferences = {
  /** The words of the other reader. */
  readonly words: number;
  /** The words that only the other reader has. */
  readonly lost: number;
  /** The words that only we have. */
  readonly added: number;
  /** The pairs of neighbours of the other text that are no neighbours in ours, although we have both words. */
  readonly moved: number;
};

/** Words are runs of letters and digits. Their case, ligatures, letters of full width and hyphens at the end of a line don't count. */
export function compareWords(own: string, other: string): WordDifferences {
  const [ours, theirs] = [wordsOf(own), wordsOf(other)];
  const pairs = new Set(ours.slice(1).map((word, at) => `${ours[at]} ${word}`));
  const known = new Set(ours);
  const moved = theirs.slice(1).filter((word, at) => {
    const before = theirs[at] ?? "";
    return known.has(word) && known.has(before) && !pairs.has(`${before} ${word}`);
  });
  return {
    words: theirs.length,
    lost: surplus(theirs, ours).length,
    added: surplus(ours, theirs).length,
    moved: moved.length,
  };
}

/** The words that the first list has more often than the second. */
export function surplus(words: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/(?<=\p{L})[-\u2010\u00ad]\s*\n\s*(?=\p{L})/gu, "")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
