import type { Span } from "../span.ts";
import { WORD_CHARACTER } from "../words/word-characters.ts";

/** One letter or digit with its marks, and what stands before it. */
export type LetterCell = Span & { readonly character: string; readonly gapBefore: string };

/** A letter or digit with its marks, as a part of regular expressions with the `v` flag. */
export const LETTER_CELL = String.raw`[\p{L}\p{Nd}]\p{M}{0,8}`;

/**
 * The letters of a stretch of single letters, in groups that may be words: by the gap that is most frequent, and what that
 * brings together with nothing by the one that is most frequent there.
 */
export function letterGroups(stretch: string, offset: number): LetterCell[][] {
  return groupsOf(readCells(stretch, offset));
}

/** What parts the letters of a group. */
export function gapsIn(group: readonly LetterCell[]): Span[] {
  return group.slice(1).map(({ start, gapBefore }) => ({ start: start - gapBefore.length, end: start }));
}

const CELLS = new RegExp(`([^${WORD_CHARACTER}]*)(${LETTER_CELL})`, "gv");

function readCells(stretch: string, offset: number): LetterCell[] {
  return Array.from(stretch.matchAll(CELLS), ({ 1: gapBefore = "", 2: character = "", index }) => {
    const start = offset + index + gapBefore.length;
    return { start, end: start + character.length, character, gapBefore };
  });
}

/** Fewer letters that stand by themselves are words of one letter. */
const LEFT_OVER_MIN = 4;

function groupsOf(cells: readonly LetterCell[]): LetterCell[][] {
  const groups: LetterCell[][] = [];
  let singles: LetterCell[] = [];
  const endSingles = () => {
    const isLeftOver = singles.length >= LEFT_OVER_MIN && singles.length < cells.length;
    groups.push(...(isLeftOver ? groupsOf(singles) : singles.map((cell) => [cell])));
    singles = [];
  };
  for (const group of groupsByUsualGap(cells)) {
    if (group.length === 1) singles.push(...group);
    else {
      endSingles();
      groups.push(group);
    }
  }
  endSingles();
  return groups;
}

function groupsByUsualGap(cells: readonly LetterCell[]): LetterCell[][] {
  const partsLetters = letterGap(cells);
  const groups: LetterCell[][] = [];
  for (const cell of cells) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const goesOn = before !== undefined && isDigit(before) === isDigit(cell) && partsLetters(cell.gapBefore);
    if (goesOn) group?.push(cell);
    else groups.push([cell]);
  }
  return groups;
}

function isDigit({ character }: LetterCell): boolean {
  return /\p{Nd}/u.test(character);
}

function letterGap(cells: readonly LetterCell[]): (gap: string) => boolean {
  const counts = new Map<string, number>();
  for (const { gapBefore } of cells.slice(1)) counts.set(gapBefore, (counts.get(gapBefore) ?? 0) + 1);
  let usual = "";
  for (const [gap, count] of counts) {
    if ((SPACES.test(gap) || SIGNS.test(gap)) && count > (counts.get(usual) ?? 0)) usual = gap;
  }
  const kind = SPACES.test(usual) ? SPACES : SIGNS;
  return (gap) =>
    gap.length <= usual.length ? kind.test(gap) : gap.length <= usual.length * 2 + 1 && APOSTROPHE.test(gap);
}

/** Signs that stand between letters to hide a word. Not those that list or calculate: commas, slashes, plus, equals. */
const SIGNS = /^[-._*|~·•:#^]+$/;
const SPACES = /^[^\S\n\r\x85\u2028\u2029]+$/;

/** An apostrophe stays inside its word also with the letters' gap on both sides. */
const APOSTROPHE = /^\s*['`]\s*$/;
