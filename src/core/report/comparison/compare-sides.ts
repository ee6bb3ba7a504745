import { type DiffPiece, wordDiff } from "./word-diff.ts";

/** Both sides of a passage, in pieces without gaps. `isCut`: they are only the beginnings of longer texts. */
export type ComparedSides = {
  readonly query: readonly DiffPiece[];
  readonly source: readonly DiffPiece[];
  readonly isCut: boolean;
};

/**
 * Compares both sides of a passage word by word. Two beginnings of longer texts are cut once more, behind the last words
 * that are equal: what stands after them may differ only by where the texts were cut.
 */
export function compareSides(query: string, source: string, language: string, isCut: boolean): ComparedSides {
  const sides = [whole(query), whole(source)] as const;
  const compared = wordDiff(...sides, language);
  if (!isCut || compared.lastEqual === undefined)
    return { query: compared.query, source: compared.source, isCut };
  const { queryEnd, sourceEnd } = compared.lastEqual;
  const heads = wordDiff(sides[0].slice(0, queryEnd), sides[1].slice(0, sourceEnd), language);
  return { query: heads.query, source: heads.source, isCut };
}

/** A text without the half of a character that a cut left at its end. */
function whole(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}
